import type { CompactTool } from '../../tools/tool';
import { neutralise } from '../untrusted';

export const safeLine = (text: string) => neutralise(text).replace(/\s+/g, ' ').trim();
export const toolJson = ({ name, description, parameters }: CompactTool) =>
  neutralise(JSON.stringify({ name, description, parameters }));
export const renderTools = (_listing: string, tools: readonly CompactTool[]) =>
  `<tools>\n${tools.map(toolJson).join('\n')}\n</tools>`;
