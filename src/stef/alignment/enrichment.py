"""The enriched question against the question: what the agent's own rewording kept, dropped, added, contradicted."""

from collections.abc import Callable
from dataclasses import dataclass, field

from stef.alignment.enrichment_facts import (
    Fact,
    aggregates_of,
    comparable,
    facts_of,
    is_dated,
    is_open_period,
    literal_texts,
    same_meaning,
    spelled_alike,
    subject_stems,
)
from stef.question.words import tokenize, word_tie
from stef.records.alignment import Enrichment, EnrichmentVerdict
from stef.records.expressions import Span
from stef.records.reading import MentionKind, QuestionReading
from stef.records.spec import Select, TopK


@dataclass(slots=True)
class _Ledger:
    """What was found so far, as the words that state it."""

    dropped: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)


_VAGUE: dict[MentionKind | None, frozenset[str]] = {
    MentionKind.PERIOD: frozenset(
        {
            "recent",
            "late",
            "latest",
            "current",
            "now",
            "nowaday",
            "last",
            "new",
            "newest",
            "modern",
            "today",
            "far",
            "past",
        }
    ),
    MentionKind.NUMBER: frozenset(
        {
            *(
                "high",
                "low",
                "large",
                "big",
                "small",
                "mani",
                "few",
                "long",
                "short",
                "expens",
                "cheap",
                "popular",
                "good",
            ),
            *("bad", "heavi", "top", "best", "worst", "most", "old", "young", "signific", "major", "frequent", "often"),
            *("normal", "abnorm", "rich", "poor", "adult", "minor", "child", "senior", "teenag", "elder", "elderli"),
            *("pass", "multipl", "sever", "qualifi", "elig"),
        }
    ),
}
_NEGATIONS = frozenset(
    {
        "not",
        "no",
        "without",
        "never",
        "none",
        "neither",
        "nor",
        "except",
        "exclud",
        "other",
        "non",
        "lack",
        "miss",
        "zero",
    }
    | {
        "0",
        "absent",
        "outsid",
        "cannot",
        "nobodi",
        "noth",
        "null",
        "empti",
        "inact",
        "avoid",
        "remov",
        "besid",
        "rather",
    }
)
_DEFAULTS = frozenset({"default", "assum", "assumpt", "usual", "unless"})
_NEIGHBOURHOOD = 60
_OPPOSED_AGGREGATES = (frozenset({"AVG"}), frozenset({"MAX"}), frozenset({"MIN"}), frozenset({"SUM", "COUNT"}))


def check_enrichment(question: QuestionReading, enriched: QuestionReading | None) -> Enrichment:
    """Which constraints of `question` its rewording kept, dropped, added, contradicted, resolved.

    The constraints are compared by what they mean; a default, a value's spelling, a hint or a date for "last month"
    settles what the question leaves open and counts as resolved. The worst of contradicts, drops, adds gives the
    verdict. ABSENT where there is no rewording, or one of the two cannot be read.
    """
    if enriched is None or question.unreadable or enriched.unreadable or not enriched.text.strip():
        return Enrichment(EnrichmentVerdict.ABSENT)
    ledger = _Ledger()
    if not _goes_on(question.text, enriched.text):
        for check in _CHECKS:
            check(question, enriched, ledger)
    _hints(question, enriched, ledger)
    return Enrichment(
        _verdict(ledger),
        tuple(dict.fromkeys(ledger.dropped)),
        tuple(dict.fromkeys(ledger.added)),
        tuple(dict.fromkeys(ledger.contradicted)),
        tuple(dict.fromkeys(ledger.resolved)),
    )


def _verdict(ledger: _Ledger) -> EnrichmentVerdict:
    if ledger.contradicted:
        return EnrichmentVerdict.CONTRADICTS
    if ledger.dropped:
        return EnrichmentVerdict.DROPS
    return EnrichmentVerdict.ADDS if ledger.added else EnrichmentVerdict.FAITHFUL


