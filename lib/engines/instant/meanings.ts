import { almostSame, stem } from './words';

/**
 * What a request or a tool does, coarse enough to tell "cancel a flight" from "book a flight" when
 * every other word is the same.
 */
export type Action =
  | 'find'
  | 'show'
  | 'open'
  | 'compare'
  | 'add'
  | 'create'
  | 'book'
  | 'buy'
  | 'cancel'
  | 'remove'
  | 'update'
  | 'set'
  | 'move'
  | 'send'
  | 'reply'
  | 'forward'
  | 'pay'
  | 'finish'
  | 'assign'
  | 'save'
  | 'rate'
  | 'vote'
  | 'follow'
  | 'report'
  | 'apply'
  | 'lock'
  | 'start'
  | 'stop'
  | 'filter'
  | 'sort'
  | 'archive'
  | 'return';

const ACTIONS: Record<Action, string> = {
  find: 'find search look lookup browse seek discover locate query suggest recommend explore hunt need',
  show: 'show open list view display see get check read tell fetch give what which who when where how status summary overview pull retrieve many much details detail info track history result estimate calculate compute convert translate',
  open: 'open visit navigate goto enter jump page',
  compare: 'compare comparison versus vs difference',
  add: 'add put insert include append throw pop stick toss chuck',
  create:
    'create make new draft compose write generate raise file register submit open post publish log start invite',
  book: 'book reserve booking reservation schedule appointment arrange plan hold seat grab',
  buy: 'buy purchase order checkout place',
  cancel: 'cancel cancellation abort revoke call-off withdraw undo refund',
  remove: 'remove delete clear drop discard trash erase empty rid bin take',
  update: 'update change edit modify rename adjust correct reschedule replace amend switch',
  set: 'set turn switch toggle dim brighten raise lower increase decrease adjust enable disable activate deactivate change make warm cool',
  move: 'move drag shift put relocate transition pull push',
  send: 'send post mail email message text share tell contact notify write dispatch transfer wire',
  reply: 'reply respond answer response comment',
  forward: 'forward pass',
  pay: 'pay payment settle transfer wire send checkout',
  finish: 'checkin finish complete close done mark resolve solve tick check',
  assign: 'assign give delegate hand allocate reassign',
  save: 'save bookmark favorite favourite star pin keep wishlist remember',
  rate: 'rate review score rating stars feedback',
  vote: 'vote upvote downvote like dislike poll thumb',
  follow: 'follow subscribe watch unfollow unsubscribe alert notify',
  report: 'report flag block dispute complain',
  apply: 'apply redeem use coupon code',
  lock: 'lock unlock freeze unfreeze arm disarm secure',
  start: 'start run play begin launch activate trigger resume',
  stop: 'stop pause halt end mute silence quit',
  filter: 'filter narrow only limit restrict',
  sort: 'sort order arrange rank',
  archive: 'archive snooze label',
  return: 'return exchange',
};

const BY_STEM = new Map<string, Set<Action>>();
for (const [action, words] of Object.entries(ACTIONS) as [Action, string][]) {
  for (const word of words.split(' ')) {
    const key = stem(word);
    const known = BY_STEM.get(key);
    if (known) known.add(action);
    else BY_STEM.set(key, new Set([action]));
  }
}

/** Deeds that people and pages do not keep apart: a page may `add` what a person creates. */
const NEAR: [Action, Action][] = [
  ['add', 'create'],
  ['add', 'save'],
  ['book', 'buy'],
  ['book', 'create'],
  ['buy', 'pay'],
  ['set', 'update'],
  ['update', 'move'],
  ['set', 'move'],
  ['cancel', 'remove'],
  ['reply', 'send'],
  ['forward', 'send'],
  ['finish', 'update'],
  ['archive', 'move'],
];

export const isNear = (a: Action, b: Action): boolean =>
  NEAR.some(([x, y]) => (x === a && y === b) || (x === b && y === a));

const READING: ReadonlySet<Action> = new Set(['find', 'show', 'open', 'compare', 'filter', 'sort']);

const NONE: ReadonlySet<Action> = new Set();

/** The actions a word may stand for; empty for a word that names a thing. "Reorder" is to order. */
export const actionsOf = (wordStem: string): ReadonlySet<Action> =>
  BY_STEM.get(wordStem) ??
  (wordStem.startsWith('re') && wordStem.length > 5 ? BY_STEM.get(wordStem.slice(2)) : undefined) ??
  NONE;

/** The verb a mistyped word was meant to be; `undefined` where it is a word of its own. */
export function meantVerb(word: string): string | undefined {
  if (word.length < 5 || actionsOf(stem(word)).size > 0) return undefined;
  return COMMON.find((verb) => almostSame(verb, word));
}
const COMMON =
  'search cancel reserve remove delete create update change transfer order track compare subscribe archive assign forward schedule purchase'.split(
    ' ',
  );

