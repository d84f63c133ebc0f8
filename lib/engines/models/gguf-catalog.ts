import type { DialectId } from '../../agent/engine';
import type { Words } from '../../said/said';
import { say } from '../../said/say';

/** A model that is known to be worth trying with llama.cpp in the browser. */
export interface GgufModel {
  id: string;
  label: string;
  /** On the publisher's hub; a mirror takes its place by the setting. */
  url: string;
  /** Bytes as listed by the hub, rounded; the server's own number counts once a download starts. */
  sizeBytes: number;
  /** Tokens of context it is loaded with: what a small machine can afford, not all it was trained for. */
  contextWindow: number;
  dialect: DialectId;
  licence: string;
  languages: string[];
  goodAt: Words;
}

const HUB = 'https://huggingface.co';
const LFM_LANGUAGES = ['en', 'ar', 'zh', 'fr', 'de', 'ja', 'ko', 'es'];
const GRANITE_LANGUAGES = 'en de es fr ja pt ar cs it ko nl zh'.split(' ');
const QWEN_LANGUAGES = 'en zh de fr es it pt nl ru ar ja ko vi th id tr pl'.split(' ');

/**
 * The first is the default. Windows keep keys and values below about 700 MB; models that read few
 * layers' keys (LFM2.5, Qwen3.5) may have more. Calls and languages are as their publishers say.
 */
export const GGUF_CATALOG: readonly GgufModel[] = [
  {
    id: 'lfm2.5-1.2b-instruct',
    label: 'LFM2.5 1.2B Instruct',
    url: `${HUB}/LiquidAI/LFM2.5-1.2B-Instruct-GGUF/resolve/main/LFM2.5-1.2B-Instruct-Q4_K_M.gguf`,
    sizeBytes: 730_895_168,
    contextWindow: 8192,
    dialect: 'liquid',
    licence: 'LFM Open License 1.0',
    languages: LFM_LANGUAGES,
    goodAt: say('good-cpu-start'),
  },
  {
    id: 'lfm2.5-350m',
    label: 'LFM2.5 350M',
    url: `${HUB}/LiquidAI/LFM2.5-350M-GGUF/resolve/main/LFM2.5-350M-Q4_K_M.gguf`,
    sizeBytes: 229_312_224,
    contextWindow: 8192,
    dialect: 'liquid',
    licence: 'LFM Open License 1.0',
    languages: LFM_LANGUAGES,
    goodAt: say('good-old-single'),
  },
  {
    id: 'granite-4.0-350m',
    label: 'Granite 4.0 350M',
    url: `${HUB}/ibm-granite/granite-4.0-350m-GGUF/resolve/main/granite-4.0-350m-Q4_K_M.gguf`,
    sizeBytes: 236_985_760,
    contextWindow: 8192,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: GRANITE_LANGUAGES,
    goodAt: say('good-old-free'),
  },
  {
    id: 'qwen3-0.6b',
    label: 'Qwen3 0.6B',
    url: `${HUB}/unsloth/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B-Q4_K_M.gguf`,
    sizeBytes: 396_705_472,
    contextWindow: 4096,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-few-tools'),
  },
  {
    id: 'qwen3.5-0.8b',
    label: 'Qwen3.5 0.8B',
    url: `${HUB}/unsloth/Qwen3.5-0.8B-GGUF/resolve/main/Qwen3.5-0.8B-Q4_K_M.gguf`,
    sizeBytes: 533_000_000,
    contextWindow: 8192,
    dialect: 'qwen-xml',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-patience'),
  },
  {
    id: 'granite-4.0-1b',
    label: 'Granite 4.0 1B',
    url: `${HUB}/ibm-granite/granite-4.0-1b-GGUF/resolve/main/granite-4.0-1b-Q4_K_M.gguf`,
    sizeBytes: 1_023_645_440,
    contextWindow: 6144,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: GRANITE_LANGUAGES,
    goodAt: say('good-steps'),
  },
  {
    id: 'qwen3.5-2b',
    label: 'Qwen3.5 2B',
    url: `${HUB}/unsloth/Qwen3.5-2B-GGUF/resolve/main/Qwen3.5-2B-Q4_K_M.gguf`,
    sizeBytes: 1_280_835_840,
    contextWindow: 8192,
    dialect: 'qwen-xml',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-able'),
  },
];
