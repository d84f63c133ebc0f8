/** What this machine has, read once per question and never guessed. */
export interface GpuFacts {
  shaderF16: boolean;
  maxBufferBytes: number;
  maxBindingBytes: number;
  maxStorageBuffers: number;
  maxWorkgroupBytes: number;
  /** Software rendering: works, but far slower than the processor alone. */
  software: boolean;
  name: string;
}

export interface Machine {
  cores: number;
  /** As the browser tells it: rounded, and never more than it wants to tell (`navigator.deviceMemory`). */
  memoryBytes?: number;
  /** Whether pages are isolated, so that threads may share memory. */
  isolated: boolean;
  /** `undefined` without WebGPU or without an adapter. */
  gpu(): Promise<GpuFacts | undefined>;
}

interface MemoryNavigator {
  deviceMemory?: number;
}

export function browserMachine(
  scope: { navigator: Navigator; crossOriginIsolated: boolean } = globalThis,
): Machine {
  const { navigator } = scope;
  const { deviceMemory } = navigator as MemoryNavigator;
  return {
    cores: navigator.hardwareConcurrency || 1,
    memoryBytes: deviceMemory === undefined ? undefined : deviceMemory * 2 ** 30,
    isolated: scope.crossOriginIsolated,
    async gpu() {
      const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
      return adapter ? gpuFacts(adapter) : undefined;
    },
  };
}

/** Limits and features of an adapter that decide what runs on it. */
export function gpuFacts(adapter: Pick<GPUAdapter, 'features' | 'limits' | 'info'>): GpuFacts {
  const { limits, info } = adapter;
  const name = [info.vendor, info.architecture, info.description].filter(Boolean).join(' ');
  return {
    shaderF16: adapter.features.has('shader-f16'),
    maxBufferBytes: limits.maxBufferSize,
    maxBindingBytes: limits.maxStorageBufferBindingSize,
    maxStorageBuffers: limits.maxStorageBuffersPerShaderStage,
    maxWorkgroupBytes: limits.maxComputeWorkgroupStorageSize,
    software: /swiftshader|llvmpipe|basic render|software/i.test(name),
    name: name || 'unknown GPU',
  };
}
