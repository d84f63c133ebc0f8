import type { DialectId } from '../dialect-id';
import { COMMON_MARKERS } from '../markers';
import { buildTrie } from '../matcher';
import { deepseek } from './deepseek';
import type { Dialect } from './dialect';
import { functiongemma } from './functiongemma';
import { gemma } from './gemma';
import { granite } from './granite';
import { hermes } from './hermes';
import { json } from './json';
import { liquid } from './liquid';
import { llama } from './llama';
import { mistral } from './mistral';
import { pFormat } from './p-format';
import { phi } from './phi';
import { qwenXml } from './qwen-xml';

/** Every dialect, in the order in which their forms are tried on a call's text. */
export const DIALECTS: Readonly<Record<DialectId, Dialect>> = {
  liquid,
  hermes,
  json,
  'p-format': pFormat,
  'qwen-xml': qwenXml,
  gemma,
  functiongemma,
  mistral,
  deepseek,
  llama,
  granite,
  phi,
};

export const MARKERS = buildTrie([
  ...COMMON_MARKERS,
  ...Object.values(DIALECTS).flatMap((dialect) => dialect.markers),
]);
