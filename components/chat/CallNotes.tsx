import type { CallCard } from '../../lib/agent/transcript';
import { tell } from '../said';
import { type MessageKey, t } from '../text';
import { asJson } from '../value/as-json';
import { oneLine } from '../value/one-line';

/** What was mended, what could not be checked, and how the approval went. */
export function CallNotes({ call }: { call: CallCard }) {
  const notes = [
    ...call.fixes.map((fix) => t('callFixed', tell(fix))),
    ...call.unchecked.map((what) => t('callUnchecked', tell(what))),
    ...(call.deferred ? [t('callDeferred')] : []),
    ...approvalNote(call),
    ...(call.proposed === undefined ? [] : [t('callEdited', oneLine(asJson(call.proposed), 300))]),
  ];
  if (notes.length === 0) return null;
  return (
    <ul class="call-notes">
      {notes.map((note) => (
        <li key={note} dir="auto">
          {note}
        </li>
      ))}
    </ul>
  );
}

const ANSWERS: Record<'allow' | 'deny', Record<string, MessageKey>> = {
  allow: { user: 'approvedByUser', remembered: 'approvedRemembered', form: 'approvedByForm' },
  deny: { user: 'deniedByUser', stop: 'deniedByStop', navigation: 'deniedByNavigation' },
};

function approvalNote({ approval }: CallCard): string[] {
  if (!approval?.decision || !approval.by) return [];
  const key = ANSWERS[approval.decision][approval.by];
  return key ? [t(key)] : [];
}
