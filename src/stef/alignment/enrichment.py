"""The enriched question against the question: what the agent's own rewording kept, dropped, added, contradicted."""

from collections.abc import Callable

from stef.alignment.enrichment_facts import (
    Fact,
    comparable,
    facts_of,
    is_dated,
    is_open_period,
    literal_texts,
    same_meaning,
    spelled_alike,
    subject_stems,
)
from stef.alignment.enrichment_ledger import Ledger, is_vague
from stef.alignment.enrichment_tops import check_aggregates, check_tops
from stef.question.words import tokenize, word_tie
from stef.records.alignment import Enrichment, EnrichmentVerdict
from stef.records.reading import MentionKind, QuestionReading

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


def check_enrichment(question: QuestionReading, enriched: QuestionReading | None) -> Enrichment:
    """Which constraints of `question` its rewording kept, dropped, added, contradicted, resolved.

    The constraints are compared by what they mean; a default, a value's spelling, a hint or a date for "last month"
    settles what the question leaves open and counts as resolved. The worst of contradicts, drops, adds gives the
    verdict. ABSENT where there is no rewording, or one of the two cannot be read.
    """
    if enriched is None or question.unreadable or enriched.unreadable or not enriched.text.strip():
        return Enrichment(EnrichmentVerdict.ABSENT)
    ledger = Ledger()
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


def _verdict(ledger: Ledger) -> EnrichmentVerdict:
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


def _constraints(question: QuestionReading, enriched: QuestionReading, ledger: Ledger) -> None:
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
        elif _turned(fact, enriched):
            ledger.contradicted.append(fact.text)
        elif not _said_in(fact, enriched):
            ledger.dropped.append(fact.text)
    for fact in left:
        if fact.certain and not _said_in(fact, question):
            (ledger.resolved if _settles(fact, question, enriched) else ledger.added).append(fact.text)


def _pair(fact: Fact, other: Fact, ledger: Ledger) -> None:
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


def _turned(fact: Fact, reading: QuestionReading) -> bool:
    """Whether "never inspected" became "inspected": the words stay, and every negation is gone."""
    if fact.kind is not None or not fact.predicate.negated:
        return False
    stems = {word.stem for word in reading.words}
    return subject_stems(fact.predicate.subject) <= stems and not stems & _NEGATIONS


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
    if is_vague(question, fact.kind):
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


def _negation(question: QuestionReading, enriched: QuestionReading, ledger: Ledger) -> None:
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


_CHECKS: tuple[Callable[[QuestionReading, QuestionReading, Ledger], None], ...] = (
    _constraints,
    check_tops,
    check_aggregates,
    _negation,
)


def _hints(question: QuestionReading, enriched: QuestionReading, ledger: Ledger) -> None:
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
