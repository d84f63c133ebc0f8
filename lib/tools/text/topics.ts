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
code programming developer | python javascript java github function debug compile script api algorithm sql
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
unit conversion convert | mile kilometre kilometer meter metre inch foot feet yard pound kilogram gram ounce litre liter gallon celsius fahrenheit
price cost | cheap cheapest expensive affordable budget dollar euro
heating thermostat temperature weather | cold freezing warm hot chilly
medicine medication drug prescription | pill tablet ibuprofen aspirin antibiotic dose dosage pharmacy
doctor appointment health | dr dentist clinic checkup physician
spreadsheet table csv | excel xlsx column row cell
chart plot graph | bar pie histogram scatter line trend
light | dim bright brightness lamp bulb
music audio | hear loud quiet
email mail | reply forward cc attachment newsletter
translate language | say pronounce
order delivery food | takeaway takeout pizza ubereats doordash
cart order | basket mug
file document | word powerpoint slide presentation
presentation slide | powerpoint pitch deck
contact person | phone call number colleague friend
call phone | dial ring voicemail
photo image | selfie filter crop background
money payment | pay cash venmo paypal send owe bucks
subscription plan | monthly cancel renew trial
ticket event | concert festival show theater seat
theater event | play musical concert opera ballet
hair salon stylist | haircut barber hairdresser
beauty product | lipstick skincare makeup perfume
fashion clothing product | outfit dress jacket jeans shirt style wardrobe
attraction travel place | museum park zoo landmark castle visit
traffic route map | commute road highway congestion
ride taxi transport | uber lyft cab pickup
parking car | garage lot space
fuel price | petrol gasoline diesel
electric car charging | ev tesla charger
tree plant garden | flower seed grow lawn
farm agriculture | crop soil harvest irrigation livestock
animal species wildlife | lion elephant bird fish habitat
biology gene genetic | dna chromosome mutation sequence protein
chemistry chemical molecule | acid compound reaction solution
physics | velocity acceleration force mass gravity momentum
statistics probability | mean median variance distribution regression correlation
machine learning model | train dataset neural classifier prediction
robot automation | sensor actuator drone
manufacturing production factory | assembly inventory warehouse supplier
inventory stock warehouse | quantity item supply product
employee hr staff | payroll leave attendance onboarding
meeting call video | zoom teams webex conference
project management task | milestone sprint kanban jira backlog
customer crm sales | lead pipeline hubspot salesforce prospect
advertising campaign marketing | ad ads banner audience
survey feedback | poll questionnaire respondent
password login account security | forgot reset signin
file storage cloud | drive dropbox folder share
backup storage | snapshot restore
version code repository | git github commit branch pull merge
container deploy | docker kubernetes pod
website performance | speed load lighthouse
accessibility | wcag contrast reader
font design | typography
icon logo design | brand branding vector
video edit | trim cut subtitle caption
voice audio speech | transcribe transcript speak dictation
story fiction writing | novel plot character fairy
poem writing | verse haiku rhyme sonnet
birthday party event | celebrate invitation
wedding event | bride venue
immigration visa travel | embassy border
law court legal | judge trial jury sue verdict
crime police safety | theft robbery burglary murder
disaster earthquake emergency | flood hurricane wildfire tsunami volcano
war military history | army battle soldier weapon
philosophy ethics | moral ethical virtue
psychology mental health | anxiety depression stress therapy mindfulness
sleep health | insomnia nap
diet nutrition food | weight lose calorie keto
allergy health | pollen peanut
pregnancy health | baby maternity
parenting child | toddler baby diaper
university education admission | degree college scholarship campus tuition
exam test education | quiz grade score
flashcard learn language | vocabulary
career resume job | cv cover linkedin
freelance job | gig contractor
salary job income | wage compensation
bank loan mortgage finance | borrow interest credit lender
retirement investment finance | pension savings
budget expense finance | spend saving afford
accounting invoice finance | bookkeeping ledger receipt
donation charity | nonprofit volunteer fundraise
real estate property | listing square acreage realtor
interior design home | decor furniture renovate
cleaning service home | maid housekeeping laundry iron
repair service | plumber electrician broken fix
moving service | mover relocate haul
pet animal care | groom walk leash
dream meaning | nightmare
number random | dice coin flip
game chess | checkmate opening
game pokemon | pikachu
anime show | manga
comic book | superhero marvel
celebrity person news | famous
`;

export interface Topic {
  readonly subjects: readonly string[];
  /** Words that point to the subjects. */
  readonly signs: readonly string[];
}

export const TOPIC_GROUPS: readonly Topic[] = TOPICS.trim()
  .split('\n')
  .map((line) => {
    const [subjects = '', signs = ''] = line.split(' | ');
    return { subjects: subjects.split(' '), signs: signs.split(' ') };
  });
