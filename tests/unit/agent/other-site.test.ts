import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSources, foreignValues } from '../../../lib/agent/arguments/sources';
import type { Exchange } from '../../../lib/agent/options';
import { call, cart, deny, fakePage, gives, object, runTurn, say, search, tool } from './scripted';

const BANK = 'https://bank.example';
const SHOP = 'https://shop.example';
const IBAN = 'DE89 3704 0044 0532 0130 00';

const accounts = tool('list_accounts', {
  reads: true,
  key: 'b/list',
  origin: BANK,
  documentId: 'b',
});
const show = tool('show_account', {
  reads: true,
  inputSchema: object({ account: { type: 'string' } }, ['account']),
});

describe('a value of another site', () => {
  const frame = { ...accounts, frameId: 4 };

  it('is asked for by name before a tool gets it, though that only reads', async () => {
    const run = await runTurn({
      ask: 'show my account',
      pageTools: [frame, show],
      outcomes: { list_accounts: gives({ iban: IBAN }) },
      approve: () => deny,
      script: [
        { reply: call('list_accounts') },
        { reply: call('show_account', { account: IBAN }) },
      ],
    });
    expect(run.of('approval-asked')).toMatchObject([{ reason: 'other-site', canRemember: false }]);
    expect(run.of('call-proposed').at(-1)?.foreign).toEqual([
      { argument: 'account', value: IBAN, origin: BANK },
    ]);
    expect(run.page.calls.map(({ name }) => name)).toEqual(['list_accounts']);
  });

  it('goes to its own site, and what the user said goes anywhere', async () => {
    const own = tool('show_iban', {
      ...show,
      name: 'show_iban',
      key: 'b/show',
      origin: BANK,
      documentId: 'b',
      frameId: 4,
    });
    const run = await runTurn({
      ask: 'show account 4711',
      pageTools: [frame, own, show],
      outcomes: { list_accounts: gives({ iban: IBAN }) },
      script: [
        { reply: call('list_accounts') },
        { reply: call('show_iban', { account: IBAN }) },
        { reply: call('show_account', { account: '4711' }) },
        { reply: say('Here it is.') },
      ],
    });
    expect(run.of('approval-asked')).toEqual([]);
    expect(run.page.calls).toHaveLength(3);
  });
});

describe('a turn whose page moves to another site', () => {
  it('takes no word of the first along, and tells what it did', async () => {
    const page = fakePage([accounts], {
      list_accounts: () => {
        page.url = `${SHOP}/pay`;
        page.tools = [show];
        return { kind: 'result', value: `{"iban":"${IBAN}"}`, navigatedTo: SHOP };
      },
    });
    page.url = `${BANK}/home`;
    const past: Exchange = { ask: 'hello', answer: 'Your balance is 815.', calls: [] };
    const { engine, of } = await runTurn({
      page,
      ask: 'show my account',
      history: { site: BANK, brief: 'Asked: balance 815.', exchanges: [past] },
      script: [
        { reply: call('list_accounts'), sees: ['815'] },
        {
          reply: call('show_account', { account: IBAN }),
          sees: ['show my account', 'list_accounts', `Done on ${BANK}`],
          lacks: ['DE89', '815'],
        },
      ],
      approve: () => deny,
    });
    expect(of('approval-asked')).toMatchObject([{ reason: 'other-site' }]);
    expect(engine.requests).toHaveLength(2);
  });

  it('begins without the conversation of a site it is not on any more', async () => {
    const past: Exchange = { ask: 'hello', answer: 'Your balance is 815.' };
    await runTurn({
      pageTools: [search, cart],
      history: { site: BANK, brief: 'Asked: balance 815.', exchanges: [past] },
      script: [{ reply: say('Hello.'), lacks: ['815', 'hello'] }],
    });
  });
});

describe('sources', () => {
  const word = fc.stringMatching(/^[a-z]{4,9}\d{3,6}$/);

  it('a value that one site told and nobody else is of that site, whatever stands around it', () => {
    fc.assert(
      fc.property(word, fc.array(word), fc.lorem({ maxCount: 6 }), (secret, others, around) => {
        fc.pre(!others.includes(secret) && !around.includes(secret));
        const sources = createSources(new Date(0));
        sources.add(around, 'spoken');
        sources.add(others.join(' '), 'seen', SHOP);
        sources.add(`{"iban":"${secret}"}`, 'seen', BANK);
        const found = (value: string, site: string) =>
          foreignValues({}, { deep: [{ value }] }, sources, site).map(({ origin }) => origin);
        expect(found(secret, SHOP)).toEqual([BANK]);
        expect(found(`${around} ${secret} ${around}`, SHOP)).toEqual([BANK]);
        expect(found(secret, BANK)).toEqual([]);
        sources.add(secret, 'spoken');
        expect(found(secret, SHOP)).toEqual([]);
      }),
    );
  });

  it('numbers too, and no value of the tool’s own schema', () => {
    const sources = createSources(new Date(0));
    sources.add('{"total":8151,"size":"medium"}', 'seen', BANK);
    const schema = { properties: { size: { enum: ['small', 'medium'] } } };
    expect(foreignValues(schema, { total: 8151, size: 'medium' }, sources, SHOP)).toEqual([
      { argument: 'total', value: '8151', origin: BANK },
    ]);
  });

  it('frames without an origin are not one another', () => {
    const sources = createSources(new Date(0));
    sources.add('token abc123', 'seen', 'null d1');
    expect(foreignValues({}, { t: 'abc123' }, sources, 'null d2')).toEqual([
      { argument: 't', value: 'abc123', origin: 'null' },
    ]);
  });
});
