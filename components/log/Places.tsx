import type { Place } from '../../lib/page/inspector/wire';
import { withoutEnd } from '../../lib/tools/text/cut';
import { t } from '../text';

interface PlaceLinkProps {
  place: Place;
  onOpen: ((place: Place) => void) | undefined;
}

/** A line of code by its file's name; its whole address is the tooltip. */
export function PlaceLink({ place, onOpen }: PlaceLinkProps) {
  const text = placeText(place);
  if (!onOpen) return <span dir="ltr">{text}</span>;
  return (
    <button
      type="button"
      class="link-button place"
      dir="ltr"
      title={`${place.url}:${place.line}:${place.column}`}
      aria-label={t('openPlace', text)}
      onClick={() => onOpen(place)}
    >
      {text}
    </button>
  );
}

interface PlacesProps {
  places: readonly Place[];
  onOpen: ((place: Place) => void) | undefined;
}

/** A call stack, innermost first. */
export function Places({ places, onOpen }: PlacesProps) {
  return (
    <ol class="places">
      {places.map((place, index) => (
        <li key={index}>
          <PlaceLink place={place} onOpen={onOpen} />
          {place.fn && (
            <span class="quiet" dir="ltr">
              {place.fn}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** `file.js:12:5`, with the last part of the path that has a name. */
export function placeText({ url, line, column }: Place): string {
  const path = withoutEnd(url.split(/[?#]/, 1)[0] ?? '', '/');
  const name = path.slice(path.lastIndexOf('/') + 1) || path;
  return `${name.slice(-80)}:${line}:${column}`;
}
