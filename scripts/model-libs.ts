import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { CURATED } from '../lib/engines/web-llm/curated';

/**
 * Fetches the compiled libraries of the curated WebLLM models into a folder, for a build that shall
 * contain them: `npx tsx scripts/model-libs.ts libs && PAGEHAND_MODEL_LIBS=libs npm run build`.
 *
 * They are code, so they come with the package or not at all (docs/engines.md). Run by who makes the
 * build; the extension itself never does this.
 */
const [folder, ...only] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: tsx scripts/model-libs.ts FOLDER [MODEL-ID…]');
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const wanted = new Set(only.length > 0 ? only : CURATED.flatMap(({ f16, f32 }) => [f16, f32]));
for (const { model_id, model_lib } of prebuiltAppConfig.model_list) {
  if (!wanted.has(model_id)) continue;
  const response = await fetch(model_lib);
  if (!response.ok) throw new Error(`${model_lib} answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.readUInt32BE(0) !== 0x0061736d) throw new Error(`${model_lib} is no WebAssembly`);
  writeFileSync(join(folder, model_lib.slice(model_lib.lastIndexOf('/') + 1)), bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  console.log(`${model_id}  ${(bytes.length / 1e6).toFixed(1)} MB  sha256 ${hash}`);
}
