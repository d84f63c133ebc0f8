import { setTexts } from '../../../components/text';
import english from '../../../public/_locales/en/messages.json';

/** Puts the English texts in use, as the loader does in a page. */
export function speakEnglish(): void {
  setTexts('en', english);
}
