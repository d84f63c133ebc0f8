import { serveReader } from '../../lib/reader/worker';

serveReader(self, async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The reader’s file ${url} is not there (${answer.status}).`);
  return answer.arrayBuffer();
});
