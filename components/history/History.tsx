import { useState } from 'preact/hooks';
import type { ConversationInfo } from '../../lib/messages/host-api';
import { IconButton } from '../controls';
import { OpenFile, withText } from '../OpenFile';
import { formatDate, plural, t } from '../text';

export interface HistoryIntents {
  search: (text: string) => void;
  open: (conversationId: string) => void;
  rename: (conversationId: string, title: string) => void;
  remove: (conversationId: string) => void;
  export: (conversationId: string, format: 'markdown' | 'json') => void;
  import: (text: string) => void;
}

interface HistoryProps {
  conversations: readonly ConversationInfo[];
  currentId: string | undefined;
  intents: HistoryIntents;
  onClose: () => void;
}

/** Earlier conversations: search, open, rename, delete, export, import. */
export function History({ conversations, currentId, intents, onClose }: HistoryProps) {
  const [search, setSearch] = useState('');
  return (
    <section class="history" aria-labelledby="history-title">
      <div class="bar">
        <h2 id="history-title">{t('history')}</h2>
        <OpenFile
          icon="import"
          label={t('import')}
          class="small"
          onFiles={withText(intents.import)}
        />
        <IconButton icon="close" label={t('close')} onClick={onClose} />
      </div>
      <input
        type="search"
        aria-label={t('historySearch')}
        placeholder={t('historySearch')}
        value={search}
        onInput={(event) => {
          setSearch(event.currentTarget.value);
          intents.search(event.currentTarget.value);
        }}
      />
      {conversations.length === 0 && <p class="quiet">{t('historyEmpty')}</p>}
      <ul class="conversations">
        {conversations.map((info) => (
          <li key={info.id} aria-current={info.id === currentId ? 'true' : undefined}>
            <Row info={info} intents={intents} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ info, intents }: { info: ConversationInfo; intents: HistoryIntents }) {
  const [title, setTitle] = useState<string | null>(null);
  const [deleting, setDeleting] = useState(false);
  if (title !== null) {
    return (
      <form
        class="rename"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim() !== '') intents.rename(info.id, title.trim());
          setTitle(null);
        }}
      >
        <input
          aria-label={t('renameTitle')}
          value={title}
          maxLength={200}
          dir="auto"
          ref={(element) => element?.focus()}
          onInput={(event) => setTitle(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            setTitle(null);
          }}
        />
        <button type="submit" class="small primary">
          {t('save')}
        </button>
      </form>
    );
  }
  return (
    <>
      <button type="button" class="conversation" onClick={() => intents.open(info.id)}>
        <span class="conversation-title" dir="auto">
          {info.title || t('untitled')}
        </span>
        <span class="small-print">
          {[
            ...(info.interrupted ? [t('interrupted')] : []),
            formatDate(info.updatedAt),
            plural('turns', info.turns),
            info.origin,
          ].join(' · ')}
        </span>
      </button>
      {deleting ? (
        <div class="buttons">
          <span>{t('deleteSure')}</span>
          <button type="button" class="small" onClick={() => setDeleting(false)}>
            {t('cancel')}
          </button>
          <button type="button" class="small danger" onClick={() => intents.remove(info.id)}>
            {t('delete')}
          </button>
        </div>
      ) : (
        <div class="row-actions">
          <IconButton icon="edit" label={t('rename')} onClick={() => setTitle(info.title)} />
          <button type="button" class="small" onClick={() => intents.export(info.id, 'markdown')}>
            {t('exportMarkdown')}
          </button>
          <button type="button" class="small" onClick={() => intents.export(info.id, 'json')}>
            {t('exportJson')}
          </button>
          <IconButton icon="delete" label={t('delete')} onClick={() => setDeleting(true)} />
        </div>
      )}
    </>
  );
}
