"""Laws: the order of operands, aliases and layout are spelling; negating twice changes nothing."""

import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st

from stef.records.spec import Spec
from stef.sql.build import build_spec
from stef.sql.compare import implies, same_spec
from stef.sql.fragments import read_condition

COLUMNS = ["a", "b", "c"]
ATOMS = st.one_of(
    st.tuples(st.sampled_from(COLUMNS), st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), st.integers(0, 5)).map(
        lambda item: f"t.{item[0]} {item[1]} {item[2]}"
    ),
    st.tuples(st.sampled_from(COLUMNS), st.lists(st.integers(0, 5), min_size=1, max_size=4)).map(
        lambda item: f"t.{item[0]} IN ({', '.join(map(str, item[1]))})"
    ),
    st.sampled_from(COLUMNS).map(lambda name: f"t.{name} IS NULL"),
    st.tuples(st.sampled_from(COLUMNS), st.sampled_from(["x%", "%x", "%x%", "x_y", "x"])).map(
        lambda item: f"t.{item[0]} LIKE '{item[1]}'"
    ),
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} AND {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} OR {pair[1]})"),
        inner.map(lambda item: f"(NOT {item})"),
    ),
    max_leaves=6,
)


def spec(sql: str) -> Spec:
    return build_spec(sqlglot.parse_one(sql), sql, None)[0]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(CONDITIONS, CONDITIONS)
def test_the_order_of_operands_is_spelling(left: str, right: str) -> None:
    assert same_spec(
        spec(f"SELECT a FROM t WHERE {left} AND {right}"), spec(f"SELECT a FROM t WHERE {right} AND {left}")
    )
    assert same_spec(spec(f"SELECT a FROM t WHERE {left} OR {right}"), spec(f"SELECT a FROM t WHERE {right} OR {left}"))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(CONDITIONS, CONDITIONS)
def test_de_morgan(left: str, right: str) -> None:
    assert same_spec(
        spec(f"SELECT a FROM t WHERE NOT ({left} AND {right})"),
        spec(f"SELECT a FROM t WHERE (NOT {left}) OR (NOT {right})"),
    )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(CONDITIONS)
def test_saying_it_twice_or_negating_twice_changes_nothing(condition: str) -> None:
    once = spec(f"SELECT a FROM t WHERE {condition}")
    assert once == spec(f"SELECT a FROM t WHERE {condition} AND {condition}")
    assert once == spec(f"SELECT a FROM t WHERE NOT (NOT ({condition}))")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(CONDITIONS)
def test_aliases_layout_and_wrapping_are_spelling(condition: str) -> None:
    once = spec(f"SELECT t.a FROM t WHERE {condition}")
    assert once == spec(f"select\n  q.a  AS x\nfrom t AS q\nwhere {condition.replace('t.', 'q.')}")
    assert same_spec(once, spec(f"SELECT * FROM (SELECT t.a FROM t WHERE {condition}) AS w"))
    assert same_spec(once, spec(f"WITH w AS (SELECT * FROM t WHERE {condition}) SELECT a FROM w"))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(CONDITIONS, CONDITIONS)
def test_what_is_asked_together_implies_each_part(left: str, right: str) -> None:
    both = read_condition_or_none(f"{left} AND {right}")
    alone = read_condition_or_none(left)
    if both is not None and alone is not None:
        assert all(any(implies(clause, wanted) for clause in both) for wanted in alone)


def read_condition_or_none(sql: str):
    from stef.sql.fragments import FragmentError

    try:
        return read_condition(sql)
    except FragmentError:
        return None
