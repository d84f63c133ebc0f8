import type { GivenApproval } from '../../lib/messages/host-api';
import { formatDate, t } from '../text';
import { toolTitle } from '../tool-title';

interface ApprovalsProps {
  approvals: readonly GivenApproval[];
  onRevoke: (id: string) => void;
}

/** What the user allowed for the rest of a chat or on a site, and a way to take it back. */
export function Approvals({ approvals, onRevoke }: ApprovalsProps) {
  return (
    <section class="card" aria-labelledby="options-approvals">
      <h2 id="options-approvals">{t('optionsApprovals')}</h2>
      {approvals.length === 0 && <p class="quiet">{t('approvalsNone')}</p>}
      <ul class="rows">
        {approvals.map((approval) => (
          <li key={approval.id}>
            <span>
              <strong dir="auto">{toolTitle({ name: approval.toolName })}</strong>
              <span class="small-print">
                {[
                  approval.origin,
                  t(approval.conversationId === '' ? 'approvalOfSite' : 'approvalOfChat'),
                  formatDate(approval.at),
                ].join(' · ')}
              </span>
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