def _goes_on(text: str, enriched: str) -> bool:
    """Whether the rewording is the question word for word, with nothing but lines of hints after it."""
    stripped = text.strip()
    if not enriched.strip().startswith(stripped):
        return False
    rest = enriched.strip()[len(stripped) :]
    return not rest.strip() or rest.lstrip(" \t?.").startswith("\n")


def _constraints(question: QuestionReading, enriched: QuestionReading, ledger: _Ledger) -> None:
    """Numbers, periods, values, and filters without a constant."""
    asked, reworded = facts_of(question), facts_of(enriched)
    left = [fact for fact in reworded if not any(same_meaning(one, fact) for one in asked)]
    for fact in asked:
        if not fact.certain or any(same_meaning(fact, one) for one in reworded):
            continue
        other = next((one for one in left if comparable(fact, one)), None)
        if other is not None:
            left.remove(other)
            _pair(fact, other, ledger)
        elif not _said_in(fact, enriched):
            ledger.dropped.append(fact.text)
    for fact in left:
        if fact.certain and not _said_in(fact, question):
            (ledger.resolved if _settles(fact, question, enriched) else ledger.added).append(fact.text)


def _pair(fact: Fact, other: Fact, ledger: _Ledger) -> None:
    """Two facts on one subject that do not mean the same: one spells or settles the other, or contradicts it."""
    negated = fact.predicate.negated != other.predicate.negated
    if not negated and fact.kind is MentionKind.VALUE:
        pairs = zip(literal_texts(fact.clause), literal_texts(other.clause), strict=False)
        if all(spelled_alike(one, two) for one, two in pairs):
            ledger.resolved.append(other.text)
            return
    if is_open_period(fact) and is_dated(other):
        ledger.resolved.append(other.text)
        return
    ledger.contradicted.append(f"{fact.text} → {other.text}")


def _said_in(fact: Fact, reading: QuestionReading) -> bool:
    """Whether the constants of a fact stand in the other text, though no filter was read from them there."""
    if fact.kind is MentionKind.PERIOD:
        return False
    if fact.kind is None:
        stems = {word.stem for word in reading.words}
        return subject_stems(fact.predicate.subject) <= stems and bool(stems & _NEGATIONS)
    if fact.predicate.negated and not any(word.stem in _NEGATIONS for word in reading.words):
        return False
    constants = literal_texts(fact.clause)
    if fact.kind is MentionKind.NUMBER:
        bare = {one.text for one in reading.mentions if one.clause is None} | {word.text for word in reading.words}
        return bool(constants) and all(one in bare for one in constants)
    folded = " ".join(reading.text.casefold().split())
    return bool(constants) and all(one in folded for one in constants)


def _settles(fact: Fact, question: QuestionReading, enriched: QuestionReading) -> bool:
    """Whether what only the rewording says settles something that the question leaves open."""
    if _is_vague(question, fact.kind):
        return True
    around = enriched.text[max(0, fact.span[0] - _NEIGHBOURHOOD) : fact.span[1] + _NEIGHBOURHOOD]
    if any(word.stem in _DEFAULTS for word in tokenize(around)):
        return True
    if fact.kind is not MentionKind.VALUE:
        return False
    content = [word for word in question.words if not word.stop]
    return all(
        any(spelled_alike(part, word.text) or word_tie(word.stem, part) > 0 for word in content)
        for one in literal_texts(fact.clause)
        for part in one.split()
    )


def _is_vague(question: QuestionReading, kind: MentionKind | None) -> bool:
    """Whether a word of the question leaves a constant of that kind open: "recently", "a high rating"."""
    vague = _VAGUE.get(kind)
    if vague is None:
        return False
    words = question.words
    return any(
        word.stem in vague and not (word.stem == "mani" and place and words[place - 1].stem == "how")
        for place, word in enumerate(words)
    )


