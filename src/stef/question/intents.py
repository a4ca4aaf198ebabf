"""What a question asks for that a Spec does not hold: ratios, differences, negations, yes/no, formats."""

from stef.question.grammar import (
    ASK_VERBS,
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    SUPERLATIVES,
    ends_phrase,
)
from stef.question.scan import GAP, Draft, phrase_at
from stef.question.wordlists import word_set
from stef.records.expressions import Phrase
from stef.records.predicates import Clause, Op, Predicate, Scope
from stef.records.reading import MentionKind

_YES_NO = word_set("is are was were do does did has have had can could isn't aren't don't doesn't didn't")
_POLITE = word_set("you i we please")
_NUMERIC = word_set("more less fewer later earlier older younger greater higher lower longer shorter")


def read_opening(draft: Draft, index: int) -> None:
    """The first word of a sentence: yes/no questions, and questions whether something exists."""
    scan = draft.scan
    word, following = scan.low[index], scan.at(index + 1)
    if not scan.starts_sentence(index):
        if following == "there" and scan.at(index + 2) == "any":
            draft.note("exists_asked", index, index + 2)
        return
    if word not in _YES_NO or following in _POLITE or index + 1 >= len(scan):
        return
    if following == "there":
        draft.note("exists_asked", index, index + 1)
    # "Do you know how many …" asks how many.
    draft.note("yes_no_asked", index, index + 1)


def read_percentage(draft: Draft, index: int) -> None:
    """ "percentage of", "what percent", "in percent"; a column's own name ("percent eligible") is none."""
    scan = draft.scan
    before, following = scan.at(index - 1), scan.at(index + 1)
    if scan.low[index] == "percent" and following not in ("of", "") and before not in ("what", "in", "many"):
        return
    if before.isdigit() or before in SUPERLATIVES:
        return
    draft.note("percentage_asked", index, index)


def read_ratio(draft: Draft, index: int) -> None:
    """ "ratio of", "proportion of", "fraction of"."""
    draft.note("ratio_asked", index, index)


def read_difference(draft: Draft, index: int) -> None:
    """ "difference between", "the difference in"."""
    scan = draft.scan
    following = scan.at(index + 1)
    if following in ("between", "in", "of", "from", "is") or scan.at(index - 1) in ("the", "a"):
        draft.note("difference_asked", index, index)


def read_negation(draft: Draft, index: int) -> None:
    """ "not", "without", "never", "no X", "except"; comparatives ("no more than") and "No. 5" are none."""
    scan = draft.scan
    word, following = scan.low[index], scan.at(index + 1)
    if index in draft.done:
        return
    if word == "no":
        if following in _NUMERIC or following.isdigit() or following == "of" or scan.words[index].text == "No":
            return
        if (
            following in PREPOSITIONS
            or scan.at(index - 1) in ("or", "yes")
            or index + 1 >= len(scan)
            or scan.gap[index]
        ):
            return
    if following in _NUMERIC or (following == "only") or (word == "not" and scan.at(index - 1) == "or"):
        return
    if following in ("repeat", "duplicate", "include", "compute") and scan.at(index + 2) in _REPEATS:
        draft.distinct = True
        draft.note("distinct_asked", index, min(index + 2, len(scan) - 1))
        return
    if word in ("without", "no") and (following in _REPEATS or (following == "any" and scan.at(index + 2) in _REPEATS)):
        draft.distinct = True
        draft.note("distinct_asked", index, index + 1)
        return
    last = min(index + 2, len(scan) - 1)
    draft.note("negation_asked", index, last)
    _negated_noun(draft, index)


_REPEATS = word_set("duplicate duplicates duplicated repetition repetitions repetitive repeated repeats repeat")


def _negated_noun(draft: Draft, index: int) -> None:
    """ "without X", "no X", "do not have X": rows with an X are left out."""
    scan = draft.scan
    start = index + 1
    if scan.low[index] == "never":
        _never(draft, index)
        return
    if scan.low[index] not in ("without", "no", "lacking"):
        if scan.at(start + 1) in ("any", "a", "an") and scan.at(start) not in DETERMINERS:
            # "do not hire any X", "does not own a X".
            start += 1
        elif scan.at(start) in ("have", "own", "contain", "include", "has"):
            start += 1
        elif scan.low[index + 1 : index + 3] != ["a", "single"]:
            return
    if scan.low[start : start + 2] == ["a", "single"]:
        start += 2
    if start >= len(scan) or scan.taken[start] or scan.gap[index]:
        return
    phrase, end = phrase_at(scan, start, plural_ends=True)
    if phrase is None or not phrase.stems or ends_phrase(phrase.text.lower().split()[0]) or _names_value(draft, end):
        return
    span = scan.span(index, end - 1)
    draft.filters.append(Clause((Predicate(phrase, Op.HOLDS, negated=True, span=span),), Scope.ASKED, span))