export const isReading = (action: Action): boolean => READING.has(action);

/** Everyday words for one thing; a request may use one and a tool another. */
const SAME = [
  'cart basket trolley',
  'product item article good merchandise',
  'catalogue catalog range assortment',
  'flight fly plane airfare fare',
  'hotel room stay accommodation lodging suite',
  'film movie',
  'light lamp bulb lighting',
  'thermostat temperature heating heat degree warm cool',
  'email mail message inbox letter',
  'recipe dish meal cook dinner lunch',
  'doctor physician gp practitioner clinician',
  'appointment visit slot consultation',
  'thread topic discussion conversation',
  'post message comment',
  'account balance',
  'transaction payment statement spending spent',
  'money cash fund',
  'task card ticket issue todo',
  'board kanban',
  'direction route way path',
  'place poi spot',
  'info information detail data',
  'picture photo image',
  'price cost',
  'shipping delivery',
  'person people guest adult passenger traveller traveler attendee',
  'phone mobile cell',
  'ticket seat',
  'concert show gig event performance',
  'prescription medicine medication drug refill',
  'password passcode pin',
  'user member profile',
  'bag luggage suitcase baggage',
  'rating star score',
  'coupon voucher discount promo code',
  'wishlist favourite favorite',
  'blind shade shutter curtain',
  'alarm security',
  'column stage lane status list',
  'payee recipient beneficiary',
  'shopping grocery',
  'near nearby around close',
];
const GROUPS = new Map<string, number[]>();
SAME.forEach((line, group) => {
  for (const word of line.split(' ')) {
    const key = stem(word);
    GROUPS.set(key, [...(GROUPS.get(key) ?? []), group]);
  }
});

/** Other everyday words for a thing. */
export const otherWords = (wordStem: string): string[] =>
  (GROUPS.get(wordStem) ?? []).flatMap((group) =>
    (SAME[group] ?? '').split(' ').filter((w) => stem(w) !== wordStem),
  );

/** True where two stems are everyday words for the same thing. */
export function sameThing(a: string, b: string): boolean {
  if (a === b) return true;
  const mine = GROUPS.get(a);
  const other = GROUPS.get(b);
  return mine !== undefined && other !== undefined && mine.some((group) => other.includes(group));
}

/** Words for one choice; used to read an enum value from other words than its own. */
const CHOICES = [
  'low lowest minor small minimal unimportant',
  'medium normal average mid middle moderate standard regular',
  'high important major big top highest',
  'urgent critical asap emergency blocker highest',
  'small s little tiny',
  'medium m',
  'large l big',
  'xl extralarge',
  'economy coach cheap',
  'business',
  'first',
  'asc ascending cheapest lowest low',
  'desc descending expensive highest dearest',
  'price_asc cheapest lowest cheap low',
  'price_desc expensive highest dearest priciest',
  'rating rated best top stars reviewed',
  'newest latest recent new date fresh',
  'oldest earliest',
  'distance nearest closest near close',
  'relevance relevant',
  'duration fastest quickest shortest',
  'walking walk foot pedestrian',
  'driving drive car auto',
  'cycling bike bicycle cycle bicycling biking',
  'transit bus train public metro tram subway',
  'on enable enabled active',
  'off disable disabled inactive out disarm',
  'vegetarian veggie meatless meat-free',
  'vegan plant-based',
  'gluten-free gluten_free glutenfree coeliac celiac',
  'done finished complete completed closed',
  'doing progress wip started ongoing in_progress active',
  'todo backlog open pending',
  'return round roundtrip round_trip round-trip',
  'oneway one_way one-way single',
  'male man men mens',
  'female woman women womens ladies',
  'kids kid child children',
  'weekly week every-week',
  'monthly month every-month',
  'daily day every-day',
  'checking current giro',
  'savings saving',
  'credit card',
  'up increase raise higher upvote',
  'down decrease lower downvote',
  'unread new unopened',
  'starred favourite favorite flagged',
  'spam junk',
  'trash bin deleted',
  'video online remote virtual',
  'phone telephone call',
  'in_person person office face',
  'morning am',
  'afternoon pm',
  'double couple',
  'grey gray',
  'cool cold',
  'warm heat heating hot',
  'home arm_home stay',
  'away out arm_away gone',
  'breakfast brunch morning',
  'dinner supper evening',
  'dessert sweet pudding',
  'pets pet dog cat animal',
  'parking park car garage',
];
const CHOICE_GROUPS = CHOICES.map((line) => new Set(line.split(' ')));

/** Words that mean the same choice as `value`, the value itself not among them. */
export function choiceSynonyms(value: string): Set<string> {
  const key = value.toLowerCase();
  const out = new Set<string>();
  for (const group of CHOICE_GROUPS) {
    if (!group.has(key)) continue;
    for (const word of group) if (word !== key) out.add(word);
  }
  return out;
}
