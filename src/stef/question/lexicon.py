"""Everyday English that reading rests on: function words, irregular forms, American spelling."""

import re

_STOP_WORDS = """
    a an the this that these those such same other another
    i me my we us our ours you your yours he him his she her hers it its they them their theirs one's itself themselves
    who whom whose which what when where why how
    am is are was were be been being 's do does did doing done have has had having
    can could will would shall should may might must
    isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot couldn't won't wouldn't
    shouldn't
    not no nor never none neither
    of in on at by for from to into onto with without within about above below over under between among across through
    during before after since until till against along around behind beyond per as than like via upon off out up down
    and or but if then else so because while whereas although though both either whether
    all any each every some few more most less least many much several own only just also too very again ever still yet
    there here please let let's want need would i'd we'd i'm we're it's that's what's who's there's
"""

STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Function words: they name nothing in a database."""

_IRREGULAR_FORMS = """
person: people persons peoples
child: children
man: men
woman: women
foot: feet
tooth: teeth
mouse: mice
index: indices indexes
criterion: criteria
medium: media
life: lives
wife: wives
half: halves
buy: bought
sell: sold
spend: spent
pay: paid
hold: held
make: made
win: won
lose: lost
fli: flew flown flies fly
write: wrote written
drive: drove driven
sing: sang sung
give: gave given
take: took taken
teach: taught
begin: began begun
build: built
find: found
leav: left
lead: led
send: sent
get: got gotten
run: ran
see: saw seen
wear: wore worn
grow: grew grown
rise: rose risen
choos: chose chosen
speak: spoke spoken
come: came
go: went gone
bear: bore
meet: met
mean: meant
"""

IRREGULAR: dict[str, str] = {
    form: base
    for base, forms in (line.split(": ") for line in _IRREGULAR_FORMS.split("\n") if line)
    for form in forms.split()
}
"""An irregular form's stem."""

_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^(col|fav|hon|lab|neighb|harb|behavi|flav|hum|rum|vap|od|tum|arm|endeav|savi|parl|rig)our", r"\1or"),
        (
            r"^(organ|real|recogn|special|final|categor|summar|author|visual|normal|custom|util|optim|minim|maxim|"
            r"general|local|central|standard|character|priorit|penal|capital|commercial|digit|emphas|subsid|nation|"
            r"hospital|immun|modern|item|apolog|critic|initial|memor|personal|symbol|union|colon)is(?=e|ing|ation)",
            r"\1iz",
        ),
        (r"^(anal|paral|catal)ys(?=e|ing)", r"\1yz"),
        (r"^(catal|dial|anal|monol)ogue", r"\1og"),
        (r"^(.*(?:cent|met|lit|theat|fib|calib|lust))re(s?)$", r"\1er\2"),
        (r"^(lic|def|off|pret)ence", r"\1ense"),
        (r"^(travel|cancel|label|model|level|fuel|total|signal|channel|counsel|marvel|enrol)l(?=ed|ing|er)", r"\1"),
        (r"^cheque", "check"),
        (r"^grey", "gray"),
        (r"^programme(s?)$", r"program\1"),
        (r"^(enrol|fulfil|instal)(s|ment|ments)?$", r"\1l\2"),
        (r"^tyre", "tire"),
        (r"^jewellery", "jewelry"),
        (r"^aeroplane", "airplane"),
        (r"^ageing", "aging"),
        (r"^pa?ediatric", "pediatric"),
    )
)


def american(word: str) -> str:
    """`word` in American spelling; folded case in and out."""
    for pattern, replacement in _SPELLINGS:
        changed, count = pattern.subn(replacement, word, count=1)
        if count:
            return changed
    return word