def _names_value(draft: Draft, end: int) -> bool:
    """ "does not have the type 'Night'": the value that follows at word `end` is the filter."""
    if end >= len(draft.scan):
        return False
    start = draft.scan.words[end].span[0]
    return any(one.kind is MentionKind.VALUE and one.span[0] in (start, start - 1) for one in draft.mentions)


def _never(draft: Draft, index: int) -> None:
    """ "were never ordered": rows to which it happened are left out."""
    scan = draft.scan
    at = index + 1
    while scan.at(at) in AUXILIARIES:
        at += 1
    if at >= len(scan) or scan.gap[index] or scan.words[at].stop:
        return
    word = scan.words[at]
    span = scan.span(index, at)
    phrase = Phrase((word.stem,), word.text, word.span)
    draft.filters.append(Clause((Predicate(phrase, Op.HOLDS, negated=True, span=span),), Scope.ASKED, span))


def read_than(draft: Draft, index: int) -> None:
    """ "other than X"; "larger than any", "more than that of all"."""
    scan = draft.scan
    at = index + 1
    while scan.at(at) in ("that", "those", "of", "in", "the"):
        at += 1
    if scan.at(at) in ("any", "all", "every", "each") and scan.at(index - 1) != "other":
        draft.note("any_compared", index - 1, at)
    if draft.scan.at(index - 1) == "other":
        draft.note("negation_asked", index - 1, index)


def read_distinct(draft: Draft, index: int) -> None:
    """ "different", "distinct", "unique" before a noun."""
    scan = draft.scan
    following = scan.at(index + 1)
    if not following or scan.gap[index] or following in PREPOSITIONS or following in CONJUNCTIONS:
        return
    if scan.low[index] in ("different", "various") and scan.at(index - 1) in ("in", "at", "on", "two", "with", "to"):
        return
    if scan.low[index] == "unique" and following in ("id", "identifier", "identification", "key", "code", "number"):
        return
    draft.note("distinct_asked", index, index + 1)
    if not any(getattr(done.expr, "distinct", False) for done in draft.projections):
        draft.distinct = True


def read_both(draft: Draft, index: int) -> None:
    """ "both A and B"."""
    scan = draft.scan
    at = index + 1
    if scan.at(index - 1) in ASK_VERBS:
        # "show both the name and the id": two things to show.
        return
    while at < len(scan) and at - index <= 12 and scan.gap[at - 1] != 2:
        if scan.low[at] == "and":
            draft.note("both_asked", index, min(at + 1, len(scan) - 1))
            return
        at += 1


def read_either(draft: Draft, index: int) -> None:
    """ "either A or B"."""
    scan = draft.scan
    for at in range(index + 1, min(index + 12, len(scan))):
        if scan.low[at] == "or":
            draft.note("either_asked", index, min(at + 1, len(scan) - 1))
            return


def read_format(draft: Draft, index: int) -> None:
    """ "in YYYY-MM-DD format", "formatted as"."""
    scan = draft.scan
    around = scan.low[max(0, index - 6) : index + 6]
    if any(word in ("yyyy", "mm", "dd", "yy", "date", "dates", "iso") for word in around):
        draft.note("date_format_asked", index, index)


def read_rounding(draft: Draft, index: int) -> None:
    """ "two decimal places", "rounded to"."""
    draft.note("rounding_asked", index, index)


def read_compared(draft: Draft, index: int) -> None:
    """ "compared to", "versus", "A or B"."""
    draft.note("compare_asked", index, index)


def read_duration(draft: Draft, index: int) -> None:
    """ "days between", "years since", "time elapsed"."""
    following = draft.scan.at(index + 1)
    if following in ("between", "elapsed", "passed", "apart"):
        draft.note("duration_asked", index, index + 1)


def read_wh(draft: Draft, index: int) -> None:
    """ "who", "when", "where" that open a question."""
    scan = draft.scan
    word = scan.low[index].removesuffix("'s")
    opens = scan.starts_sentence(index) or scan.gap[index - 1] or scan.at(index - 1) in ("and", "tell", "me", "by")
    if not opens or (word != "who" and scan.at(index + 1) not in AUXILIARIES and not scan.low[index].endswith("'s")):
        return
    if scan.gap[index - 1] == GAP and index and word != "who" and scan.at(index + 1) not in _YES_NO:
        return
    draft.note(f"{word}_asked", index, index)
