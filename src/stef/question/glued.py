"""Identifiers whose words are glued ("countrycode", "isofficial"), parted at words that names end or start with."""

from functools import lru_cache

from stef.question.wordlists import word_set


def by_length(words: str) -> tuple[str, ...]:
    """Words, the longest first."""
    return tuple(sorted(word_set(words), key=lambda word: (-len(word), word)))


_TAILS = by_length(
    """id ids name names code type date year month number num count time rate title status price cost value key address
    city state country county area text desc description level score amount total length size weight height district
    category group class email phone salary language flag day"""
)
_HEADS = by_length(
    "is has num first last full total avg max min start end home away birth phone user dest source local"
)
# English words that merely end or start like a glued name.
_WHOLE = word_set(
    """account accounts amid android applicant avoid bid braid candidate candidates capacity centennial certificate
    climate consolidate covid currency data david decade decode discount download earliest elaborate eligible encode
    episode estate evaluate fluid forename grid hasty hazard heading holiday humid hybrid interstate island issue issued
    issuer issues istanbul kid laid lasting latest lifetime liquid madrid mandate midday misdescription monday friday
    saturday sunday thursday tuesday wednesday nickname orchid overtime paid placid plaid prototype pyramid rapid real
    rename said separate solid sometime squid sunday surname today tomorrow typeface unpaid update updated upstate
    username valid validate void votes weekday yesterday birthday minute minutes minister mining minor maxim maximum
    minimum ending endowment endorse endemic started startup homeless fullness firsthand recount maturity ethnicity
    ability activity authority charity city cities community complexity diversity electricity entity equity facility
    identity intensity liability majority minority opportunity popularity priority publicity quality quantity rarity
    security university velocity visibility context texture subtext pretext incarcerate accurate corporate operate
    crate generate pirate karate interpolate middleclass subclass enterprise message messages sources endless homeland
    lastly numerous number numbers numeral has hash hasht usercode translate translated monkey turkey hockey jockey
    donkey whiskey survey subgroup outcome income welcome"""
)


@lru_cache(maxsize=16384)
def parted(word: str) -> tuple[str, ...]:
    """The words that a lower-case part of an identifier is glued of; the part itself where it is one word."""
    if len(word) < 5 or word in _WHOLE or not word.isalpha():
        return (word,)
    for tail in _TAILS:
        head = word[: -len(tail)]
        if word.endswith(tail) and len(head) >= 2:
            return (*parted(head), tail)
        if tail == "name" and word.endswith(tail) and head in ("l", "f"):
            return ("last" if head == "l" else "first", tail)
    for head in _HEADS:
        rest = word[len(head) :]
        if word.startswith(head) and len(rest) >= 4:
            return (head, *parted(rest))
    return (word,)
