/**
 * English words that ask for the same action or thing of a tool, a group a line: the everyday
 * vocabulary of software at large. A word may stand in several groups.
 */
const SYNONYMS = `
cancel close delete remove revoke
delete remove erase discard drop clear purge
cancel stop abort end terminate
create add make new open schedule
create generate produce build make compose
create register signup
write compose draft author
insert add append attach
download fetch get read retrieve
export download save extract
upload import attach
get retrieve obtain lookup check
find discover look lookup query search
find locate seek browse
list browse show display view enumerate
open launch start run
send deliver post publish
send email mail message
share post publish
forward send transfer
update change edit modify set
set configure adjust assign
adjust modify alter revise
replace swap substitute
move transfer relocate
rename retitle
buy purchase order shop acquire
order buy book
book reserve reservation booking appointment
rent lease hire rental
sell sale list
pay payment charge checkout
refund reimburse return
subscribe follow join register enroll
unsubscribe leave unfollow
approve accept confirm authorize
reject decline deny refuse
verify validate check confirm
check inspect examine review
compare versus difference
calculate compute estimate determine evaluate
count number total amount
convert transform translate change
translate translation language
summarize summary synopsis digest abstract recap outline
explain describe clarify
analyze analysis analyse examine evaluate study assess
monitor track watch observe
track trace follow
predict forecast projection
recommend suggest recommendation suggestion advice
rate score rank review
plan organize arrange schedule itinerary
remind reminder alert notification notify
alarm alert timer
play listen stream
watch view stream
pause stop hold
record capture log
draw sketch illustrate paint
design create layout
solve answer resolve
fix repair resolve correct
improve enhance optimize optimise
rewrite paraphrase rephrase polish proofread
edit crop retouch
lock secure
login signin authenticate
logout signout
enable activate
disable deactivate
increase raise boost
decrease reduce lower
start begin initiate
finish complete
connect link join
assign allocate delegate
filter narrow refine
sort order rank
scan read parse
available availability free
conversation message chat
chat talk converse
document file page
file document attachment
note memo
picture image photo photograph
video clip footage
film movie cinema
song music track tune
audio sound
actor cast star starring
director directed filmmaker
singer artist band musician
book novel
article story post
paper article publication
news headline
meeting event appointment
event happening
task todo ticket
issue bug problem ticket
bug defect error
error exception failure
person contact people
user account member profile
customer client buyer
employee worker staff
company business firm organization corporation enterprise
shop store retailer
product item goods merchandise
price cost fee charge
cheap affordable inexpensive budget discount
discount deal coupon promo promotion offer bargain
invoice bill receipt
money cash funds
salary wage income pay
tax taxation
loan mortgage credit
job position vacancy employment career work
resume cv
house home property residence
apartment flat condo condominium
hotel lodging accommodation stay room
flight plane airline airfare
trip travel journey vacation holiday tour
cab taxi ride rideshare
car vehicle automobile auto
bus coach
train rail railway
route direction path navigation
map location place
location place address position
near nearby close around closest nearest
city town
country nation
restaurant diner eatery
food meal dish cuisine
recipe cooking cook
drink beverage
doctor physician clinician
medicine drug medication pharmaceutical
disease illness condition
symptom sign
hospital clinic
workout exercise training fitness
diet nutrition
class course lesson training
teacher instructor tutor
student pupil learner
school university college
exam test quiz
weather climate forecast
rain precipitation rainfall
temperature heat
site website webpage
link url
picture illustration drawing
chart graph plot diagram visualization
table spreadsheet sheet
report statement
data dataset information
info information detail
statistics stats metric
database db
code source program programming
repository repo
folder directory
password passcode credential
key token
image logo icon
color colour
size dimension
date day
time hour
current latest recent now today
quick fast rapid
big large
phone mobile cellphone smartphone telephone
email mail inbox
team group
lawyer attorney legal
law legislation regulation legal
crime criminal
court case lawsuit
game gaming
match fixture
score result
sport sports
pet animal
gift present
joke humor funny
poem poetry
quote quotation
definition meaning define
synonym thesaurus
horoscope astrology zodiac
holiday festival
kid child children
woman female
man male
old previous past historical history
begin start
error fault
earthquake quake seismic
charity donation donate
insurance coverage policy
stock share equity
crypto cryptocurrency
currency money
`;

/**
 * What a thing is about: the words after the bar make one think of those before it, not the other way
 * round. A tool is described by its subject ("crypto prices"), a request by an instance ("bitcoin").
 */
