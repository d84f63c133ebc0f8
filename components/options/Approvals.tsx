import type { GivenApproval } from '../../lib/messages/host-api';
import { formatDate, t } from '../text';

interface ApprovalsProps {
  approvals: readonly GivenApproval[];
  onRevoke: (id: string) => void;
}

/** What the user allowed for the rest of a chat, and a way to take it back. */
export function Approvals({ approvals, onRevoke }: ApprovalsProps) {
  return (
    <section class="card" aria-labelledby="options-approvals">
      <h2 id="options-approvals">{t('optionsApprovals')}</h2>
      {approvals.length === 0 && <p class="quiet">{t('approvalsNone')}</p>}
      <ul class="rows">
        {approvals.map((approval) => (
          <li key={approval.id}>
            <span>
              <strong dir="auto">{approval.toolName}</strong>
              <span class="small-print">{`${approval.origin} · ${formatDate(approval.at)}`}</span>
            </span>
            <button
              type="button"
              class="small"
              aria-label={t('revokeOf', approval.toolName)}
              onClick={() => onRevoke(approval.id)}
            >
              {t('revoke')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
