/**
 * English words that say nothing about which tool is meant: function words, and the phrases people
 * wrap a request in ("could you please help me …"). Taken out of requests only, never out of a
 * tool's text, and never when nothing else would remain: a tool may well be called "help".
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    // Function words.
    'a about above after again against all also am an and any are as at be because been before being',
    'below between both but by can cannot could did do does doing down during each either else few for',
    'from further had has have having he her here hers herself him himself his how however i if in into',
    'is it its itself just may me might more most must my myself neither no nor not of off on once one',
    'only onto or other our ours ourselves out over own per shall she should since so some such than that',
    'the their theirs them themselves then there these they this those through thus to too toward towards',
    'under until unto up upon us very via was we were what whatever when where whether which while who',
    'whom whose why will with within without would yet you your yours yourself',
    // Contractions, their apostrophe gone.
    'arent cant couldnt didnt doesnt dont hadnt hasnt havent heres hes id ill im isnt ive lets shes',
    'shouldnt thats theres theyre wasnt werent weve whats wheres whos wont wouldnt youd youll youre youve',
    // The wrapping of a request.
    'get give help hello hey hi kindly know let like looking need please provide re same tell thank',
    'thanks use using want wish',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Words of a request that seldom say which tool is meant, though they may: small numbers, and what
 * people say around the thing they want. They count for less.
 */
export const WEAK_WORDS: ReadonlySet<string> = new Set(
  [
    'one two three four five six seven eight nine ten first second third half couple several',
    'anything everything nothing something somewhere someone anyone everyone thing things stuff',
    'able actually allow appreciate around assist assistance available away aware back best better bring',
    'care certain come consider considering currently curious different easily effective efficient',
    'especially exactly excited experience good great go going hope hoping idea important include including',
    'interested interesting involve kind latest long love lot main many matter mind mood much new nice now',
    'old option options particular perfect possible potential prefer preferably provided put quick quickly',
    'really recent recently related relevant reliable right seem significant similar situation soon',
    'specific specifically start still struggling suggest suggestion suggestions sure take think today trouble',
    'try trying type unique upcoming used useful usually various way ways well whole wonder wondering work',
    'world worth',
  ].flatMap((line) => line.split(' ')),
);
