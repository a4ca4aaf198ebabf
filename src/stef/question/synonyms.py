"""Everyday English paraphrases and abbreviations, as stems. General English only: nothing from one database."""

from functools import cache

from stef.question.stemming import stem

GENERIC: frozenset[str] = frozenset(
    {"id", "name", "code", "no", "number", "key", "titl", "type", "descript", "valu", "flag", "indic", "detail", "info"}
)
"""Stems that name a kind of column, not what it is about."""

_SAME = 0.85
_STANDS_FOR = 0.8
_SHORT_FOR = 0.95

# Words that stand for one another, in a question and in an identifier alike.
_GROUPS = """
age old years
salary pay wage earnings income compensation earn
price cost charge fee rate fare
revenue sales turnover income
amount sum value total
quantity amount units volume count
buy purchase order
sell sale
customer client buyer consumer shopper
vendor supplier seller provider
employee staff worker personnel
manager supervisor boss head
company firm business corporation enterprise organization employer
department division unit
person people individual human
child kid
student pupil learner
teacher instructor professor lecturer tutor faculty
doctor physician
patient case
user member account
author writer
artist singer musician performer
film movie picture
song track
show program series
game match
team club squad
player athlete sportsman
competition contest tournament championship event
win victory
loss defeat lose
score point mark grade
rating score rank stars
grade level class
rank position place standing
city town municipality
country nation
state province
region area territory zone
location place position site venue
address street location
continent region
language tongue
nationality citizenship country
birth born birthday dob birthdate
death died dead
gender sex
spouse wife husband partner
weight mass heavy
height tall elevation
length long duration distance
duration length time runtime
width wide breadth
size area dimension
area size surface
depth deep
speed fast velocity pace
horsepower power
temperature hot cold warm
population inhabitants residents people
start begin open commence from
end finish close stop until
found establish create
create make build produce
produce manufacture make
release publish issue launch
publish release print
join enter enroll enlist
enroll register attend
attend visit participate
leave depart quit resign
depart leave departure
arrive arrival reach land
origin source departure start from
destination target arrival to
status state condition
type kind category sort class genre
category kind class group type
genre type category style
brand make manufacturer maker
maker manufacturer producer brand
model version
product item good article
item product article
description detail comment note text
comment remark note review
title name heading
name title label
email mail
phone telephone cell mobile contact
website url site web link homepage
id identifier number code key
code id abbreviation symbol
abbreviation code short
number id count
date day time when
year date
time hour date
month date
color hue
race ethnicity
job occupation profession position role work title
position role job title
role position function
school college university institution
college university school
course class subject module
major subject field degree
degree qualification
exam test
hospital clinic
medicine drug medication
disease illness diagnosis condition
car vehicle automobile auto
vehicle car truck
airplane plane aircraft
airline carrier
ship vessel boat
train railway rail
station stop
flight trip
driver racer
road street
room apartment flat
house home property building
building property
owner holder possessor own
capacity seats maximum size
money cash fund
budget fund money
profit gain margin earnings
debt loan liability
loan credit
bank financial
balance amount
payment pay transaction
transaction payment transfer
invoice bill
discount reduction rebate
tax duty vat
currency money
percentage share ratio proportion percent
ratio proportion share rate
average mean
maximum highest most
minimum lowest least
difference gap change
increase growth rise
decrease drop decline fall reduction
ship deliver send
delivery shipment shipping
stock inventory
store shop outlet branch
restaurant diner eatery
food meal dish
hotel inn lodging
reservation booking
ticket pass
vote ballot poll
party group
leader head chief president
president head leader
chairman chair president
member participant
participant contestant competitor
contestant candidate participant
audience viewer attendance
attendance audience visitors crowd
viewer audience watcher
review rating comment opinion
post message article
message text post
document file paper
paper article publication
book publication volume
page sheet
link url
picture photo image
photo picture image
view visit watch
like favorite prefer
favorite like preferred
popular famous common
reputation fame prestige
active enabled current live
inactive disabled closed
current present now active
previous former prior last
former previous past
first initial given
given first
last family surname
surname family last
middle second
full complete whole
complete finish done
successful success
failure fail error
error fault failure
cancel void
return refund
complaint issue grievance
problem issue fault
reason cause purpose
result outcome finish
outcome result
winner champion win
loser lose
opponent rival against
home local
away visitor guest
guest visitor
foreign overseas abroad
domestic local national
public open
private closed
legal lawful
crime offense
accident crash incident
injury wound
insurance policy cover
claim request
request ask
permission right access
skill ability expertise
ability skill power
experience practice
hire employ recruit start
fire dismiss terminate
retire pension
marry wedding spouse
parent father mother
pet animal
animal creature pet
breed race kind
species kind
plant tree
fruit crop
weather climate
rain precipitation
wind gust
mountain peak hill
river stream
lake water
island isle
latitude lat
longitude lng long
near close distance
district area county borough
county district region
neighborhood district area
zip postal postcode
capital city
theme topic subject
topic subject theme
subject topic course
material fabric
ingredient component
component part
part component piece
version edition release
edition version issue
series sequence season
season year
episode part
channel station network
network channel
director filmmaker
actor cast performer
cast actor role
character role figure
award prize medal
prize award
medal award
goal target
target goal
free gratis
expensive price cost
cheap price cost
speak language
live reside residence city address
reside live
work employ job
own possess have
belong own member
contain include have
use usage
consume consumption use
consumption usage use
create add
update modify change edit
modify change update
delete remove
login sign logon
register enroll signup
american usa
american america
british britain
british uk
english england
french france
german germany
dutch netherlands
dutch holland
spanish spain
portuguese portugal
italian italy
greek greece
swiss switzerland
swedish sweden
danish denmark
finnish finland
norwegian norway
polish poland
irish ireland
scottish scotland
welsh wales
turkish turkey
czech czechia
hungarian hungary
romanian romania
bulgarian bulgaria
croatian croatia
serbian serbia
slovak slovakia
slovenian slovenia
icelandic iceland
belgian belgium
austrian austria
russian russia
ukrainian ukraine
chinese china
japanese japan
korean korea
thai thailand
vietnamese vietnam
filipino philippines
indonesian indonesia
malaysian malaysia
indian india
pakistani pakistan
bangladeshi bangladesh
nepalese nepal
iranian iran
iraqi iraq
israeli israel
saudi arabia
syrian syria
lebanese lebanon
egyptian egypt
moroccan morocco
nigerian nigeria
kenyan kenya
ethiopian ethiopia
ghanaian ghana
brazilian brazil
argentine argentina
argentinian argentina
mexican mexico
canadian canada
chilean chile
peruvian peru
colombian colombia
cuban cuba
jamaican jamaica
australian australia
european europe
asian asia
african africa
"""

