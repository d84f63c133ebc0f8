import { type Listed, textOf } from '../../lib/said/said';
import { Icon } from '../Icon';
import { Told } from '../said';

/** What was cut or left out while the page's tools were collected. */
export function CatalogNotes({ notes }: { notes: readonly Listed[] }) {
  return (
    <>
      {notes.map((note) => (
        <p class="notice" data-level="warning" key={textOf(note)}>
          <Icon name="warning" />
          <Told words={note} />
        </p>
      ))}
    </>
  );
}
