import { freeText, type Scan, take } from './scan';

/**
 * Questions around a thing: "what colours does the trail cap come in", "how much is the beanie". Named
 * group `thing` is what is asked about; the rest is the question.
 */
const FRAMES = [
  /^(?:and\s+)?how (?:much|many|long|big|far|heavy|old|tall|good)\b.{0,40}?\b(?:is|are|does|do|did|was|were|has|have|will|would|for)\s+(?<thing>.+?)(?:\s+(?:cost|costs|weigh|take|takes|last|have|has|left|right now|now|today))*$/i,
  /^(?:and\s+)?(?:what|which)\b.{0,40}?\b(?:does|do|did|has|have)\s+(?<thing>.+?)(?:\s+(?:come in|come with|cost|have|has|weigh|look like|need|take|start|end|open|close|leave|arrive|offer|serve|include|say))+$/i,
  /^(?:and\s+)?(?:what(?:['’]?s| is| are)|tell me|show me|give me)\s+(?:the\s+)?(?:price|cost|colou?rs?|sizes?|details?|status|address|location|rating|reviews?|opening hours|hours|phone(?: number)?|stock|weight|description|material)\s+(?:of|for|on|about)\s+(?<thing>.+)$/i,
  /^(?:and\s+)?(?:when|where|what time)\s+(?:does|do|is|are|did|will)\s+(?<thing>.+?)(?:\s+(?:open|close|start|end|leave|depart|arrive|land|begin|finish|take place|due|located|now|right now))*$/i,
  /^(?:is|are)\s+(?:there\s+)?(?<thing>.+?)\s+(?:in stock|available|still available|free|open|on time|on sale|sold out|good|any good)$/i,
  /^(?:do|does)\s+(?:you|they|the (?:shop|store|site|page))\s+(?:have|sell|stock|carry|offer)\s+(?<thing>.+)$/i,
  /^(?:have you got|got|any)\s+(?<thing>.+?)(?:\s+(?:left|available|in stock))?$/i,
];

/** Takes the words of a question that stand around what it asks about. */
export function takeFrame(scan: Scan): void {
  const text = freeText(scan).replace(/[?!.\s]+$/, '');
  for (const frame of FRAMES) {
    const thing = frame.exec(text)?.groups?.['thing'];
    if (thing === undefined) continue;
    const start = text.lastIndexOf(thing);
    take(scan, 0, start);
    take(scan, start + thing.length, scan.text.length);
    return;
  }
}
