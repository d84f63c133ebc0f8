import type { CallMarker } from '../markers';
import { readXmlCall } from '../xml-call';
import type { Dialect } from './dialect';

const closers = ['</function>', '</invoke>'];
const tag = (open: string, tail: CallMarker['tail']): CallMarker => ({
  kind: 'call',
  dialect: 'qwen-xml',
  open,
  tail,
  closers,
});

/** Qwen3-Coder, Qwen3.5 and Nemotron 3. The `<tool_call>` around it is often dropped, so it is not needed. */
export const qwenXml: Dialect = {
  id: 'qwen-xml',
  example: '<tool_call><function=name><parameter=key>value</parameter></function></tool_call>',
  markers: [
    tag('<function=', 'name'),
    tag('<function', 'named'),
    tag('<invoke', 'attributes'),
    ...closers.map((open) => ({ kind: 'closer', open }) as const),
  ],
  read: readXmlCall,
};
