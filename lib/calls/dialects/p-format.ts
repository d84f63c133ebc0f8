import { readPFormat } from '../p-format';
import type { Dialect } from './dialect';

/** Arguments by number: about a fifth of the tokens. Stands in another dialect's tags or on a line of its own. */
export const pFormat: Dialect = {
  id: 'p-format',
  example: 'name[0|value|1|value]',
  markers: [],
  read: (body, context) => readPFormat(body.text, context),
};
