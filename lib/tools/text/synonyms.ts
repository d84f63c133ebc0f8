/**
 * English words that ask for the same action or thing of a tool: the everyday vocabulary of software
 * and of what people use it for. Groups stand between slashes; a word may stand in several.
 */
const SYNONYMS = `
cancel close delete remove revoke / delete remove erase discard drop clear purge
cancel stop abort end terminate / create add make new open schedule
create generate produce build make compose / create register signup / write compose draft author
insert add append attach / download fetch get read retrieve / export download save extract
upload import attach / get retrieve obtain lookup check / find discover look lookup query search
find locate seek browse / list browse show display view enumerate / open launch start run
send deliver post publish / send email mail message / share post publish
report submit file create / forward send transfer / update change edit modify set
set configure adjust assign / adjust modify alter revise / replace swap substitute
move transfer relocate / rename retitle / buy purchase order shop acquire / order buy book
book reserve reservation booking appointment / rent lease hire rental / sell sale list
pay payment charge checkout / refund reimburse return / subscribe follow join register enroll
unsubscribe leave unfollow / approve accept confirm authorize / reject decline deny refuse
verify validate check confirm / check inspect examine review / compare versus difference
calculate compute estimate determine evaluate / count number total amount
convert transform translate change / translate translation language
summarize summary synopsis digest abstract recap outline / explain describe clarify
analyze analysis analyse examine evaluate study assess / monitor track watch observe
track trace follow / predict forecast projection
recommend suggest recommendation suggestion advice / rate score rank review
plan organize arrange schedule itinerary / remind reminder alert notification notify
alarm alert timer / play listen stream / watch view stream / pause stop hold
record capture log / draw sketch illustrate paint / design create layout / solve answer resolve
fix repair resolve correct / improve enhance optimize optimise
rewrite paraphrase rephrase polish proofread / edit crop retouch / lock secure
login signin authenticate / logout signout / enable activate / disable deactivate
increase raise boost / decrease reduce lower / start begin initiate / finish complete
connect link join / assign allocate delegate / filter narrow refine / sort order rank
scan read parse / available availability free / conversation message chat / chat talk converse
document file page / file document attachment / note memo / picture image photo photograph
video clip footage / film movie cinema / song music track tune / audio sound
actor cast star starring / director directed filmmaker / singer artist band musician
book novel / article story post / paper article publication / news headline
meeting event appointment / event happening / task todo ticket / issue bug problem ticket
bug defect error / error exception failure / person contact people / user account member profile
customer client buyer / employee worker staff
company business firm organization corporation enterprise / shop store retailer
product item goods merchandise / price cost fee charge
cheap affordable inexpensive budget discount
discount deal coupon promo promotion offer bargain / invoice bill receipt / money cash funds
salary wage income pay / tax taxation / loan mortgage credit
job position vacancy employment career work / resume cv / house home property residence
apartment flat condo condominium / hotel lodging accommodation stay room
flight plane airline airfare / trip travel journey vacation holiday tour
cab taxi ride rideshare / car vehicle automobile auto / bus coach / train rail railway
route direction path navigation / map location place / location place address position
near nearby close around closest nearest / city town / country nation / restaurant diner eatery
food meal dish cuisine / recipe cooking cook / drink beverage / doctor physician clinician
medicine drug medication pharmaceutical / disease illness condition / symptom sign
hospital clinic / workout exercise training fitness / diet nutrition
class course lesson training / teacher instructor tutor / student pupil learner
school university college / exam test quiz / weather climate forecast
rain precipitation rainfall / temperature heat / site website webpage / link url
picture illustration drawing / chart graph plot diagram visualization / table spreadsheet sheet
report statement / data dataset information / info information detail / statistics stats metric
database db / code source program programming / repository repo / folder directory
password passcode credential / key token / image logo icon / color colour / size dimension
date day / time hour / current latest recent now today / quick fast rapid / big large
phone mobile cellphone smartphone telephone / email mail inbox / team group
lawyer attorney legal / law legislation regulation legal / crime criminal / court case lawsuit
game gaming / match fixture / score result / sport sports / pet animal / gift present
joke humor funny / poem poetry / quote quotation / definition meaning define / synonym thesaurus
horoscope astrology zodiac / holiday festival / kid child children / woman female / man male
old previous past historical history / begin start / error fault / earthquake quake seismic
charity donation donate / cart basket bag / package parcel shipment delivery
deliver delivery ship shipping / cheap cheapest lowest / newest latest recent
nearest closest near / oldest earliest / lamp light bulb / volume loud louder quiet quieter mute
brightness dim brighten / turn switch toggle / pick choose select / tick complete done finish
query statement select / sum add total / multiply times product / divide quotient division
subtract minus difference / average mean / random shuffle / root sqrt / prime factor
unit measurement conversion / length distance / weight mass / speed velocity / capital city
population inhabitants / holiday vacation leave / absence leave vacation / candidate applicant
interview appointment / manager supervisor / deadline due / priority urgency severity
label tag / comment reply feedback / feedback review opinion / like favorite favourite
rating stars score / vote poll survey / question ask query / answer reply respond
quiz trivia test / dictionary definition word / grammar spelling proofread / essay text
blog article post / tweet post / follower subscriber / playlist mix / podcast episode
lyrics words / series show tv / theater theatre cinema / museum exhibition gallery
attraction sight landmark / beach coast / mountain hike trail / airport terminal
passenger traveler guest / seat place / suitcase luggage baggage / visa passport
currency rate exchange / rate percentage / profit earnings revenue income
expense spending cost / budget spending / debt loan / balance account
transaction transfer payment / card credit debit / wallet account / bill payment
utility electricity / warranty guarantee / return refund / complaint claim / contract agreement
license permit / patent trademark / police crime / emergency ambulance / vaccine vaccination
allergy allergic / therapy treatment / surgery operation / nurse caregiver
dentist tooth dental / eye vision / heart cardiac / sleep rest / stress anxiety
pregnancy pregnant / calorie nutrition / vegetarian vegan / wine beer drink / coffee cafe
breakfast lunch dinner meal / dish dishes menu / takeaway takeout delivery
hair haircut hairdresser stylist salon barber / beauty cosmetic makeup
clothes clothing apparel fashion outfit / shoe footwear sneaker / jewelry jewellery
furniture sofa chair / garden plant / clean cleaning maid / plumber electrician repair
moving relocation / server host machine instance / deploy release rollout / container image
log logs history / branch commit / merge combine join / split divide separate / test check
endpoint api route / request call / variable parameter / value amount / column field
row record entry / index list / cache memory / backup snapshot / restore recover
sync synchronize / encrypt encryption / decrypt decryption / compress zip archive
hash checksum / upload attach / screenshot capture / scan detect / detect identify recognize
classify categorize / extract parse / clean normalize / embed insert / plot chart graph
train learn / model network / robot machine / device gadget / sensor detector
thermostat heating temperature / camera webcam / printer print / battery charge
screen display monitor / keyboard input / fuel gas petrol gasoline / parking park garage
traffic congestion / accident crash / flood storm disaster / planet star / species animal
plant tree / gene genetic dna / protein enzyme / chemical compound / atom element / energy power
water ocean sea / air atmosphere / pollution emission / waste garbage recycling
farm agriculture crop / soil land / war conflict / president leader / election vote
minister government / church religion / holy sacred / wedding marriage / birthday anniversary
death funeral / name title / age old / insurance coverage policy / stock share equity
crypto cryptocurrency / currency money
`;

/** Words taken for one another. */
export const SYNONYM_GROUPS: readonly (readonly string[])[] = SYNONYMS.trim()
  .split(/ \/ |\n/)
  .map((group) => group.split(' '));

/** For each word the words of its groups, itself excluded. */
export function relateWords(groups: Iterable<readonly string[]>): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const group of groups) {
    for (const word of group) {
      const others = related.get(word) ?? new Set<string>();
      for (const other of group) if (other !== word) others.add(other);
      related.set(word, others);
    }
  }
  return related;
}
