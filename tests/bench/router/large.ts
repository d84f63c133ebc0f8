import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CorpusTool } from './corpora';
import type { Ranker } from './rankers';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const BUILDS = 4;
const ACTIONS = ['create', 'delete', 'get', 'search', 'update'];

/** A catalog of any size in the manner of big companies: few words, all of them everywhere. */
export function makeCatalog(size: number): CorpusTool[] {
  return Array.from({ length: size }, (_, at) => {
    const service = at % 20;
    const resource = at % 100;
    const action = ACTIONS[at % ACTIONS.length] ?? '';
    const name = `service_${service}_${action}_resource_${resource}_${at}`;
    const description = `${action} resource ${resource} records for a tenant in service ${service}.`;
    const query = { type: 'string', description: `Input for ${description}` };
    return {
      id: name,
      name,
      namespace: 'service',
      tags: [`service-${service}`, action, `resource-${resource}`],
      description,
      inputSchema: { type: 'object', properties: { query }, additionalProperties: false },
    };
  });
}

export interface LargeRun {
  /** The quickest of a few, since other work on the machine only ever adds. */
  buildMs: number;
  p50: number;
  p95: number;
  /** Heap and buffers the built ranker keeps, in MB. */
  megabytes: number;
}

export function runLarge(ranker: Ranker, tools: readonly CorpusTool[], queries: number): LargeRun {
  let buildMs = Number.POSITIVE_INFINITY;
  for (let build = 1; build < BUILDS; build++) buildMs = Math.min(buildMs, timeBuild().ms);
  collectGarbage();
  const before = memory();
  const { search, ms } = timeBuild();
  buildMs = Math.min(buildMs, ms);
  collectGarbage();
  const megabytes = (memory() - before) / 2 ** 20;

  function timeBuild() {
    const started = performance.now();
    const search = ranker.build(tools);
    return { search, ms: performance.now() - started };
  }

  const times = Array.from({ length: queries }, (_, at) => {
    const query =
      at % 2 === 0
        ? `create resource ${at % 100} in service ${at % 20}`
        : `search records for tenant ${at % 50}`;
    const asked = performance.now();
    search(query, 5);
    return performance.now() - asked;
  }).sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { buildMs, p50: quantile(0.5), p95: quantile(0.95), megabytes };
}

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
