import type { DialectId } from '../engine';
import type { Dialect } from './dialect';
import { functiongemma, gemma } from './gemma';
import { json } from './json';
import { liquid } from './liquid';
import { pFormat } from './p-format';
import { qwenXml } from './qwen-xml';
import { deepseek, granite, hermes, llama, mistral, phi } from './tagged';

const DIALECTS: Readonly<Record<DialectId, Dialect>> = {
  json,
  hermes,
  'p-format': pFormat,
  liquid,
  llama,
  gemma,
  functiongemma,
  'qwen-xml': qwenXml,
  mistral,
  granite,
  phi,
  deepseek,
};

export const dialectOf = (id: DialectId): Dialect => DIALECTS[id];