def _negation(question: QuestionReading, enriched: QuestionReading, ledger: _Ledger) -> None:
    """A "not" that only one of the two texts has, where no filter tells it already."""
    asked = [note for note in question.notes if note.code == "negation_asked"]
    reworded = [note for note in enriched.notes if note.code == "negation_asked"]
    if asked and not any(word.stem in _NEGATIONS for word in enriched.words):
        told = ledger.contradicted + ledger.dropped
        if not any(_overlap(asked[0].text, one) for one in told):
            ledger.contradicted.append(asked[0].text)
    if reworded and not any(word.stem in _NEGATIONS for word in question.words):
        told = ledger.contradicted + ledger.added + ledger.resolved
        if not any(_overlap(reworded[0].text, one) for one in told):
            ledger.added.append(reworded[0].text)


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def _tops(question: QuestionReading, enriched: QuestionReading, ledger: _Ledger) -> None:
    """Superlatives and "top 5": kept, with the same end and number, or not."""
    asked, reworded = _tops_of(question), _tops_of(enriched)
    if asked and not reworded:
        if not (aggregates_of(enriched) & {"MAX", "MIN"} or _orders(enriched)):
            ledger.dropped.extend(_shown(question, top.span) for top in asked)
        return
    if reworded and not asked:
        vague = _is_vague(question, MentionKind.NUMBER)
        if not (aggregates_of(question) & {"MAX", "MIN"} or _orders(question)):
            kept = ledger.resolved if vague else ledger.added
            kept.extend(_shown(enriched, top.span) for top in reworded)
        return
    for top, other in zip(asked, reworded, strict=False):
        shown = f"{_shown(question, top.span)} → {_shown(enriched, other.span)}"
        if (top.k is not None and other.k is not None and top.k != other.k) or _turned(top, other):
            ledger.contradicted.append(shown)
        elif top.k is None and other.k is not None and other.k > 1:
            ledger.resolved.append(_shown(enriched, other.span))


def _tops_of(reading: QuestionReading) -> tuple[TopK, ...]:
    return reading.spec.tops if reading.spec is not None else ()


def _orders(reading: QuestionReading) -> bool:
    return isinstance(reading.spec, Select) and bool(reading.spec.order)


def _shown(reading: QuestionReading, span: Span | None) -> str:
    return reading.text[slice(*span)] if span else "top rows"


def _turned(top: TopK, other: TopK) -> bool:
    """Whether one asks for the largest and the other for the smallest of the same thing."""
    if not top.order or not other.order or top.order[0].descending == other.order[0].descending:
        return False
    return bool(subject_stems(top.order[0].expr) & subject_stems(other.order[0].expr))


def _aggregates(question: QuestionReading, enriched: QuestionReading, ledger: _Ledger) -> None:
    """Another aggregate than the question's: an average for a total."""
    asked, reworded = aggregates_of(question), aggregates_of(enriched)
    for kind in _OPPOSED_AGGREGATES:
        # A count may be told in many ways, and a superlative is a maximum.
        if not asked & kind or reworded & kind or not reworded or len(asked) > 1:
            continue
        others = frozenset().union(*(one for one in _OPPOSED_AGGREGATES if one is not kind and one & reworded))
        if kind & {"MAX", "MIN"} and _tops_of(enriched):
            continue
        ledger.contradicted.append(f"{min(asked)} → {min(reworded & others)}")


_CHECKS: tuple[Callable[[QuestionReading, QuestionReading, _Ledger], None], ...] = (
    _constraints,
    _tops,
    _aggregates,
    _negation,
)


def _hints(question: QuestionReading, enriched: QuestionReading, ledger: _Ledger) -> None:
    """Hints after the rewording settle something, where they explain words of the question."""
    stems = {word.stem for word in question.words if not word.stop}
    folded = question.text.casefold()
    for one in enriched.mentions:
        if one.kind is not MentionKind.HINT or one.clause is None:
            continue
        explains = one.certain or any(text in folded for text in literal_texts(one.clause))
        explains = explains or any(
            word.stem in stems or any(word_tie(asked, word.stem) > 0 for asked in stems)
            for word in tokenize(one.text[:200])
            if not word.stop
        )
        (ledger.resolved if explains else ledger.added).append(one.text)
    ledger.resolved.extend(one.text for one in enriched.formulas if one.text)
