import type { DialectId } from '../dialect-id';
import type { Marker } from '../markers';
import type { BodyReader } from '../raw-call';

/** One way of writing calls. */
export interface Dialect {
  id: DialectId;
  /** What a well-formed call looks like: goes to a model that wrote an unreadable one. */
  example: string;
  markers: readonly Marker[];
  /** Reads what stands in a call of this dialect; `undefined` when it is written in another's form. */
  read: BodyReader;
}
