"""Hints after a question: "X refers to Y = 'z'", "percentage = DIVIDE(…)", "superpowers refers to power_name"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from stef.question.hint_conditions import HintError
from stef.question.hint_parser import HintParser, Token, column, tokens_of
from stef.question.wordlists import word_set
from stef.question.words import tokenize
from stef.records.expressions import Agg, Binary, Case, Expr, Func, Phrase, Span
from stef.records.predicates import Clause, Op
from stef.records.reading import Formula, Mention, MentionKind, Tie
from stef.records.record import record

_MEANS = re.compile(
    r"\b(?:refers? to(?: refers to)?|refers|referring to|means? that|means?|represents?|"
    r"can be (?:represented|presented|found|computed|calculated|acquired|obtained)(?: by| as| with| from)?|"
    r"is represented by|stands? for|pertains? to|corresponds? to|denotes?|implies|indicates?|"
    r"is (?:defined|computed|calculated) as|equals?)\b",
    re.IGNORECASE,
)
_PLAIN_HINT = re.compile(
    r"\b(?:refers? to|means? that|stands? for)\b|\b(?:hint|evidence)\s*:|\w\s?=\s?['\"\d]", re.IGNORECASE
)
_HEADED = re.compile(r"^\s*(?:hints?|evidence|external knowledge|note|notes|context|where)\s*:?\s*", re.IGNORECASE)
_FORMULA = re.compile(
    r"\b(?:DIVIDE|DIVISION|SUBTRACT|MULTIPLY|SUM|COUNT|AVG|MAX|MIN|TOTAL|CAST|strftime|YEAR)\s?\(", re.IGNORECASE
)
_COMPARES = re.compile(
    r"[\w`)\]]\s*(?:>\s?=|<\s?=|<>|!=|=|<|>)|\bIS (?:NOT )?NULL\b|\bLIKE\s+['\"]|\bBETWEEN\b|\bIN\s?\(|"
    r"\bha(?:s|ve) (?:a |no )?values?\b",
    re.IGNORECASE,
)
_TABLE_VALUE = re.compile(r"(?:the )?\b(?P<column>\w+) value in (?:the )?(?P<table>\w+) table (?:is|=)", re.IGNORECASE)
_EXTREME = re.compile(r"\b(?:MAX|MIN)\s?\(", re.IGNORECASE)
_SYNONYMS = re.compile(
    r"^(?P<one>[\w' -]{1,40}) and (?P<other>[\w' -]{1,40}) "
    r"(?:are synonyms?|(?:refer to|mean|share) (?:the )?(?:same|similar))"
)
_NAMES = re.compile(
    r"^(?P<value>['\"“].{1,200}?['\"”]|[\w.-]{1,60}) (?:is|are) (?:the |an |a )?(?P<what>[^=<>]{2,80})$"
)
_IDENTIFIER = re.compile(r"`[^`]+`|[A-Za-z]\w*(?:\.\w+)?(?:\([^)]{0,20}\))?")
_CODE_LIKE = re.compile(r"_|\d|\.|[a-z][A-Z]|`")


@record(frozen=True, slots=True)
class Hints:
    """What the hints of an enriched question say."""

    mentions: tuple[Mention, ...] = ()
    ties: tuple[Tie, ...] = ()
    formulas: tuple[Formula, ...] = ()


def split_hints(text: str) -> tuple[str, tuple[Span, ...]]:
    """The question part of `text`, and the spans of its hints: the lines after the first that read like hints."""
    cut = text.find("\n")
    if cut < 0:
        return _split_line(text)
    lines: list[Span] = []
    question_end = cut
    start = cut + 1
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if line.strip():
            if lines or is_hint(line):
                lines.append((start, end))
            else:
                question_end = end
        start = end + 1
    return text[:question_end], tuple(lines)


def _split_line(text: str) -> tuple[str, tuple[Span, ...]]:
    """A hint behind the question mark of the same line, where it can be nothing else."""
    mark = text.find("? ")
    if mark < 0 or not _PLAIN_HINT.search(text, mark):
        return text, ()
    tail = text[mark + 2 :]
    if tail.rstrip().endswith("?"):
        return text, ()
    return text[: mark + 1], ((mark + 2, len(text)),)


def is_hint(line: str) -> bool:
    """Whether a line explains a question and does not ask one."""
    if line.rstrip().endswith("?"):
        return False
    return (
        _MEANS.search(line) is not None
        or _FORMULA.search(line) is not None
        or _COMPARES.search(line) is not None
        or _NAMES.match(line.strip().rstrip(".;")) is not None
        or _HEADED.match(line) is not None
    )


def read_hints(text: str, spans: tuple[Span, ...], asked: frozenset[str] = frozenset()) -> Hints:
    """What the hints at `spans` say; `asked` are the stems of the question's own words.

    A condition is certain where what it explains stands in the question.
    """
    mentions: list[Mention] = []
    ties: list[Tie] = []
    formulas: list[Formula] = []
    for start, end in _segments(text, spans):
        _Segment(text[start:end], (start, end), asked, mentions, ties, formulas).read()
    return Hints(tuple(_told_apart(mentions, asked)), tuple(ties), tuple(formulas))


def _told_apart(mentions: list[Mention], asked: frozenset[str]) -> Iterator[Mention]:
    """Of hints on several values of one column ("single bond refers to …", "double bond refers to …") only those are
    certain of which the question holds a word that the others do not share."""
    known = [_explained(mention) for mention in mentions]
    for mention, (subject, stems) in zip(mentions, known, strict=True):
        others = [other for about, other in known if about == subject and other != stems] if stems else []
        own = stems - set[str]().union(*others)
        if mention.certain and asked and others and own and not own & asked:
            yield replace(mention, certain=False)
        else:
            yield mention


def _explained(mention: Mention) -> tuple[object, frozenset[str]]:
    """What a hint's condition is about, and the stems of what it explains."""
    predicates = () if mention.clause is None else mention.clause.predicates
    if len(predicates) != 1 or predicates[0].op is not Op.IN:
        return None, frozenset()
    sides = _MEANS.split(mention.text, maxsplit=1)
    side = min(sides, key=lambda one: _COMPARES.search(one) is not None) if len(sides) > 1 else ""
    return predicates[0].subject, frozenset(phrase_of(side).stems)


