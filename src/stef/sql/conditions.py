"""Conditions: AND, OR and NOT to conjunctive normal form, and what each kind of test means."""

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from stef.records.expressions import Case, Column, Expr, Func, Literal, Opaque, Span, Subquery
from stef.records.predicates import Op, PatternKind, Predicate
from stef.sql import patterns, times
from stef.sql.logic import disjoin
from stef.sql.names import read_operand
from stef.sql.predicates import OPPOSITE, against_literal, among, compare
from stef.sql.walk import MAX_DEPTH, Cnf, Node, Walk


def condition(walk: Walk, node: Node, negated: bool) -> Cnf:
    """The clauses that `node`, or its negation, means."""
    kind = type(node)
    while True:
        if kind is exp.Paren:
            node = node.args["this"]
        elif kind is exp.Not:
            node = node.args["this"]
            negated = not negated
        else:
            break
        kind = type(node)
    if walk.depth >= MAX_DEPTH:
        return [(Predicate(Opaque("too_deep"), Op.HOLDS, negated, span=walk.span(node)),)]
    walk.depth += 1
    try:
        if kind is exp.And or kind is exp.Or:
            return _connected(walk, node, negated)
        atom = ATOMS.get(kind)
        if atom is not None:
            if kind in walk.foreign:
                walk.note("function_not_in_dialect", kind.__name__.upper(), walk.span(node))
            return atom(walk, node, negated)
        return _holds(walk, node, negated)
    finally:
        walk.depth -= 1


def _connected(walk: Walk, node: Node, negated: bool) -> Cnf:
    kind = type(node)
    operands = flatten(node, kind)
    if (kind is exp.And) != negated:
        clauses: Cnf = []
        for operand in operands:
            clauses.extend(condition(walk, operand, negated))
        return clauses
    if not negated and any(type(operand) is exp.And for operand in operands):
        walk.note("mixed_and_or", "", walk.span(node))
    found = disjoin([condition(walk, operand, negated) for operand in operands])
    if found is not None:
        return found
    span = walk.span(node)
    walk.note("filter_too_complex", "", span)
    return [(Predicate(_opaque(walk, operands), Op.HOLDS, negated, span=span),)]


def flatten(node: Node, kind: type[Node]) -> list[Node]:
    """The operands of a chain of one connector, in order; a chain of 10,000 is a tree as deep, so no recursion."""
    operands: list[Node] = []
    stack = [node]
    while stack:
        item = stack.pop()
        while type(item) is exp.Paren and type(item.args["this"]) is kind:
            item = item.args["this"]
        if type(item) is kind:
            stack.append(item.args["expression"])
            stack.append(item.args["this"])
        else:
            operands.append(item)
    return operands


def _opaque(walk: Walk, operands: list[Node]) -> Expr:
    """A condition that is too large to be written out, with the columns that it tests."""
    columns: dict[Expr, None] = {}
    stack = list(operands)
    while stack and len(columns) < 64:
        item = stack.pop()
        if type(item) is exp.Column:
            columns[walk.expr(item)] = None
            continue
        for value in item.args.values():
            if isinstance(value, exp.Expr):
                stack.append(value)
            elif isinstance(value, list):
                stack.extend(child for child in value if isinstance(child, exp.Expr))
    return Opaque("condition", tuple(columns))


def _holds(walk: Walk, node: Node, negated: bool) -> Cnf:
    """A boolean expression that is no test: a column stands for itself being true."""
    span = walk.span(node)
    expr = walk.expr(node)
    if type(expr) is Literal:
        truth = bool(expr.value) if not isinstance(expr.value, str) else True
        walk.note("constant_condition", "", span)
        return [] if truth != negated else [()]
    if type(expr) is Case and not negated:
        return against_literal(walk, expr, "=", Literal(True, "TRUE"), span)
    if type(expr) is Column:
        return [(Predicate(expr, Op.IN, values=(Literal(negated is False, str(not negated)),), span=span),)]
    if type(expr) is Func:
        test = _FUNCTIONS.get(expr.name)
        found = test(expr, span) if test is not None else None
        if found is not None:
            return patterns.negate(found, negated=negated)
    return [(Predicate(expr, Op.HOLDS, negated, span=span),)]


