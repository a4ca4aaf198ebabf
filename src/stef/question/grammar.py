"""The word lists that the rule reader shares: closed classes of English, and the tables of superlatives."""

from stef.question.wordlists import word_set

DETERMINERS = word_set(
    "the a an all each every any some their his her its our my your this these those such said following other "
    "whole entire respective corresponding specific certain"
)

DISTINCT_WORDS = word_set("different distinct unique various unduplicated nonduplicate distinctive")

AUXILIARIES = word_set(
    "is are was were be been being am do does did has have had having can could will would shall should may might "
    "must isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't can't cannot"
)

PREPOSITIONS = word_set(
    "in on at by for from to into onto over under above below between among amongst with without within during since "
    "until till before after through throughout across against toward towards than as per via out about "
    "around near inside outside beyond except excluding including besides versus vs based according like unlike "
    "regardless due upon"
)

RELATIVES = word_set("who whom whose which that where when while what how why whether if because so then")

CONJUNCTIONS = word_set("and or but nor not only also both either neither & plus")

PRONOUNS = word_set("it they them we you i he she me us him there here itself themselves himself herself one ones none")

# Verbs whose plain forms follow a noun in questions ("students *play* football"): they end a noun phrase.
_VERBS = (
    "accept act appear apply arrive attend appoint become begin belong born bring build buy call came can cause "
    "choose come comes compete consist contain cost create cover depart die direct do earn employ end enrol enroll "
    "exceed exist fall fly found gave get give go got grow happen hold include involve join keep know last lead learn "
    "leave left lie live lived lives lose lost made make manage marry match meet mention need occur offer open operate "
    "own paid participate pass pay perform play prefer produce provide purchase ran reach read receive record register "
    "release represent require return review run said sell send serve served share sing sit sold speak spend spent "
    "spoken start state stay stop study support take taken taught teach tell thought took transfer travel treat use "
    "used visit wear win won work works write written wrote held given known begun driven flown paid sent bought "
    "brought built caught chosen drawn eaten fallen felt fought found gone grown heard hit kept led lent met "
    "put ridden risen seen shot shown sold sung sunk sworn thrown told understood worn scored belongs contains "
    "includes "
    "happened occurs plays speaks uses owns wins takes has makes gets goes comes starts ends begins costs lives "
    "pays serves holds runs produces sells offers teaches supports participates follow follows followed"
)
# Words of this list that head noun phrases at least as often.
_NOUN_VERBS = word_set(
    "act cause cost cover end fall found left lie match matches need offer open pass play record release return review "
    "run share sit start state stay stop study support transfer travel visit work works last lead can hit put read "
    "shot build costs runs plays supports shares treat call purchase wins ends starts register"
)
VERBS = frozenset(_VERBS.split()) - _NOUN_VERBS

_ING_NOUNS = word_set(
    "rating ranking building meeting earning spending reading writing listing setting meaning spelling heading "
    "shipping housing parking funding training pricing billing mailing passing crossing dribbling shooting finishing "
    "string king ring thing spring wing being opening closing engineering marketing advertising booking landing "
    "ending beginning holding saving savings swimming running clothing painting drawing recording offering ratings "
    "processing manufacturing accounting consulting banking serving filing hearing handling heating cooling lighting "
    "nursing teaching operating boarding outstanding "
    "qualifying during standing listing positioning coding programming testing"
)

ASK_VERBS = word_set(
    "list show give find return display report name state indicate provide tell identify calculate count compute "
    "determine mention describe write output get print select enumerate retrieve fetch specify present search "
    "look see know sort rank order group summarize summarise estimate evaluate figure bring pull extract "
    "compile check want need finds lists shows gets"
)

NATIONALITIES = word_set(
    "afghan african albanian algerian american argentine argentinian armenian asian australian austrian bangladeshi "
    "belgian bolivian brazilian british bulgarian cambodian canadian chilean chinese colombian croatian cuban czech "
    "danish dutch egyptian english estonian ethiopian european filipino finnish french georgian german ghanaian greek "
    "hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jordanian kazakh "
    "kenyan korean kuwaiti latin latvian lebanese libyan lithuanian malaysian mexican moroccan nepalese nigerian "
    "norwegian pakistani palestinian peruvian polish portuguese romanian russian saudi scottish serbian singaporean "
    "slovak slovenian somali spanish sudanese swedish swiss syrian taiwanese thai tunisian turkish ukrainian "
    "uruguayan venezuelan vietnamese welsh yemeni zambian zimbabwean"
)

