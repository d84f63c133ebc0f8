import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../lib/agent/engine';
import { toTurns } from '../../../lib/engines/turns';

describe('turns', () => {
  test('begin with the instructions, if there are any', () => {
    expect(toTurns('Be short.', [{ role: 'user', content: 'hi' }], 'hermes')).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'hi' },
    ]);
    expect(toTurns('', [{ role: 'user', content: 'hi' }], 'hermes')).toHaveLength(1);
  });

  test('of one role are joined, as templates want them to take turns', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'a' },
      { role: 'tool', callId: '1', name: 'x', content: '1' },
      { role: 'tool', callId: '2', name: 'y', content: '2' },
      { role: 'user', content: 'and?' },
    ];
    expect(toTurns('', messages, 'hermes').map((turn) => turn.role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  test('keep a reply word for word, so that the engine finds it in its cache', () => {
    const content = 'Adding.\n<tool_call>\n{"name": "add", "arguments": {"id": 7}}\n</tool_call>';
    expect(toTurns('', [{ role: 'assistant', content }], 'hermes')).toEqual([
      { role: 'assistant', content },
    ]);
  });

  test('give a result as the dialect wants it', () => {
    const messages: ChatMessage[] = [
      { role: 'tool', callId: '1', name: 'add', content: '{"ok":1}' },
    ];
    expect(toTurns('', messages, 'hermes')).toEqual([
      { role: 'user', content: '<tool_response>\n{"ok":1}\n</tool_response>' },
    ]);
  });
});