def _pattern_function(kind: PatternKind) -> Callable[[Func, Span | None], Predicate | None]:
    def test(expr: Func, span: Span | None) -> Predicate | None:
        text = patterns.text_of(expr.args[1]) if len(expr.args) == 2 else None
        if text is None:
            return None
        subject, folded = _unfolded(expr.args[0])
        return times.prefix_test(patterns.pattern(subject, kind, text, span, folded=folded))

    return test


_FUNCTIONS: dict[str, Callable[[Func, Span | None], Predicate | None]] = {
    "STARTS_WITH": _pattern_function(PatternKind.PREFIX),
    "STARTSWITH": _pattern_function(PatternKind.PREFIX),
    "ENDS_WITH": _pattern_function(PatternKind.SUFFIX),
    "ENDSWITH": _pattern_function(PatternKind.SUFFIX),
    "CONTAINS": _pattern_function(PatternKind.CONTAINS),
    "STRPOS": lambda expr, span: _pattern_function(PatternKind.CONTAINS)(Func("CONTAINS", expr.args), span),
}


def _unfolded(subject: Expr) -> tuple[Expr, bool]:
    folded = False
    while type(subject) is Func and subject.name in ("LOWER", "UPPER", "TRIM", "COLLATE"):
        subject, folded = subject.args[0], True
    return subject, folded


def _comparison(op: str) -> Callable[[Walk, Node, bool], Cnf]:
    def read(walk: Walk, node: Node, negated: bool) -> Cnf:
        args = node.args
        first, second = args["this"], args["expression"]
        actual = OPPOSITE[op] if negated else op
        if type(second) is exp.Boolean and type(first) in ATOMS and op in ("=", "<>"):
            return condition(walk, first, negated != (bool(second.this) != (op == "=")))
        if type(second) in (exp.Any, exp.All) or type(first) in (exp.Any, exp.All):
            if exp.Any in walk.foreign:
                walk.note("function_not_in_dialect", type(second).__name__.upper(), walk.span(node))
            return _quantified(walk, node, op, negated)
        if type(second) is exp.Tuple and type(first) is exp.Tuple and actual == "=":
            return [
                clause
                for pair in zip(first.expressions, second.expressions, strict=False)
                for clause in compare(walk, walk.expr(pair[0]), "=", walk.expr(pair[1]), walk.span(node))
            ]
        if walk.dialect == "sqlite":
            _affinity(walk, first, second)
        return compare(walk, walk.expr(first), actual, read_operand(walk, second), walk.span(node))

    return read


def _affinity(walk: Walk, left: Node, right: Node) -> None:
    """In SQLite the text of strftime never equals a number."""
    for text, other in ((left, right), (right, left)):
        if type(text) in (exp.TimeToStr, exp.Substring) and type(other) is exp.Literal and not other.is_string:
            walk.note("text_compared_with_number", other.name, walk.span(other))


def _quantified(walk: Walk, node: Node, op: str, negated: bool) -> Cnf:
    """`= ANY (…)`, `<> ALL (…)` and the rest."""
    first, second = node.args["this"], node.args["expression"]
    quantifier = type(second)
    inner = second.args["this"] if quantifier in (exp.Any, exp.All) else second
    while type(inner) in (exp.Paren, exp.Tuple) and len(inner.expressions or [inner.this]) == 1:
        inner = (inner.expressions or [inner.this])[0]
    subject = walk.expr(first)
    span = walk.span(node)
    positive = op == "=" and quantifier is exp.Any
    if positive or (op == "<>" and quantifier is exp.All):
        return _among_nodes(walk, subject, inner, span, negated=negated == positive)
    other = Func("ANY" if quantifier is exp.Any else "ALL", (walk.expr(inner),))
    if negated:
        other, op = Func("ALL" if quantifier is exp.Any else "ANY", other.args), OPPOSITE[op]
    return [(Predicate(subject, Op.COMPARE, comparator=op, other=other, span=span),)]