def _segments(text: str, spans: tuple[Span, ...]) -> Iterator[Span]:
    """Hints are parted by semicolons, and by a full stop before a new one."""
    for start, end in spans:
        at = start
        quote = ""
        for index in range(start, end):
            char = text[index]
            if quote:
                quote = "" if char == quote else quote
            elif char in '"`' or (char == "'" and (index == start or not text[index - 1].isalnum())):
                closing = text.find(char, index + 1, end)
                quote = char if 0 < closing - index < 200 else ""
            elif char == ";" or (char == "." and text[index + 1 : index + 2] in (" ", "") and _ends_word(text, index)):
                yield from _parted(text, at, index)
                at = index + 1
        if text[at:end].strip():
            yield from _parted(text, at, end)


def _ends_word(text: str, dot: int) -> bool:
    """Whether the full stop closes a sentence and no abbreviation ("i.e.", "No.")."""
    word = text[max(0, dot - 4) : dot].rsplit(" ", 1)[-1]
    return len(word) >= 3 and "." not in word


def _parted(text: str, start: int, end: int) -> Iterator[Span]:
    """ "A refers to a, B refers to b": two hints, parted at the comma before the second."""
    matches = list(_MEANS.finditer(text, start, end))
    at = start
    for match in matches[1:5]:
        comma = text.rfind(",", at, match.start())
        if comma > at and _MEANS.search(text, at, comma) is not None:
            yield at, comma
            at = comma + 1
    yield at, end


@dataclass(slots=True)
class _Segment:
    text: str
    span: Span
    asked: frozenset[str]
    mentions: list[Mention]
    ties: list[Tie]
    formulas: list[Formula]

    def read(self) -> None:
        body = _HEADED.sub("", self.text).strip().strip(",")
        if not body:
            return
        same = _SYNONYMS.match(body)
        if same is not None:
            self.ties.append(Tie(phrase_of(same["one"]), phrase_of(same["other"]), body, self.span))
            return
        match = _MEANS.search(body)
        if match is not None:
            self._explained(body[: match.start()].strip(" ,"), body[match.end() :].strip(" ,:"))
            return
        named = _NAMES.match(body)
        if named is not None and not _COMPARES.search(body):
            self._named(named["value"].strip("'\"“”"), named["what"])
            return
        self._bare(body)

    def _explained(self, left: str, right: str) -> None:
        """ "LEFT refers to RIGHT", in either direction."""
        if _COMPARES.search(left) and not _COMPARES.search(right):
            left, right = right, left
        right = _TABLE_VALUE.sub(r"\g<table>.\g<column> =", right)
        phrase = phrase_of(left.strip("'\""))
        if self._condition(phrase, right, anywhere=False):
            self._extreme(phrase, right)
            return
        if (_FORMULA.search(right) or _arithmetic(right)) and self._formula(phrase, right):
            return
        if not (_COMPARES.search(right) and self._condition(phrase, right)):
            self._tie(phrase, right.strip("'\""))

    def _extreme(self, phrase: Phrase, right: str) -> None:
        """ "attribute_name = 'Speed' where MIN(attribute_value)": a condition, and a superlative."""
        match = _EXTREME.search(right)
        if match is not None:
            self._formula(phrase, right[match.start() :])

    def _named(self, value: str, what: str) -> None:
        self.ties.append(Tie(phrase_of(value), phrase_of(what), self.text.strip(), self.span))

    def _bare(self, body: str) -> None:
        """ "percentage = DIVIDE(…)", "full name = forename, surname", "Charter = 0"."""
        head, sign, tail = body.partition("=")
        if sign and not head.rstrip().endswith((">", "<", "!")):
            name = head.strip()
            several = len(name.split()) > 1 and not name.startswith(("`", '"'))
            if several and _COMPARES.search(tail) and self._condition(phrase_of(name), tail, anywhere=False):
                return
            formula = _FORMULA.search(tail) or _arithmetic(tail)
            if formula and not _FORMULA.search(name) and self._formula(phrase_of(name), tail):
                return
            if several and not _FORMULA.search(name) and not _is_literal(tail):
                if not self._condition(phrase_of(name), tail):
                    self._tie(phrase_of(name), tail)
                return
        if _COMPARES.search(body) and self._condition(Phrase(()), body):
            return
        if _FORMULA.search(body):
            at = _FORMULA.search(body)
            lead = body[: at.start()] if at else ""
            self._formula(phrase_of(lead), body[len(lead) :])

    def _condition(self, phrase: Phrase, text: str, *, anywhere: bool = True) -> bool:
        if not _COMPARES.search(text):
            return False
        clauses = tuple(clause for clause in condition_in(text, anywhere=anywhere) if not _is_join(clause))
        if not clauses:
            return False
        certain = not phrase.stems or not self.asked or any(stem in self.asked for stem in phrase.stems)
        for clause in clauses:
            placed = Clause(clause.predicates, clause.scope, self.span)
            self.mentions.append(Mention(MentionKind.HINT, self.text.strip(), self.span, placed, certain))
        return True

    def _formula(self, phrase: Phrase, text: str) -> bool:
        expr = formula_in(text)
        if expr is None:
            return False
        self.formulas.append(Formula(phrase, expr, self.text.strip(), self.span))
        return True

    def _tie(self, phrase: Phrase, text: str) -> None:
        names = [name for name in re.split(r",| and ", text) if name.strip()][:8]
        for name in names:
            target = _identifier(name.strip())
            if target is not None and phrase.stems:
                self.ties.append(Tie(phrase, target, self.text.strip(), self.span))