const TOPICS = `
crypto cryptocurrency coin blockchain finance | bitcoin btc ethereum eth litecoin dogecoin solana nft wallet defi
finance financial investment market stock | stock share etf bond nasdaq dow portfolio invest investing investor dividend equity trading trader ticker earning forex hedge fund crypto
currency exchange convert | dollar usd euro eur yen jpy pound gbp rupee inr yuan cny franc peso forex
bank account payment | deposit withdraw iban transfer balance debit
tax | vat irs deduction
house property estate housing | mortgage bedroom condo condominium apartment realtor rent tenant landlord villa townhouse buy
travel trip tour | flight hotel vacation holiday itinerary airport sightseeing tourist tourism destination passport visa luggage cruise resort backpacking
flight airline airport | fly flying boarding departure arrival layover plane
hotel accommodation booking | stay overnight hostel airbnb inn suite checkin
restaurant food dining | eat dinner lunch breakfast brunch sushi pizza burger pasta cuisine hungry reservation vegan
food recipe nutrition | meal ingredient cook bake calorie vegetarian vegan protein dish
weather forecast | rain snow sunny cloudy umbrella temperature humidity storm wind hurricane degree celsius fahrenheit
map location navigation | direction route nearby distance navigate street address latitude longitude gps
car vehicle | drive driving sedan suv dealership mileage fuel truck tesla parking
music song | listen album playlist lyric concert singer band spotify guitar genre melody artist
movie film video show | watch cinema actor documentary netflix series theater trailer comedy drama imdb episode tv
video | youtube vimeo clip documentary footage vlog
game | play chess player gaming puzzle steam console
sport match game team | football soccer basketball baseball tennis cricket nba nfl league player championship olympic tournament
health medical | doctor symptom disease pain headache fever patient treatment diagnosis medicine hospital illness mental
fitness workout exercise | gym muscle weight chest biceps squat cardio yoga strength abs training
shopping product buy store | laptop phone headphone shoe backpack dress clothes smartphone camera gadget amazon brand furniture purchase cart toy
job career employment | resume hire hiring interview salary recruiter vacancy internship position remote
learn course education | study lesson class school student university tutorial teach exam homework lecture curriculum
research paper academic scientific | arxiv thesis dissertation literature study scholar journal pubmed citation scientist
news | headline politics current election president government breaking journalist
law legal | lawyer attorney contract lawsuit court statute patent trademark copyright
document pdf file | ebook manuscript contract page paper report
text writing | essay paragraph grammar sentence blog letter article email copywriting spelling
image picture | photo drawing logo wallpaper portrait painting poster art
art | painting museum gallery artist sculpture
website web page url | site domain html webpage seo browser hosting internet online
seo marketing content | keyword ranking blog audience campaign advertising brand traffic
code programming developer | python javascript java github function debug compile script api algorithm sql bug
database sql query | table schema column row postgres mysql record
data analytics | chart graph statistic dashboard metric dataset csv
company business | corporation startup ceo revenue competitor firm industry enterprise shareholder
email message | inbox gmail outlook recipient subject
message chat | slack sms whatsapp telegram text channel conversation
calendar event schedule | meeting appointment tomorrow agenda reschedule availability monday tuesday wednesday thursday friday saturday sunday
reminder todo task note | remember memo checklist deadline list
math calculate calculation | equation multiply divide sum integral derivative algebra geometry square root percent
language translate | french spanish german chinese japanese italian korean english portuguese arabic hindi russian
astrology horoscope | zodiac aries taurus gemini leo virgo libra scorpio sagittarius capricorn aquarius pisces birth star
tarot fortune | card reading future psychic
gift | birthday present anniversary christmas
pet animal | dog cat puppy kitten vet
child kid education | toddler baby parent preschool
real time live | current now today latest
security password | hack malware virus phishing breach vulnerability encrypt
network server | ip dns router latency host port
cloud | aws azure gcp kubernetes docker deploy
library book | novel author reading isbn literature bestseller
space astronomy | planet mars nasa star galaxy telescope moon rover
science | physics chemistry biology experiment molecule atom
history historical | century war ancient empire king revolution
religion | bible church prayer quran god spiritual
government politics | election senate congress parliament vote policy minister president
environment climate | carbon pollution emission sustainability renewable
energy | solar electricity power battery gas oil
transport transit | bus train subway metro tram commute
delivery shipping package | parcel courier shipment tracking order
insurance | claim premium policy coverage
social media | instagram twitter facebook tiktok linkedin influencer hashtag follower
smart home device | light thermostat lamp alarm speaker
joke fun | laugh funny meme humor
quote inspiration | motivational inspire
domain | website dns whois
qr code | scan barcode
date time | today tomorrow yesterday timezone clock
`;

type Groups = readonly (readonly string[])[];

const lines = (text: string): string[] => text.trim().split('\n');

/** Words taken for one another. */
export const SYNONYM_GROUPS: Groups = lines(SYNONYMS).map((line) => line.split(' '));

/** Subjects, and words that point to them. */
export const TOPIC_GROUPS: readonly { subjects: readonly string[]; signs: readonly string[] }[] =
  lines(TOPICS).map((line) => {
    const [subjects = '', signs = ''] = line.split(' | ');
    return { subjects: subjects.split(' '), signs: signs.split(' ') };
  });

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
