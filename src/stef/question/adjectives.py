"""Adjectives that measure, with what they measure: "older" is about age, "cheapest" about price."""

from collections.abc import Sequence

from stef.records.record import record


@record(frozen=True, slots=True)
class Degree:
    """A comparative or superlative form.

    `dimension`: stems of what it measures, likeliest first, empty where it measures anything ("higher"). `high`: it
    points to large values ("older", "longest"). `flips`: on a date or a rank it turns round ("older" has the earlier
    date of birth).
    """

    base: str
    dimension: tuple[str, ...]
    high: bool
    superlative: bool
    flips: bool = False


_HIGH = """
old older oldest: age
tall taller tallest: height
high higher highest:
long longer longest: length durat
heavy heavier heaviest: weight
fast faster fastest: speed
quick quicker quickest: speed
large larger largest:
big bigger biggest: size area
great greater greatest:
wide wider widest: width
broad broader broadest: width
deep deeper deepest: depth
thick thicker thickest: thick
rich richer richest: wealth incom
wealthy wealthier wealthiest: wealth incom
costly costlier costliest: cost price
pricey pricier priciest: price
hot hotter hottest: temperatur
warm warmer warmest: temperatur
strong stronger strongest: strength
far farther farthest: distanc
far further furthest: distanc
late later latest: date time
new newer newest: date year
many more most:
much more most:
good better best: rate score
busy busier busiest: count
loud louder loudest: volum
smart smarter smartest: intellig
"""

_LOW = """
young younger youngest: age
short shorter shortest: length height durat
low lower lowest:
small smaller smallest: size
little less least:
few fewer fewest:
light lighter lightest: weight
slow slower slowest: speed
narrow narrower narrowest: width
shallow shallower shallowest: depth
thin thinner thinnest: thick
poor poorer poorest: wealth incom
cheap cheaper cheapest: price cost
cold colder coldest: temperatur
cool cooler coolest: temperatur
weak weaker weakest: strength
near nearer nearest: distanc
close closer closest: distanc
early earlier earliest: date time
bad worse worst: rate score
"""

_FLIPPING = frozenset({"old", "young", "new"})

_LONG = {
    "expensive": ("price", "cost"),
    "recent": ("date", "time"),
    "popular": (),
    "populous": ("popul",),
    "populated": ("popul",),
    "experienced": ("experi",),
    "powerful": ("power",),
    "profitable": ("profit",),
    "frequent": ("count",),
    "costly": ("cost", "price"),
    "valuable": ("valu",),
    "dense": ("densiti",),
    "distant": ("distanc",),
    "intelligent": ("intellig",),
    "productive": (),
    "successful": (),
    "common": ("count",),
    "senior": ("age",),
}


def _forms(table: str, high: bool) -> dict[str, Degree]:
    found: dict[str, Degree] = {}
    for line in filter(None, table.split("\n")):
        forms, _, dimension = line.partition(":")
        base, comparative, superlative = forms.split()
        stems, flips = tuple(dimension.split()), base in _FLIPPING
        found[comparative] = Degree(base, stems, high, superlative=False, flips=flips)
        found[superlative] = Degree(base, stems, high, superlative=True, flips=flips)
    return found


DEGREES: dict[str, Degree] = _forms(_HIGH, high=True) | _forms(_LOW, high=False)
"""Comparatives and superlatives of one word, in lower case."""

LONG_ADJECTIVES: dict[str, tuple[str, ...]] = dict(_LONG)
"""Adjectives that take "more", "most", "less", "least", with the stems of what they measure."""


def degree_at(low: Sequence[str], index: int) -> tuple[Degree, int] | None:
    """The comparative or superlative that ends at word `index` of `low` (lower case), and where it starts."""
    form = low[index] if 0 <= index < len(low) else ""
    if form in LONG_ADJECTIVES and index and (lead := DEGREES.get(low[index - 1])) and lead.base in _QUANTIFIERS:
        return Degree(form, LONG_ADJECTIVES[form], lead.high, lead.superlative, form == "recent"), index - 1
    found = DEGREES.get(form)
    return (found, index) if found else None


_QUANTIFIERS = frozenset({"many", "much", "little"})
