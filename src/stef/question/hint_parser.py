"""Hints write half SQL, half English ("DIVIDE(SUM(x WHERE y = 'z'), COUNT(id))"): a forgiving parser of their own kind.

It reads conditions and formulas straight into the algebra of a Spec; columns are Columns, several words a Phrase.
"""

import re

from stef.question.hint_conditions import (
    HintError,
    among,
    compare,
    conjunction,
    disjunction,
    like,
    negate,
    null,
    within,
)
from stef.question.wordlists import word_set
from stef.question.words import stem
from stef.records.expressions import Agg, Binary, Column, Expr, Func, Literal, Phrase, Star
from stef.records.predicates import Clause
from stef.records.record import record
from stef.sql.literals import fold_name, number_literal, text_literal

_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*'|\"[^\"]*\")|(?P<quoted>`[^`]*`(?:\.`[^`]*`)?)|(?P<number>\d+(?:\.\d+)?(?![\w.]))|"
    r"(?P<word>[^\W\d]\w*(?:\.(?:\w+|`[^`]*`))*|\d\w*)|(?P<op>>\s?=|<\s?=|<>|!\s?=|==|[-=<>+*/%(),\[\]|.:&?!^~{}@#$\\]))"
)
MAX_TOKENS = 400
MAX_DEPTH = 40
MAX_STEPS = 1500
"""Going back costs steps, so that nested brackets that lead nowhere end soon."""

_AGGS = {"sum": "SUM", "count": "COUNT", "avg": "AVG", "average": "AVG", "max": "MAX", "min": "MIN", "total": "SUM"}
_ARITHMETIC = {
    "divide": "/", "division": "/", "divided": "/", "subtract": "-", "subtraction": "-", "multiply": "*",
    "multiplication": "*", "add": "+", "plus": "+",
}  # fmt: skip
_CALLED = word_set("year month day date strftime substr substring upper lower cast julianday length abs")
_KEYWORDS = word_set(
    "and or not in is like between where when then as desc asc order by limit null from having has have"
)


@record(frozen=True, slots=True)
class Token:
    """A token of a hint: its kind (text, quoted, number, word, op), its text, and whether a space stands before it."""

    kind: str
    text: str
    spaced: bool


def tokens_of(text: str) -> list[Token]:
    """The tokens of a hint; characters that belong to none are left out."""
    found: list[Token] = []
    at = 0
    while at < len(text) and len(found) < MAX_TOKENS:
        match = _TOKEN.match(text, at)
        if match is None:
            at += 1
            continue
        kind = match.lastgroup or "op"
        body = match.group(kind)
        spaced = match.start(kind) > match.start()
        if body == "(" and found and found[-1].text.lower() in _CALLED:
            spaced = False  # "year (born) > 1980" calls, as year(born) does
        found.append(Token(kind, body.replace(" ", "") if kind == "op" else body, spaced))
        at = match.end()
    return found


def column(name: str) -> Column:
    """A column by the name that a hint gives it, with its table where it is qualified."""
    parts = [part for part in re.split(r"[.`]+", name) if part]
    table = fold_name(parts[-2]) if len(parts) > 1 else ""
    sources = (table,) if table and not (len(table) < 4 and table[0] == "t" and table[1:].isdigit()) else ()
    return Column(fold_name(parts[-1]) if parts else "", sources)