# What a word of a question points to, but not the other way round.
_DIRECTED = """
who: name person
whose: name owner
when: date year time day month
where: city location address place country
old: age birth dob
young: age birth dob
oldest: age birth dob
youngest: age birth dob
older: age birth dob
younger: age birth dob
earn: salary income pay wage
much: amount price cost total
expensive: price cost
cheap: price cost
cheapest: price cost
tall: height
tallest: height
short: height length
long: length duration
longest: length duration
shortest: length height duration
heavy: weight
heaviest: weight
lightest: weight
light: weight
fast: speed time
fastest: speed time
slow: speed time
slowest: speed time
big: size area
large: size area
largest: size area
small: size area
smallest: size area
rich: wealth income
popular: popularity rating count
populous: population
recent: date time year
recently: date time year
latest: date time year
earliest: date time year
newest: date time year
new: date year
early: date time
late: date time
located: city location address state country place
base: city location country headquarters
live: city address country residence
born: birth birthdate birthday dob birthplace
died: death
hired: hire start
joined: join date
founded: found established year
established: found year
built: year construction
made: make maker manufacturer year
released: release year
published: publish publication year
bought: purchase order
spent: amount cost price total
spend: amount cost price total
paid: payment amount
contact: phone email
call: phone name
reach: phone email
male: gender sex
female: gender sex
man: gender sex
woman: gender sex
boy: gender sex
girl: gender sex
married: marital
single: marital
come: country nationality origin
citizen: nationality country
american: nationality country
native: nationality
speak: language
play: position
weigh: weight
measure: size
cost: price amount
worth: value price
last: duration length
happen: date
occur: date
place: location city venue
held: date venue location
far: distance
often: count frequency
wealthiest: wealth
best: rating score rank
worst: rating score rank
winner: win
alive: death
dead: death
abbreviated: abbreviation short code
"""

# Short forms, the one for the other.
_SHORT = """
qty quantity
amt amount
num number
no number
nr number
nbr number
cnt count
dept department
addr address
desc description
descr description
avg average
lat latitude
lon longitude
lng longitude
long longitude
id identifier
ident identifier
max maximum
min minimum
pct percent
perc percentage
temp temperature
tel telephone
ph phone
cust customer
emp employee
mgr manager
org organization
orig original
dest destination
src source
cat category
categ category
prod product
inv invoice
ord order
acct account
acc account
bal balance
trans transaction
txn transaction
tx transaction
pmt payment
curr currency
cur current
dob birth
bday birthday
yr year
mo month
mth month
wk week
dt date
ts timestamp
hr hour
mins minute
sec second
fname first
lname last
fname name
lname name
mname middle
st street
ave avenue
rd road
apt apartment
bldg building
loc location
reg region
cntry country
ctry country
prov province
stat status
cd code
abbr abbreviation
abbrev abbreviation
lang language
std standard
stud student
stu student
prof professor
instr instructor
sem semester
univ university
uni university
edu education
info information
img image
pic picture
pos position
pts points
pct percentage
hp horsepower
mpg mileage
wt weight
ht height
len length
vol volume
dist distance
spd speed
tot total
ttl total
diff difference
est estimated
exp expiration
ref reference
req request
res result
rec record
seq sequence
ver version
val value
var variable
var variant
usr user
pwd password
msg message
doc document
pub publication
auth author
mfr manufacturer
mfg manufacturer
manuf manufacturer
veh vehicle
reg registration
pop population
gov government
natl national
intl international
asst assistant
exec executive
sal salary
comm commission
"""


@cache
def _table() -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}

    def relate(one: str, other: str, strength: float) -> None:
        left, right = stem(one), stem(other)
        if left != right:
            known = table.setdefault(left, {})
            known[right] = max(strength, known.get(right, 0.0))

    for line in _SHORT.split("\n"):
        if line:
            short, whole = line.split()
            relate(short, whole, _SHORT_FOR)
            relate(whole, short, _SHORT_FOR)
    for line in _GROUPS.split("\n"):
        head, *others = line.split() or [""]
        for other in others:
            relate(head, other, _SAME)
            relate(other, head, _SAME)
    for line in _DIRECTED.split("\n"):
        word, _, meant = line.partition(": ")
        for other in meant.split():
            relate(word, other, _STANDS_FOR)
    return table


_NONE: dict[str, float] = {}


def related(word: str) -> dict[str, float]:
    """Stems that the stem `word` of a question may stand for in an identifier, with how surely, in (0, 1)."""
    return _table().get(word, _NONE)