def _among_nodes(walk: Walk, subject: Expr, inner: Node, span: Span | None, *, negated: bool) -> Cnf:
    if isinstance(inner, exp.Array | exp.Tuple):
        return _among_list(walk, subject, list(inner.expressions), span, negated=negated)
    other = walk.expr(inner)
    if type(other) is Subquery:
        return among_query(walk, subject, other, span, negated=negated)
    return [(Predicate(Func("MEMBER", (subject, other)), Op.HOLDS, negated, span=span),)]


def _among_list(walk: Walk, subject: Expr, nodes: list[Node], span: Span | None, *, negated: bool) -> Cnf:
    literals: list[Literal] = []
    others: list[Expr] = []
    for node in nodes:
        item = read_operand(walk, node)
        if type(item) is Literal:
            literals.append(item)
        else:
            others.append(item)
    if not others:
        return among(walk, subject, literals, span, negated=negated) if literals else [] if negated else [()]
    op = "<>" if negated else "="
    parts = [compare(walk, subject, op, other, span) for other in others]
    if literals:
        parts.append(among(walk, subject, literals, span, negated=negated))
    if negated:
        return [clause for part in parts for clause in part]
    return disjoin(parts) or []


def _in(walk: Walk, node: Node, negated: bool) -> Cnf:
    args = node.args
    negated ^= bool(args.get("negate"))
    span = walk.span(node)
    query = args.get("query")
    this = args["this"]
    if query is not None:
        subject = walk.expr(this)
        other = walk.expr(query)
        if type(other) is Subquery:
            return among_query(walk, subject, other, span, negated=negated)
        return [(Predicate(Func("MEMBER", (subject, other)), Op.HOLDS, negated, span=span),)]
    source = args.get("unnest") or args.get("field")
    if source is not None:
        subject = walk.expr(this)
        inner = source.expressions[0] if isinstance(source, exp.Unnest) and source.expressions else source
        return _among_nodes(walk, subject, inner, span, negated=negated)
    items = args.get("expressions") or []
    if type(this) is exp.Tuple and all(type(item) is exp.Tuple for item in items):
        return _tuples(walk, this, items, span, negated)
    subject = walk.expr(this)
    if len(items) == 1 and isinstance(items[0], exp.Subquery | exp.Select):
        other = walk.expr(items[0])
        if type(other) is Subquery:
            return among_query(walk, subject, other, span, negated=negated)
    return _among_list(walk, subject, items, span, negated=negated)


def _tuples(walk: Walk, this: Node, items: list[Node], span: Span | None, negated: bool) -> Cnf:
    subjects = walk.exprs(this.expressions)
    rows: list[Cnf] = []
    for item in items[:16]:
        row = [
            compare(walk, subject, "<>" if negated else "=", walk.expr(value), span)
            for subject, value in zip(subjects, item.expressions, strict=False)
        ]
        rows.append((disjoin(row) or []) if negated else [clause for part in row for clause in part])
    if len(items) <= 16:
        found = [clause for row in rows for clause in row] if negated else disjoin(rows)
        if found is not None:
            return found
    walk.note("filter_too_complex", "", span)
    return [(Predicate(Func("ROW", subjects), Op.HOLDS, negated, span=span),)]


def among_query(walk: Walk, subject: Expr, other: Subquery, span: Span | None, *, negated: bool) -> Cnf:
    """`subject IN (SELECT …)`: an aggregate's single row makes it an equality."""
    from stef.sql.subqueries import scalar, without_null_test  # noqa: PLC0415

    if scalar(other.query):
        return compare(walk, subject, "<>" if negated else "=", other, span)
    if negated:
        other = without_null_test(walk, other, span)
    return [(Predicate(subject, Op.IN_QUERY, negated, other=other, span=span),)]


def _exists(walk: Walk, node: Node, negated: bool) -> Cnf:
    from stef.sql.subqueries import exists  # noqa: PLC0415

    other = walk.expr(node.args["this"])
    if type(other) is not Subquery:
        return [(Predicate(other, Op.HOLDS, negated, span=walk.span(node)),)]
    return [(exists(other, negated, walk.span(node)),)]