class HintParser:
    """One pass over the tokens of a hint. Raises HintError where they make no sense."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._budget = MAX_STEPS

    @property
    def rest(self) -> str:
        """The first token that was not read, after closing brackets; empty where all were read."""
        at = self._at
        while at < len(self._tokens) and self._tokens[at].text in (")", "]", "%", ".", ",", "@"):
            at += 1
        return self._tokens[at].text if at < len(self._tokens) else ""

    @property
    def done(self) -> bool:
        """Whether all tokens were read."""
        return self._at >= len(self._tokens)

    def _peek(self, ahead: int = 0) -> Token | None:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else None

    def _low(self, ahead: int = 0) -> str:
        token = self._peek(ahead)
        return token.text.lower() if token is not None and token.kind in ("word", "op") else ""

    def _take(self, *texts: str) -> bool:
        if self._low() in texts:
            self._at += 1
            return True
        return False

    def condition(self) -> tuple[Clause, ...]:
        """A condition in conjunctive normal form."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise HintError
        branches = [self._conjunction()]
        while self._take("or"):
            branches.append(self._conjunction())
        self._depth -= 1
        if len(branches) == 1:
            return branches[0]
        return disjunction(branches)

    def _conjunction(self) -> tuple[Clause, ...]:
        clauses = self._negation()
        while self._low() in ("and", "&", "where"):
            mark = self._at, self._depth
            self._at += 1
            try:
                clauses += self._negation()
            except HintError:
                # "… and vice versa": English goes on where the condition ends.
                self._at, self._depth = mark
                break
        return conjunction(clauses) if len(clauses) > 1 else clauses

    def _negation(self) -> tuple[Clause, ...]:
        if self._take("not"):
            return negate(self._negation())
        if self._low() == "(":
            mark = self._at, self._depth
            try:
                self._at += 1
                inner = self.condition()
                self._take(")")
            except HintError:
                self._at, self._depth = mark
            else:
                return inner
        return self._comparison()

    def _comparison(self) -> tuple[Clause, ...]:
        subject = self.expression()
        negated = self._take("not")
        low = self._low()
        if low in ("is", "has", "have"):
            return self._state(subject)
        if low == "in":
            self._at += 1
            return self._membership(subject, negated)
        if low == "like":
            self._at += 1
            return like(subject, self._literal(), negated)
        if low == "between":
            self._at += 1
            bottom = self._literal()
            if not self._take("and"):
                raise HintError
            return within(subject, bottom, self._literal())
        if low in ("=", "==", "!=", "<>", "<", ">", "<=", ">="):
            self._at += 1
            other = self.expression()
            if low == "=" and self._low() == "=" and isinstance(other, Column | Phrase):
                # "UserId = OwnerUserId = '24'".
                self._at += 1
                subject, other = other, self.expression()
            return compare(subject, {"==": "=", "!=": "<>"}.get(low, low), other)
        raise HintError

    def _state(self, subject: Expr) -> tuple[Clause, ...]:
        """IS [NOT] NULL, IS a constant, HAS [NO] VALUE."""
        if not self._take("is"):
            self._at += 1
            self._take("a", "any")
            absent = self._take("no")
            if self._take("value", "values"):
                return null(subject, not absent)
            raise HintError
        negated = self._take("not")
        if self._take("null", "empty", "blank", "missing"):
            return null(subject, negated)
        following = self._peek()
        if following is not None and following.kind in ("text", "number"):
            return among(subject, (self._literal(),), negated)
        raise HintError

    def _membership(self, subject: Expr, negated: bool) -> tuple[Clause, ...]:
        if not self._take("("):
            raise HintError
        values = [self._literal()]
        while self._take(",", "or"):
            values.append(self._literal())
        self._take(")")
        return among(subject, values, negated)

    def _literal(self) -> Literal:
        expr = self._primary()
        if isinstance(expr, Literal):
            return expr
        raise HintError

    def expression(self) -> Expr:
        """Sums of products of names, constants and function calls."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise HintError
        left = self._product()
        while self._low() in ("+", "-"):
            op = self._low()
            self._at += 1
            left = Binary(op, left, self._product())
        self._depth -= 1
        return left

    def _product(self) -> Expr:
        left = self._primary()
        while self._low() in ("*", "/", "%") and self._peek(1) is not None:
            op = self._low()
            self._at += 1
            left = Binary(op, left, self._primary())
        return left

    def _primary(self) -> Expr:
        token = self._peek()
        self._budget -= 1
        if token is None or self._budget < 0:
            raise HintError
        self._at += 1
        match token.kind:
            case "text":
                return text_literal(token.text[1:-1].replace("''", "'"))
            case "number":
                return number_literal(token.text)
            case "quoted":
                return column(token.text)
            case "word":
                return self._named(token)
        if token.text in ("(", "["):
            inner = self.expression()
            self._take(")", "]")
            return inner
        if token.text == "*":
            return Star()
        following = self._peek()
        if token.text in ("-", "+") and following is not None and following.kind == "number":
            self._at += 1
            return number_literal(token.text.replace("+", "") + following.text)
        raise HintError

    def _named(self, token: Token) -> Expr:
        low = token.text.lower()
        following = self._peek()
        if low == "null":
            return Literal(None, token.text)
        if low in _KEYWORDS:
            raise HintError
        calls = following is not None and following.text == "("
        if calls and (low in _AGGS or low in _ARITHMETIC or (following is not None and not following.spaced)):
            self._at += 1
            return self._call(low)
        return _name_of(self._name_words(token))

    def _name_words(self, token: Token) -> list[str]:
        """The words of a name that is written in English ("Free Meal Count (K-12)")."""
        words = [token.text]
        while (nearby := self._peek()) is not None:
            if nearby.kind == "word" and nearby.text.lower() not in _KEYWORDS:
                words.append(nearby.text)
                self._at += 1
            elif nearby.text == "(" and nearby.spaced and self._closes():
                words += self._parenthesis()
            else:
                break
        return words

    def _closes(self) -> bool:
        return any(token.text == ")" for token in self._tokens[self._at : self._at + 7])

    def _parenthesis(self) -> list[str]:
        """ "Enrollment (K-12)": words in parentheses belong to the name."""
        words = []
        self._at += 1
        while not self.done and not self._take(")"):
            words.append(self._tokens[self._at].text)
            self._at += 1
        return words

    def _call(self, name: str) -> Expr:
        if name in _AGGS:
            return self._aggregate(_AGGS[name])
        args = self._arguments()
        op = _ARITHMETIC.get(name)
        if op is None:
            return Func(name.upper(), tuple(args))
        if len(args) < 2:
            if len(args) == 1:
                return args[0]
            raise HintError
        result = args[0]
        for arg in args[1:]:
            result = Binary(op, result, arg)
        return result

    def _arguments(self) -> list[Expr]:
        args: list[Expr] = []
        while not self.done and not self._take(")"):
            args.append(self.expression())
            if not self._take(",") and self._low() != ")":
                # "strftime('%Y', date) = '2012'" inside a call: the rest is not for us.
                self._skip_to_close()
        return args

    def _skip_to_close(self) -> None:
        depth = 0
        while not self.done:
            low = self._low()
            if low in (")", ",") and depth == 0:
                self._take(",")
                return
            depth += {"(": 1, ")": -1}.get(low, 0)
            self._at += 1

    def _aggregate(self, name: str) -> Expr:
        distinct = self._take("distinct")
        mark = self._at, self._depth
        arg: Expr | None = None
        filters: tuple[Clause, ...] = ()
        try:
            filters = self.condition()
            if self._take("then"):
                arg = self.expression()
            elif name in ("SUM", "COUNT"):
                name = "COUNT"
        except HintError:
            self._at, self._depth = mark
            arg = self.expression()
            if self._take("where", "when", "if"):
                filters = self._tolerant_condition()
        while self._take(","):
            # "SUM(home_goal, away_goal)" adds them.
            arg = Binary("+", arg, self.expression()) if arg is not None else self.expression()
        if self._low() not in (")", ""):
            self._skip_to_close()
        self._take(")")
        if self._take("where", "when"):
            filters += self._tolerant_condition()
        if isinstance(arg, Star):
            arg = None
        return Agg(name, arg, distinct, filters)

    def _tolerant_condition(self) -> tuple[Clause, ...]:
        mark = self._at, self._depth
        try:
            return self.condition()
        except HintError:
            self._at, self._depth = mark
            while not self.done and self._low() not in (")", ","):
                self._at += 1
            return ()


def _name_of(words: list[str]) -> Expr:
    """A column where one word names it; a Phrase where several do."""
    for opener in ("whose", "that"):
        if opener in words[1:-1]:
            words = words[words.index(opener) + 1 :]
    while len(words) > 1 and words[0].lower() in ("the", "a", "an"):
        words = words[1:]
    if len(words) > 1 and words[-1].lower() in ("value", "column", "field"):
        words = words[:-1]
    if len(words) == 1:
        return column(words[0])
    return Phrase(tuple(stem(word) for word in words if word not in ("of", "the", "-", "(", ")")), " ".join(words))
