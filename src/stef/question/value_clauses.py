"""The filters that values state: equality, patterns ("containing", "starts with"), and their negations."""

from stef.question.scan import STOP, Scan, phrase_before
from stef.question.values import ValueMention
from stef.question.wordlists import word_set
from stef.records.expressions import Literal, Phrase
from stef.records.predicates import Clause, Op, Pattern, PatternKind, Predicate, Scope
from stef.sql.literals import fold_text

_NAMERS = word_set("named called titled nicknamed labeled labelled known entitled")
_NEGATORS = word_set("not without except excluding never no neither nor besides cannot")


def value_clause(scan: Scan, value: ValueMention) -> Clause:
    """The filter that a value states: equality, or a pattern ("containing"), negated where the words say so."""
    kind = _pattern_kind(scan, value)
    subject = value_subject(scan, value, _INTRODUCING if kind is not None else _NAMERS)
    negated = is_negated(scan, value.first)
    if kind is not None:
        pattern = Pattern(kind, fold_text(value.text))
        predicate = Predicate(subject, Op.LIKE, negated, pattern=pattern, span=value.span)
    else:
        literal = Literal(fold_text(value.text), value.text, value.quoted, value.span)
        predicate = Predicate(subject, Op.IN, negated, values=(literal,), span=value.span)
    return Clause((predicate,), Scope.ASKED, value.span)


def value_subject(scan: Scan, value: ValueMention, skipped: frozenset[str]) -> Phrase:
    """What the words say that the value is of ("airport 'CVO'", "the city of Aberdeen"); no stems where they do not.

    `skipped` are words between the two that say nothing of it ("named", "contains the word").
    """
    index = value.first
    while index > 0 and value.first - index < 6 and scan.low[index - 1] in skipped and scan.gap[index - 1] != STOP:
        index -= 1
    phrase = phrase_before(scan, index)
    return phrase if phrase is not None else Phrase(())


_PATTERN_WORDS = word_set("word words substring letter letters phrase string text contain contains containing")
_PREFIX_WORDS = word_set("start starts starting started begin begins beginning")
_SUFFIX_WORDS = word_set("end ends ending ended")


_INTRODUCING = (
    _NAMERS
    | _PATTERN_WORDS
    | _PREFIX_WORDS
    | _SUFFIX_WORDS
    | word_set("the a with by in include includes including like not")
) - {"text"}


def _pattern_kind(scan: Scan, value: ValueMention) -> PatternKind | None:
    before = scan.low[max(0, value.first - 5) : value.first]
    for word in reversed(before):
        if word in _PREFIX_WORDS:
            return PatternKind.PREFIX
        if word in _SUFFIX_WORDS:
            return PatternKind.SUFFIX
        if word in _PATTERN_WORDS:
            continue
        if word not in ("the", "with", "a", "in", "by", "like"):
            break
    nearest = before[-2:]
    if any(word in _PATTERN_WORDS for word in nearest):
        return PatternKind.CONTAINS
    after = scan.low[value.last + 1 : value.last + 4]
    if value.quoted and len(after) == 3 and after[0] in ("in", "within") and after[2] in _TITLES:
        return PatternKind.CONTAINS
    return None


_TITLES = word_set("name names title titles description text address")


def _only_quoted(scan: Scan, at: int, index: int) -> bool:
    """Whether nothing but an opening quote stands between word `at` and the value at `index`."""
    if at != index - 1 or index >= len(scan.words):  # a value of signs alone, at the end, is no word
        return False
    return not scan.text[scan.words[at].span[1] : scan.words[index].span[0]].strip(' "“”')


def is_negated(scan: Scan, index: int) -> bool:
    """Whether a negation before word `index`, in the same part of the sentence, covers it."""
    at = index - 1
    while at >= 0 and index - at <= 7:
        word = scan.low[at]
        parted = scan.gap[at] and not _only_quoted(scan, at, index)
        if parted or word in ("and", "but", "or", "which", "who", "that") or scan.taken[at]:
            return word in ("that", "but") and False
        if word in _NEGATORS or word.endswith("n't"):
            return scan.at(at + 1) not in ("more", "less", "only", "fewer", "later", "earlier")
        if word == "than" and scan.at(at - 1) == "other":
            return True
        at -= 1
    return False
