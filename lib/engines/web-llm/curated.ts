import type { DialectId } from '../../agent/engine';
import type { Words } from '../../said/said';
import { say } from '../../said/say';

/** A model of the package's list that is worth offering; its numbers come from that list. */
export interface CuratedModel {
  label: string;
  /** The two builds of it: for graphics cards with 16-bit shaders, and for those without. */
  f16: string;
  f32: string;
  /** Billions of parameters, from the publisher's card; the download follows from it. */
  billions: number;
  dialect: DialectId;
  licence: string;
  languages: string[];
  goodAt: Words;
  /** Its template thinks unless told not to. */
  thinks: boolean;
}

const QWEN_LANGUAGES = 'en zh de fr es it pt nl ru ar ja ko vi th id tr pl'.split(' ');

function builds(stem: string): { f16: string; f32: string } {
  return { f16: `${stem}-q4f16_1-MLC`, f32: `${stem}-q4f32_1-MLC` };
}

/** The first is the default. */
export const CURATED: readonly CuratedModel[] = [
  {
    label: 'Qwen3 1.7B',
    ...builds('Qwen3-1.7B'),
    billions: 1.72,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-balance'),
    thinks: true,
  },
  {
    label: 'Qwen3 0.6B',
    ...builds('Qwen3-0.6B'),
    billions: 0.6,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-small-gpu'),
    thinks: true,
  },
  {
    label: 'Qwen3.5 0.8B',
    ...builds('Qwen3.5-0.8B'),
    billions: 0.8,
    dialect: 'qwen-xml',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-longer-arguments'),
    thinks: true,
  },
  {
    label: 'Qwen2.5 1.5B Instruct',
    ...builds('Qwen2.5-1.5B-Instruct'),
    billions: 1.54,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-plain'),
    thinks: false,
  },
  {
    label: 'Qwen3.5 2B',
    ...builds('Qwen3.5-2B'),
    billions: 2.1,
    dialect: 'qwen-xml',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-steps-laptop'),
    thinks: true,
  },
  {
    label: 'Hermes 3 Llama 3.2 3B',
    ...builds('Hermes-3-Llama-3.2-3B'),
    billions: 3.21,
    dialect: 'hermes',
    licence: 'Llama 3 Community License',
    languages: ['en'],
    goodAt: say('good-english-tools'),
    thinks: false,
  },
  {
    label: 'Qwen3 4B',
    ...builds('Qwen3-4B'),
    billions: 4.02,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: QWEN_LANGUAGES,
    goodAt: say('good-reliable'),
    thinks: true,
  },
  {
    label: 'Phi-4 mini Instruct',
    ...builds('Phi-4-mini-instruct'),
    billions: 3.84,
    dialect: 'phi',
    licence: 'MIT',
    languages: ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'zh', 'ja', 'ko', 'ar', 'ru'],
    goodAt: say('good-reasoning'),
    thinks: false,
  },
  {
    label: 'SmolLM2 360M Instruct',
    ...builds('SmolLM2-360M-Instruct'),
    billions: 0.36,
    dialect: 'hermes',
    licence: 'Apache-2.0',
    languages: ['en'],
    goodAt: say('good-trying'),
    thinks: false,
  },
];

/** Bytes of the weights: 4 bits each, and one scale of 16 or 32 bits for every 32 of them. */
export function estimatedDownload(model: CuratedModel, f16: boolean): number {
  return Math.round(model.billions * 1e9 * ((4 + (f16 ? 16 : 32) / 32) / 8));
}
