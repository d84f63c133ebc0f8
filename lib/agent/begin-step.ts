import { say, sentences } from '../said/say';
import { advertisedSurface } from '../tools/exposure/report';
import { originOf } from '../tools/origin';
import type { Catalog } from '../tools/tool';
import { fixArguments } from './arguments/fixes';
import { oneLine, plainAddress } from './facts';
import type { ToolContext } from './own-tools';
import type { Question } from './ports';
import { signatureOf } from './prepare-call';
import { collectTools } from './reach-page';
import { enterSite } from './site';
import { chooseStepTools, refOf, type StepTools } from './step-tools';
import { untilAborted } from './stop';
import type { Turn } from './turn';

/** Collects the page's tools afresh and chooses what the step offers. Throws as {@link collectTools}. */
export async function beginStep(
  turn: Turn,
  costs: (turn: Turn) => { instructions: number; history: number },
): Promise<StepTools> {
  turn.signal.throwIfAborted();
  turn.emit({ type: 'step-started', step: turn.step });
  const start = turn.now();
  const catalog = await collectTools(turn);
  const ms = Math.max(0, Math.round(turn.now() - start));
  enterSite(turn, catalog.url);
  const before = turn.catalog;
  turn.catalog = catalog;
  updateFacts(turn, catalog, before);
  const tools = chooseStepTools(turn, catalog.tools, costs(turn));
  const { appeared, vanished } = tools.choice.changes;
  turn.emit({
    type: 'catalog-collected',
    url: catalog.url,
    title: catalog.title,
    tools: catalog.tools.length,
    appeared,
    vanished,
    notes: catalog.notes,
    ms,
  });
  if (before === undefined) {
    turn.emit({ type: 'tools-advertised', ...advertisedSurface(tools.choice) });
  }
  tellPromotions(turn, tools);
  return tools;
}

/** A tool that left the prompt, or is another than the one that was found, is told: never silently. */
function tellPromotions(turn: Turn, tools: StepTools): void {
  const { dropped, changed } = tools.choice.promotionNotes;
  for (const { name, why, said } of dropped) {
    const words = say('promotion-dropped', name, sentences([{ text: why, said }]));
    turn.emit({ type: 'notice', level: 'info', ...words });
  }
  for (const name of changed) {
    turn.emit({ type: 'notice', level: 'info', ...say('tool-changed', name) });
  }
}

/** Facts are paid for on every step. */
const MAX_RECIPE_FACTS = 12;

/** Facts are told once a turn; what they say of the page follows the page, and its recipe adds some. */
function updateFacts(turn: Turn, catalog: Catalog, before: Catalog | undefined): void {
  if (before !== undefined && before.url === catalog.url && before.obstacle === catalog.obstacle) {
    return;
  }
  const facts = { ...turn.options.facts };
  if (before !== undefined) {
    const title = oneLine(catalog.title);
    const address = plainAddress(catalog.url);
    if ('page title' in facts) facts['page title'] = title;
    if ('page address' in facts && address !== undefined) facts['page address'] = address;
  }
  // Else a model takes it for a page without tools.
  if (catalog.obstacle !== undefined) facts['page tools'] = 'cannot be seen from here';
  const origin = originOf(catalog.url) ?? '';
  const added = turn.options.settings.site(origin).recipe?.facts ?? {};
  for (const [key, value] of Object.entries(added).slice(0, MAX_RECIPE_FACTS)) {
    facts[oneLine(key, 40)] = oneLine(value);
  }
  for (const fact of Object.values(facts)) turn.sources.add(fact, 'seen', turn.site);
  turn.facts = facts;
}

/** What tools of Pagehand's own may use in this step. */
export function toolContext(turn: Turn, tools: StepTools): ToolContext {
  const { engine, user } = turn.options;
  return {
    signal: turn.signal,
    facts: turn.facts,
    resultsOf: (name) =>
      turn.done
        .filter((c) => c.name === name && c.status === 'done' && c.site === turn.site)
        .map((c) => c.value),
    pageTool(name) {
      const offered = tools.find(name);
      if (offered?.kind !== 'page') return undefined;
      const schema = offered.tool.inputSchema ?? offered.compact.parameters;
      return { ref: refOf(offered), schema };
    },
    async askUser(question) {
      const asked: Question = { questionId: turn.newId(), ...question };
      turn.signal.throwIfAborted();
      turn.emit({ type: 'question-asked', ...asked });
      const answer = await untilAborted(user.ask(asked, turn.signal), turn.signal);
      turn.emit({ type: 'question-answered', questionId: asked.questionId, answer });
      if (asked.form && answer !== null && typeof answer === 'object') {
        const { args } = fixArguments(asked.form.schema, answer);
        turn.filled.add(signatureOf(asked.form.tool.key, args));
      }
      return answer;
    },
    outputTokens: Math.max(100, Math.min(800, Math.floor(engine.contextWindow / 8))),
    countTokens: (text) => engine.countTokens(text),
  };
}