def phrase_of(text: str) -> Phrase:
    """A Phrase of the words of a hint's explained side."""
    words = tokenize(text)
    return Phrase(tuple(word.stem for word in words if not word.stop), text.strip())


def condition_in(text: str, *, anywhere: bool = True) -> tuple[Clause, ...]:
    """The condition that `text` writes, in conjunctive normal form; empty where it writes none.

    `anywhere`: it need not stand at the beginning.
    """
    tokens = tokens_of(text)
    for start in _starts(tokens):
        parser = HintParser(tokens[start:])
        try:
            return parser.condition()
        except HintError:
            if not anywhere:
                break
    return ()


def _starts(tokens: list[Token]) -> Iterator[int]:
    """Where a condition may start: at the beginning, after "where" or "that", and right before an operator."""
    yield 0
    for index, token in enumerate(tokens[:60]):
        if token.kind == "word" and token.text.lower() in ("where", "when", "that", "as", "whose", "value", "schools"):
            yield index + 1
    for index, token in enumerate(tokens[1:60]):
        if token.text in ("=", ">", "<", ">=", "<=", "!=", "<>") and tokens[index].kind in ("word", "quoted"):
            yield index


def formula_in(text: str) -> Expr | None:
    """The formula that `text` writes, or None."""
    tokens = tokens_of(text)
    if not tokens:
        return None
    start = next((i for i, token in enumerate(tokens) if token.text.lower() in _CALLS), 0)
    for at in sorted({0, start}):
        parser = HintParser(tokens[at:])
        try:
            expr = parser.expression()
        except HintError:
            continue
        if parser.rest in ("+", "-", "*", "/", "&", ">", "<"):
            continue
        if isinstance(expr, Agg | Binary | Func | Case):
            return expr
    return None


_CALLS = word_set("divide division subtract multiply sum count avg average max min total")


def _arithmetic(text: str) -> bool:
    return (
        re.search(r"[\w`)\]]\s+[-+*/]\s+[\w`(\[]", text) is not None
        or re.search(r"[)\w`]\s*[/*]\s*[\w`(]", text) is not None
    )


def _is_literal(text: str) -> bool:
    return re.match(r"\s*(?:['\"]|-?\d)", text) is not None


def _is_join(clause: Clause) -> bool:
    """ "eye_colour_id = colour.id", "gap = A - B": two expressions made equal are no filter on a value."""
    one = clause.predicates[0]
    return one.op is Op.COMPARE and one.comparator == "="


def _identifier(name: str) -> Expr | None:
    """The column that a word names; a Phrase where it is plain English."""
    cleaned = re.sub(
        r"^(?:the|a|an|when|by|column|columns|field|value of)\s+", "", name.strip(" .,:()'\""), flags=re.IGNORECASE
    )
    if not cleaned:
        return None
    if _IDENTIFIER.fullmatch(cleaned):
        return column(cleaned)
    if _CODE_LIKE.search(cleaned):
        found = _IDENTIFIER.match(cleaned)
        if found is not None and _CODE_LIKE.search(found.group()):
            return column(found.group())
    phrase = phrase_of(cleaned)
    return phrase if phrase.stems else None
