"""One filter as a rule states it: plain data (`column`, `op`, `value`) or SQL text."""

import re
from collections.abc import Callable, Collection
from enum import StrEnum
from math import isfinite
from typing import Annotated, Self, TypeAlias

from pydantic import ConfigDict, Field, PlainValidator, WithJsonSchema, model_validator

from stef.rules.base import Closed, Text, Texts

Scalar: TypeAlias = str | int | float | bool


class FilterOp(StrEnum):
    """What a filter in a rule says of its column. ANY_VALUE: `column = x` or `column IN (…)` with any constants."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"
    NOT_IN = "not_in"
    BETWEEN = "between"
    LIKE = "like"
    NOT_LIKE = "not_like"
    IS_NULL = "is_null"
    IS_NOT_NULL = "is_not_null"
    ANY_VALUE = "any_value"


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = frozenset(
    """ALL AND ANY AS ASC BETWEEN BOTH BY CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE CROSS CURRENT_DATE
    CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DELETE DESC DISTINCT DIV DROP ELSE END ESCAPE EXCEPT
    EXISTS FALSE FETCH FOR FOREIGN FROM FULL GLOB GRANT GROUP HAVING ILIKE IN INDEX INNER INSERT INTERSECT
    INTERVAL INTO IS ISNULL JOIN KEY LATERAL LEFT LIKE LIMIT NATURAL NOT NOTNULL NULL OFFSET ON OR ORDER OUTER
    OVER PARTITION PIVOT PRIMARY QUALIFY REFERENCES REGEXP RIGHT RLIKE ROW ROWS SELECT SET SOME TABLE THEN TO
    TRUE UNION UNIQUE UNNEST UPDATE USING VALUES WHEN WHERE WINDOW WITH XOR""".split()  # noqa: SIM905, as a paragraph reads better than ninety literals
)
_BARE = (FilterOp.IS_NULL, FilterOp.IS_NOT_NULL, FilterOp.ANY_VALUE)
_LISTS = (FilterOp.IN, FilterOp.NOT_IN)
_PATTERNS = (FilterOp.LIKE, FilterOp.NOT_LIKE)
_WORDS = {
    FilterOp.IN: "IN",
    FilterOp.NOT_IN: "NOT IN",
    FilterOp.LIKE: "LIKE",
    FilterOp.NOT_LIKE: "NOT LIKE",
    FilterOp.IS_NULL: "IS NULL",
    FilterOp.IS_NOT_NULL: "IS NOT NULL",
    FilterOp.ANY_VALUE: "= ?",
}


def _scalar_or_list(value: object) -> object:
    items = value if isinstance(value, list | tuple) else (value,)
    for item in items:
        if not isinstance(item, str | int | float) or (isinstance(item, float) and not isfinite(item)):
            raise ValueError("expected text, a number, true, false, or a list of these")
    return tuple(items) if isinstance(value, list | tuple) else value


_SCALAR_SCHEMA = {"type": ["string", "number", "boolean"]}
Operand = Annotated[
    Scalar | tuple[Scalar, ...],
    PlainValidator(_scalar_or_list),
    WithJsonSchema({"anyOf": [_SCALAR_SCHEMA, {"type": "array", "items": _SCALAR_SCHEMA}]}),
]


class FilterRule(Closed):
    """A filter: `column`, `op`, `value`, or the same as `sql` in the application's dialect.

    `column` may name its table (`Invoice.IsTest`). The rule holds where one of `tables` is read; without `tables`,
    where the column's table is read; without a table, everywhere. `why` is shown wherever the rule decides something.
    """

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": ["sql"]}, {"required": ["column", "op"]}]})

    column: Text | None = Field(
        default=None, description="Column, with or without its table: `IsTest`, `Invoice.IsTest`"
    )
    op: FilterOp | None = Field(default=None, description="Operator; `any_value` is an equality with any constants")
    value: Operand | None = Field(default=None, description="Constant; a list for `in` and `not_in`; two for `between`")
    sql: Text | None = Field(default=None, description="The filter as SQL, in place of column, op and value")
    tables: Texts = Field(default=(), description="The rule holds only where one of these tables is read")
    why: str = Field("", description="Why; shown wherever the rule decides something")

    @model_validator(mode="after")
    def _one_form_and_complete(self) -> Self:
        if self.sql is not None:
            if self.column is not None or self.op is not None or self.value is not None:
                raise ValueError("give either 'sql', or 'column', 'op' and 'value', not both")
            return self
        if self.column is None:
            raise ValueError("a filter needs 'column', 'op' and 'value', or 'sql'")
        if self.op is None:
            raise ValueError(f"a filter on {self.column!r} needs 'op': one of {', '.join(FilterOp)}")
        self._check_value(self.op)
        return self

    def _check_value(self, op: FilterOp) -> None:
        value = self.value
        if op in _BARE:
            if value is not None:
                raise ValueError(f"'op': '{op}' takes no 'value'")
        elif value is None:
            raise ValueError(f"'op': '{op}' needs a 'value' (for NULL use 'is_null' or 'is_not_null')")
        elif op in _LISTS:
            if not isinstance(value, tuple) or not value:
                raise ValueError(f"'op': '{op}' needs a list of at least one value")
        elif op is FilterOp.BETWEEN:
            if not isinstance(value, tuple) or len(value) != 2:
                raise ValueError("'op': 'between' needs a list of two values, both ends included")
        elif isinstance(value, tuple):
            raise ValueError(f"'op': '{op}' needs a single value, not a list (for a list use 'in')")
        elif op in _PATTERNS and not isinstance(value, str):
            raise ValueError(f"'op': '{op}' needs a text pattern")

    @property
    def any_value(self) -> bool:
        """Whether any constants do: only the column, and that the filter is an equality, are compared."""
        return self.op is FilterOp.ANY_VALUE

    @property
    def table(self) -> str | None:
        """The table that `column` names, as written; None for a bare column and for SQL text."""
        return self.column.rpartition(".")[0] or None if self.column else None

    def applies_to(self, tables: Collection[str]) -> bool:
        """Whether the rule holds for a query that reads `tables`, given as folded names without a schema."""
        wanted = self.tables or ((self.table,) if self.table else ())
        return not wanted or any(name.rpartition(".")[2].casefold() in tables for name in wanted)

    def to_sql(self) -> str:
        """The filter as SQL text.

        Plain data gives ANSI SQL, quoted where it must be; `any_value` gives an equality with the placeholder `?`. A
        rule that was written as SQL gives that text. `sql_dialect` says how to read it.
        """
        return self.sql if self.sql is not None else self._render(_quoted_name)

    def sql_dialect(self, dialect: str | None) -> str | None:
        """The dialect that `to_sql` is read in: the application's own `dialect` for SQL text, None for plain data."""
        return dialect if self.sql is not None else None

    def describe(self) -> str:
        """The filter in one line, for people."""
        if self.any_value:
            return f"{self.column} = any value"
        return self.sql if self.sql is not None else self._render(str)

    def _render(self, name: Callable[[str], str]) -> str:
        column, op = name(self.column or ""), self.op or FilterOp.EQ
        value = self.value if isinstance(self.value, tuple) else (() if self.value is None else (self.value,))
        operands = [_literal(item) for item in value]
        word = _WORDS.get(op, op.value)
        if op in _LISTS:
            return f"{column} {word} ({', '.join(operands)})"
        if op is FilterOp.BETWEEN:
            return f"{column} BETWEEN {operands[0]} AND {operands[1]}"
        return " ".join((column, word, *operands))


def _quoted_name(name: str) -> str:
    """The name's parts, quoted where they must be: what needs no quotes reads the same in every dialect."""
    parts = name.split(".")
    return ".".join(
        part if _PLAIN.fullmatch(part) and part.upper() not in _RESERVED else '"' + part.replace('"', '""') + '"'
        for part in parts
    )


def _literal(value: Scalar) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)
