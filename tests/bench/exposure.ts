import { pathToFileURL } from 'node:url';
import { createDefaultRanker } from '../../lib/tools/discovery/default-ranker';
import { searchTools } from '../../lib/tools/discovery/search';
import { type Choice, chooseTools } from '../../lib/tools/exposure/choose';
import type { ChooseRequest } from '../../lib/tools/exposure/request';
import { DEFAULT_SITE, type SiteExposure } from '../../lib/tools/exposure/rules';
import { LISTINGS, renderTools } from '../../lib/tools/render/listing';
import { compareListings } from '../../lib/tools/render/report';
import { textBytes } from '../../lib/tools/schema/size';
import type { PageTool } from '../../lib/tools/tool';
import { CATALOG_41, CORE_TOOL, REQUESTS } from '../fixtures/catalog-41';

const LARGE = 128_000;
const SMALL = 4_096;

const choose = (given: Partial<ChooseRequest> & Pick<ChooseRequest, 'tools'>): Choice =>
  chooseTools({
    site: () => DEFAULT_SITE,
    ask: 'what are ACME shares trading at right now',
    ranker: createDefaultRanker(),
    window: SMALL,
    instructions: 350,
    history: 0,
    reply: 512,
    ...given,
  });

const ALL_DIRECT = (): SiteExposure => ({ ...DEFAULT_SITE, defer: 'never' });
const TAIL_DEFERRED = (): SiteExposure => ({
  defer: 'always',
  tools: { [CORE_TOOL]: 'direct' },
});

function firstCall(): void {
  const whole = choose({ tools: CATALOG_41, site: ALL_DIRECT, window: LARGE });
  console.log(
    'First call, 41 tools (published: 24 725 bytes all direct, 3 791 with the tail deferred)',
  );
  const all = whole.budget.schemaBytes;
  console.log(`  all direct, JSON                      ${all} bytes, ${tokens(whole)} tokens`);
  for (const [label, window] of [
    ['large window, full manifest', LARGE],
    ['4 096 tokens, manifest within its share', SMALL],
  ] as const) {
    const step = choose({ tools: CATALOG_41, site: TAIL_DEFERRED, window });
    console.log(
      `  tail deferred, ${label}: wire ${step.budget.schemaBytes} bytes (${percent(step.budget.schemaBytes, all)})`,
    );
    for (const listing of LISTINGS) {
      const shown = choose({ tools: CATALOG_41, site: TAIL_DEFERRED, window, listing });
      const bytes = textBytes(renderTools(listing, shown.tools));
      console.log(
        `    ${listing.padEnd(12)} ${bytes} bytes, ${tokens(shown)} tokens (${percent(tokens(shown), tokens(whole))} of all direct)`,
      );
    }
  }
  const auto = choose({ tools: CATALOG_41 });
  console.log(
    `  auto, 4 096 tokens: ${auto.tools.length - 1} tools direct by relevance, ${tokens(auto)} tokens, ${textBytes(renderTools(auto.listing, auto.tools))} bytes`,
  );
  console.log('  41 tools in every listing:');
  for (const { listing, bytes, tokens: cost } of compareListings(whole.tools)) {
    console.log(`    ${listing.padEnd(12)} ${bytes} bytes, ${cost} tokens`);
  }
}

const tokens = ({ budget }: Choice): number => budget.direct + budget.promoted + budget.manifest;
const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

async function reachability(): Promise<void> {
  const { registry, policy } = choose({ tools: CATALOG_41, site: TAIL_DEFERRED, window: LARGE });
  const bm25 = createDefaultRanker();
  console.log('tool_search, 40 requests, right tool among the first 5 (first 1)');
  for (const wording of ['plain', 'oblique'] as const) {
    let five = 0;
    let one = 0;
    const missed: string[] = [];
    for (const request of REQUESTS) {
      const { facts } = await searchTools(
        { query: request[wording] },
        {
          deferred: registry.deferred(),
          policy,
          bm25,
          prepare: ({ name, tool, schema }) => ({
            name,
            description: tool.description,
            parameters: schema,
          }),
        },
        new AbortController().signal,
      );
      if (facts.matched[0] === request.tool) one++;
      if (facts.matched.includes(request.tool)) five++;
      else missed.push(request.tool);
    }
    const label = wording === 'plain' ? 'in the usual words' : 'in other words';
    console.log(
      `  ${label.padEnd(20)} ${percent(five, REQUESTS.length)} (${percent(one, REQUESTS.length)})${missed.length > 0 ? `; missed: ${missed.join(', ')}` : ''}`,
    );
  }
}

/** The 41 tools over and over, each under a name and with words of its own. */
function catalogOf(count: number): PageTool[] {
  return Array.from({ length: count }, (_, n) => {
    const base = CATALOG_41[n % CATALOG_41.length] as PageTool;
    const name = `${base.name}_${n}`;
    const description = `${base.description} Area ${WORDS[n % WORDS.length]} ${n}.`;
    return { ...base, name, key: `document/${name}`, description };
  });
}
const WORDS = ['sales', 'legal', 'north', 'south', 'studio', 'archive', 'club'];

/** Milliseconds of the fastest of a few runs: what the work takes when nothing else disturbs it. */
function fastest<T>(runs: number, work: () => T): { ms: number; result: T } {
  let ms = Number.POSITIVE_INFINITY;
  let result = work();
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    result = work();
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, result };
}

function growth(): void {
  console.log('Per step, milliseconds (fastest of 3): collect = copy across a border');
  const rows: { count: number; times: number[] }[] = [];
  for (const count of [41, 300, 10_000]) {
    const tools = catalogOf(count);
    const collected = fastest(3, () => structuredClone(tools));
    const cold = fastest(1, () => choose({ tools: collected.result }));
    const ranker = createDefaultRanker();
    const first = choose({ tools, ranker });
    const same = fastest(3, () =>
      choose({ tools: structuredClone(tools), ranker, previous: first }),
    );
    const changed = fastest(3, () => {
      const other = structuredClone(tools.slice(1));
      return choose({ tools: other, ranker, previous: first });
    });
    const rendered = fastest(3, () => renderTools(first.listing, first.tools));
    const times = [
      collected.ms,
      cold.ms,
      same.ms - collected.ms,
      changed.ms - collected.ms,
      rendered.ms,
    ];
    rows.push({ count, times });
    console.log(
      `  ${String(count).padStart(6)} tools: collect ${ms(times[0])}, choose first ${ms(times[1])}, choose again ${ms(times[2])}, choose after a tool vanished ${ms(times[3])}, render ${ms(times[4])}; prompt ${tokens(first)} tokens`,
    );
  }
  const [, middle, last] = rows;
  if (middle === undefined || last === undefined) return;
  const factor = last.count / middle.count;
  const ratios = last.times.map((time, at) => (time / (middle.times[at] ?? 1)).toFixed(1));
  console.log(`  ${factor.toFixed(0)} times the tools take ${ratios.join(' / ')} times as long`);
}

const ms = (time: number | undefined): string => (time ?? 0).toFixed(2);

/** Prints what exposure costs and saves. */
export async function bench(): Promise<void> {
  firstCall();
  await reachability();
  growth();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bench();
