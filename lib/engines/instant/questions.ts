import type { JsonValue } from '../../tools/tool';
import type { Reply, Scene } from './decide';
import { argumentsOf } from './fill';
import type { Known } from './known';
import type { Item } from './results';
import type { Slot } from './slots';
import { ASK_USER } from './turn';
import { sayName } from './words';

const quote = (name: string): string => `“${sayName(name)}”`;
const listed = (names: string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Two tools would do: the user picks. */
export function askWhichTool(scene: Scene, tools: Known[]): Reply {
  const names = tools.slice(0, 4).map((k) => k.tool.name);
  const question = `Which do you mean: ${names.map(quote).join(' or ')}?`;
  if (!scene.canAsk) return { type: 'message', text: question };
  return {
    type: 'tool_call',
    name: ASK_USER,
    arguments: { question, choices: names.map(sayName) },
  };
}

/** No tool surely serves the request, some may: the user says which, or none. */
export function askIfMeant(scene: Scene, tools: Known[]): Reply {
  const names = tools.map((k) => k.tool.name);
  const question = `Which do you mean: ${names.map(quote).join(', ')} or something else?`;
  if (!scene.canAsk) return { type: 'message', text: question };
  return {
    type: 'tool_call',
    name: ASK_USER,
    arguments: { question, choices: [...names.map(sayName), 'Something else'] },
  };
}

const GO_ON = 'Go on without it';

/**
 * The request has a condition that the tool cannot take, and the tool changes something: said before it
 * runs. `undefined` where the user said to go on.
 */
export function askWithout(scene: Scene, known: Known, left: readonly string[]): Reply | undefined {
  const words = listed(left.map((w) => `“${w}”`));
  const question = `${quote(known.tool.name)} cannot take ${words} into account.`;
  const said = scene.turn.answers.find((a) => a.question === question)?.answer;
  if (said === undefined) {
    if (!scene.canAsk) return { type: 'message', text: `${question} Nothing was done.` };
    return {
      type: 'tool_call',
      name: ASK_USER,
      arguments: { question, choices: [GO_ON, 'Leave it'] },
    };
  }
  const agreed =
    typeof said === 'string' && /^(?:go on|yes|ok|sure|do it|fine)\b/i.test(said.trim());
  return agreed ? undefined : { type: 'message', text: 'All right, nothing was done.' };
}

/** A result lists several things that the words fit. */
export function askWhichItem(scene: Scene, known: Known, slot: Slot, items: Item[]): Reply {
  const labels = [...new Set(items.map((i) => i.label.slice(0, 80)))].slice(0, 6);
  const question = `Which one do you mean for ${quote(known.tool.name)}?`;
  if (!scene.canAsk) return { type: 'message', text: `${question} ${listed(labels)}.` };
  return {
    type: 'tool_call',
    name: ASK_USER,
    arguments: { question, choices: labels, tool: known.tool.name, missing: [slot.name] },
  };
}

const SAID = / for “([^”]+)”\. /;

/** Required values that nobody said: named, with the form to fill. */
export function askForValues(
  scene: Scene,
  known: Known,
  missing: Slot[],
  values: ReadonlyMap<Slot, JsonValue>,
  lead = '',
): Reply {
  const names = missing.map((s) => sayName(s.name));
  const choices =
    missing.length === 1 && missing[0]
      ? missing[0].choices.filter((c) => typeof c === 'string').slice(0, 12)
      : [];
  const options = choices.length > 0 ? ` It can be ${listed(choices)}.` : '';
  if (scene.canAsk) {
    return {
      type: 'tool_call',
      name: ASK_USER,
      arguments: {
        question: `${lead}I still need the ${listed(names)} for ${quote(known.tool.name)}.${options}`,
        ...(choices.length > 0 ? { choices } : {}),
        tool: known.tool.name,
        missing: missing.map((s) => s.path.join('.')),
        known: argumentsOf(values),
      },
    };
  }
  const text =
    `I still need the ${listed(names)} for ${quote(known.tool.name)}. ${options.trim()}`.trim();
  return { type: 'message', text: `${text} Tell me, or fill in the tool's form.` };
}

/** The user closed a question of ours: nothing goes on. */
export const closedQuestion = (question: string): string => `I left it at that. ${question}`.trim();

/** An answer that gave no such value: asking the same again would not help. */
export const notUnderstood = (known: Known, missing: Slot[]): string =>
  `I could not read the ${listed(missing.map((s) => sayName(s.name)))} for ${quote(known.tool.name)} from that. Fill in the tool's form instead.`;

/** What an earlier message of ours asked for; `undefined` where it was no question. */
export function readQuestion(reply: string): { tool?: string; missing: string[] } | undefined {
  if (/^(?:I left it at that\. )?Which (?:do you mean|one do you mean)/.test(reply))
    return { missing: [] };
  const need =
    /^(?:I left it at that\. |Nothing was found with “[^”]*”\. )?I still need the (.+?) for “/.exec(
      reply,
    );
  if (!need?.[1] || !SAID.test(reply)) return undefined;
  return { missing: need[1].split(/, | and /).map((n) => n.replaceAll(' ', '_')) };
}