def _between(walk: Walk, node: Node, negated: bool) -> Cnf:
    args = node.args
    negated ^= bool(args.get("negate"))
    subject = walk.expr(args["this"])
    span = walk.span(node)
    low = compare(walk, subject, "<" if negated else ">=", read_operand(walk, args["low"]), span)
    high = compare(walk, subject, ">" if negated else "<=", read_operand(walk, args["high"]), span)
    if negated:
        return disjoin([low, high]) or []
    return [*low, *high]


def _is(walk: Walk, node: Node, negated: bool) -> Cnf:
    args = node.args
    negated ^= bool(args.get("negate"))
    right = args["expression"]
    if type(right) is exp.Not:
        right, negated = right.args["this"], not negated
    if type(right) is exp.Null:
        return [(Predicate(walk.expr(args["this"]), Op.NULL, negated, span=walk.span(node)),)]
    if type(right) is exp.Boolean:
        truth = bool(right.this)
        if negated:
            # `IS NOT TRUE` also holds for NULL.
            inner = condition(walk, args["this"], truth)
            null: Cnf = [(Predicate(walk.expr(args["this"]), Op.NULL, span=walk.span(node)),)]
            return disjoin([inner, null]) or []
        return condition(walk, args["this"], not truth)
    return compare(walk, walk.expr(args["this"]), "<>" if negated else "=", walk.expr(right), walk.span(node))


def _like(folded: bool, escape: str | None = None) -> Callable[[Walk, Node, bool], Cnf]:
    def read(walk: Walk, node: Node, negated: bool) -> Cnf:
        return _read_like(walk, node, negated, escape, folded=folded)

    return read


def _read_like(walk: Walk, node: Node, negated: bool, escape: str | None, *, folded: bool) -> Cnf:
    args = node.args
    negated ^= bool(args.get("negate"))
    right = args["expression"]
    if type(right) in (exp.Any, exp.All):
        return _any_like(walk, node, right, negated, folded=folded)
    if escape is None and walk.dialect in patterns.ESCAPES_BY_DEFAULT:
        escape = "\\"
    subject, unfolded = _unfolded(walk.expr(args["this"]))
    found = read_operand(walk, right)
    span = walk.span(node)
    found, other_folded = _unfolded(found)
    text = patterns.text_of(found) if type(found) is Literal else None
    if text is None:
        op = Func("LIKE", (subject, found))
        return [(Predicate(op, Op.HOLDS, negated, span=span),)]
    if "%" not in text and "_" not in text:
        walk.note("like_without_wildcard", text, span)
    caseless = folded or unfolded or other_folded or walk.dialect in patterns.CASELESS_LIKE
    predicate = patterns.like(subject, text, escape, span, folded=caseless)
    return patterns.negate(times.prefix_test(predicate), negated=negated) if not negated else _not_like(predicate)


def _not_like(predicate: Predicate) -> Cnf:
    period = times.prefix_test(predicate)
    if period is predicate:
        return patterns.negate(predicate, negated=True)
    interval = period.interval
    if interval is None or interval.low is None or interval.high is None:
        return patterns.negate(predicate, negated=True)
    return times.in_period(period.subject, "<>", interval.low, interval.high, predicate.span)


def _any_like(walk: Walk, node: Node, right: Node, negated: bool, *, folded: bool) -> Cnf:
    inner = right.args["this"]
    while type(inner) is exp.Paren:
        inner = inner.args["this"]
    texts = [patterns.text_of(walk.expr(item)) for item in (inner.expressions or [inner])]
    subject = walk.expr(node.args["this"])
    span = walk.span(node)
    found = [
        patterns.negate(patterns.like(subject, text, "\\", span, folded=folded), negated=negated)
        for text in texts
        if text is not None
    ]
    if (type(right) is exp.Any) == negated:
        return [clause for part in found for clause in part]
    return disjoin(found) or []


def _escape(walk: Walk, node: Node, negated: bool) -> Cnf:
    inner, char = node.args["this"], node.args["expression"]
    escape = char.this if isinstance(char, exp.Literal) and isinstance(char.this, str) else None
    if escape is not None and len(escape) > 1:
        escape = escape[0]
    if type(inner) is exp.Not:
        inner, negated = inner.args["this"], not negated
    return _read_like(walk, inner, negated, escape or "", folded=type(inner) is exp.ILike)


