import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentEvent, EndReason } from '../../../lib/agent/events';

const doc = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');

describe('docs/events.md', () => {
  it.each(AgentEvent.options.map((option) => [option.shape.type.value, option.shape] as const))(
    'tells of %s and of each of its fields',
    (type, shape) => {
      const start = doc.indexOf(`| \`${type}\` |`);
      expect(start).toBeGreaterThan(0);
      const rest = doc.slice(start + 3);
      const next = rest.search(/\n\| `[a-z]+-[a-z-]+` \||\n\| `(?:text|notice)` \||\n\n/);
      const rows = rest.slice(0, next < 0 ? undefined : next);
      for (const field of Object.keys(shape)) {
        if (['id', 'at', 'conversationId', 'turnId', 'type'].includes(field)) continue;
        expect(rows).toContain(`\`${field}\``);
      }
    },
  );

  it('explains every reason a turn ends for', () => {
    for (const reason of EndReason.options) expect(doc).toContain(`| \`${reason}\` |`);
  });
});
