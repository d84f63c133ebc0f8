import { shownName } from '../../lib/tools/text/untrusted';

interface ToolSourceProps {
  origin: string;
  /** As the page wrote it. */
  name: string;
  id?: string;
}

/**
 * Whose tool it is, by the browser's word, then what the page calls it. Each stands on a line of its
 * own and apart from the other's direction: a name must not be read as part of the origin.
 */
export function ToolSource({ origin, name, id }: ToolSourceProps) {
  return (
    <div class="tool-source" id={id}>
      <p class="tool-origin" data-testid="tool-origin">
        <bdi dir="ltr">{origin}</bdi>
      </p>
      <p class="tool-name">
        <bdi>{shownName(name)}</bdi>
      </p>
    </div>
  );
}