def _glob(walk: Walk, node: Node, negated: bool) -> Cnf:
    subject, text = walk.expr(node.args["this"]), patterns.text_of(walk.expr(node.args["expression"]))
    if text is None:
        return _holds_expr(walk, node, negated)
    predicate = times.prefix_test(patterns.glob(subject, text, walk.span(node)))
    return patterns.negate(predicate, negated=negated) if predicate.op is not Op.RANGE else [(predicate,)]


def _regex(folded: bool) -> Callable[[Walk, Node, bool], Cnf]:
    def read(walk: Walk, node: Node, negated: bool) -> Cnf:
        args = node.args
        negated ^= bool(args.get("negate"))
        text = patterns.text_of(walk.expr(args["expression"]))
        if text is None:
            return _holds_expr(walk, node, negated)
        subject, unfolded = _unfolded(walk.expr(args["this"]))
        full = bool(args.get("full_match"))
        flags = args.get("flag")
        caseless = folded or unfolded or (isinstance(flags, exp.Literal) and "i" in str(flags.this))
        found = patterns.regex(subject, text, walk.span(node), folded=caseless, full=full)
        return patterns.negate(found, negated=negated)

    return read


def _text_test(kind: PatternKind) -> Callable[[Walk, Node, bool], Cnf]:
    def read(walk: Walk, node: Node, negated: bool) -> Cnf:
        text = patterns.text_of(walk.expr(node.args["expression"]))
        if text is None:
            return _holds_expr(walk, node, negated)
        subject, folded = _unfolded(walk.expr(node.args["this"]))
        predicate = patterns.pattern(subject, kind, text, walk.span(node), folded=folded)
        return patterns.negate(predicate, negated=negated) if negated else [(times.prefix_test(predicate),)]

    return read


def _holds_expr(walk: Walk, node: Node, negated: bool) -> Cnf:
    args: tuple[Any, ...] = (node.args["this"], node.args["expression"])
    expr = Func(type(node).__name__.upper(), walk.exprs(list(args)))
    return [(Predicate(expr, Op.HOLDS, negated, span=walk.span(node)),)]


def _boolean(walk: Walk, node: Node, negated: bool) -> Cnf:
    walk.note("constant_condition", "", walk.span(node))
    return [] if bool(node.args["this"]) != negated else [()]


def _xor(walk: Walk, node: Node, negated: bool) -> Cnf:
    left, right = node.args["this"], node.args["expression"]
    either = disjoin([condition(walk, left, False), condition(walk, right, negated)])
    other = disjoin([condition(walk, left, True), condition(walk, right, not negated)])
    return [*(either or []), *(other or [])]


ATOMS: dict[type, Callable[[Walk, Any, bool], Cnf]] = {
    exp.EQ: _comparison("="),
    exp.NEQ: _comparison("<>"),
    exp.NullSafeEQ: _comparison("="),
    exp.NullSafeNEQ: _comparison("<>"),
    exp.GT: _comparison(">"),
    exp.GTE: _comparison(">="),
    exp.LT: _comparison("<"),
    exp.LTE: _comparison("<="),
    exp.In: _in,
    exp.Between: _between,
    exp.Is: _is,
    exp.Like: _like(False),
    exp.ILike: _like(True),
    exp.Escape: _escape,
    exp.Glob: _glob,
    exp.RegexpLike: _regex(False),
    exp.RegexpILike: _regex(True),
    exp.RegexpFullMatch: _regex(False),
    exp.StartsWith: _text_test(PatternKind.PREFIX),
    exp.EndsWith: _text_test(PatternKind.SUFFIX),
    exp.Contains: _text_test(PatternKind.CONTAINS),
    exp.Exists: _exists,
    exp.Boolean: _boolean,
    exp.Xor: _xor,
}
"""The tests, by the kind of node."""

BOOLEAN = frozenset({*ATOMS, exp.And, exp.Or, exp.Not}) - {exp.Boolean}
"""Kinds of nodes that are true or false: as a value they are a CASE."""