MONTHS_AND_DAYS = word_set(
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "
    "q1 q2 q3 q4 h1 h2 am pm utc gmt fy ytd mtd qtd"
)

# Adjective -> (stems of what it measures, whether the most of it comes first). No stems: the noun phrase after it.
SUPERLATIVES: dict[str, tuple[tuple[str, ...], bool]] = {
    "highest": ((), True),
    "largest": ((), True),
    "biggest": ((), True),
    "greatest": ((), True),
    "maximum": ((), True),
    "max": ((), True),
    "maximal": ((), True),
    "topmost": ((), True),
    "lowest": ((), False),
    "smallest": ((), False),
    "minimum": ((), False),
    "min": ((), False),
    "minimal": ((), False),
    "slightest": ((), False),
    "youngest": (("age",), False),
    "oldest": (("age",), True),
    "eldest": (("age",), True),
    "tallest": (("height",), True),
    "longest": (("length",), True),
    "shortest": (("length",), False),
    "heaviest": (("weight",), True),
    "lightest": (("weight",), False),
    "cheapest": (("price",), False),
    "costliest": (("price",), True),
    "priciest": (("price",), True),
    "richest": (("wealth",), True),
    "poorest": (("wealth",), False),
    "fastest": (("speed",), True),
    "quickest": (("speed",), True),
    "slowest": (("speed",), False),
    "earliest": (("date",), False),
    "latest": (("date",), True),
    "newest": (("date",), True),
    "strongest": (("strength",), True),
    "weakest": (("strength",), False),
    "deepest": (("depth",), True),
    "widest": (("width",), True),
    "hottest": (("temperature",), True),
    "warmest": (("temperature",), True),
    "coldest": (("temperature",), False),
    "busiest": (("count",), True),
    "best": ((), True),
    "worst": ((), False),
    "closest": (("distance",), False),
    "nearest": (("distance",), False),
    "farthest": (("distance",), True),
    "furthest": (("distance",), True),
    "northernmost": (("latitude",), True),
    "southernmost": (("latitude",), False),
    "easternmost": (("longitude",), True),
    "westernmost": (("longitude",), False),
}

TIMED = word_set("date time day year month duration length timestamp period week hour")
"""After "latest" or "longest": nouns that are measures themselves, so that a value is asked."""

# After "most" and "least": adjective -> stems of what it measures; an empty tuple is a count of rows.
GRADED: dict[str, tuple[str, ...]] = {
    "expensive": ("price",),
    "costly": ("price",),
    "pricey": ("price",),
    "recent": ("date",),
    "recently": ("date",),
    "popular": (),
    "common": (),
    "commonly": (),
    "frequent": (),
    "frequently": (),
    "often": (),
    "prevalent": (),
    "prominent": (),
    "used": (),
    "prolific": (),
    "numerous": (),
    "active": (),
    "productive": (),
    "populous": ("population",),
    "populated": ("population",),
    "valuable": ("value",),
    "powerful": ("power",),
    "successful": ("success",),
    "profitable": ("profit",),
    "intelligent": ("intelligence",),
    "durable": ("durability",),
    "experienced": ("experience",),
    "famous": ("fame",),
    "important": ("importance",),
    "influential": ("influence",),
    "efficient": ("efficiency",),
    "viewed": ("view",),
    "visited": ("visit",),
    "rated": ("rating",),
    "highly": ("rating",),
    "ordered": ("order",),
    "liked": ("like",),
    "sold": ("sale",),
    "likely": (),
}

ORDINALS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9, "10th": 10,
}  # fmt: skip

SMALL_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100,
}  # fmt: skip

BREAKS = (AUXILIARIES | PREPOSITIONS | RELATIVES | CONJUNCTIONS | PRONOUNS | VERBS) - {"of"}
"""Words that end a noun phrase."""


_ADVERBS = word_set("ever yet also still already now together again too just often always later earlier ago")
_LY_WORDS = word_set(
    "family assembly supply reply anomaly monopoly daily weekly monthly yearly quarterly hourly early friendly july "
    "italy rally jelly elderly biweekly"
)


def ends_phrase(word: str) -> bool:
    """Whether a folded word can't belong to the noun phrase before it: participles, adverbs ("cars *produced*")."""
    if word in _ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _LY_WORDS):
        return True
    if word.endswith("ed"):
        return len(word) > 4 and not word.endswith("eed")
    return word.endswith("ing") and word not in _ING_NOUNS and len(word) > 5
