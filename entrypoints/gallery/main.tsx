import { applyAppearance, mount } from '../../components/mount';
import { STATES } from './states/all';
import { streamingPanel } from './stream';

/**
 * Every view in every state, over recorded events, as a plain page: no extension, no browser API.
 * `?state=panel-done&theme=dark&lang=de` shows one; without a state, the list of all.
 */
async function start(): Promise<void> {
  const query = new URLSearchParams(location.search);
  const theme = query.get('theme');
  await applyAppearance({ theme: theme === 'dark' || theme === 'light' ? theme : 'system' }, [
    query.get('lang') ?? 'en',
  ]);
  const stream = query.get('stream');
  if (stream !== null) return mount(streamingPanel(Number(stream))());
  const name = query.get('state');
  const view = name !== null && Object.hasOwn(STATES, name) ? STATES[name]?.() : <Index />;
  mount(view);
}

function Index() {
  return (
    <ul id="states">
      {Object.keys(STATES).map((name) => (
        <li key={name}>
          <a href={`?state=${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

start().catch((error: unknown) => {
  document.body.textContent = String(error);
});
