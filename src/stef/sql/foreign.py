"""Functions and clauses that an engine does not have: the query fails there, whatever it means."""

from collections.abc import Mapping

from sqlglot import exp

from stef.sql.walk import Node

_DATE_PARTS = (exp.Year, exp.Quarter, exp.Month, exp.Day)

FOREIGN: Mapping[str, frozenset[type[Node]]] = {
    "sqlite": frozenset(
        {
            *_DATE_PARTS,
            exp.Extract,
            exp.DateTrunc,
            exp.TimestampTrunc,
            exp.DateDiff,
            exp.DateAdd,
            exp.DateSub,
            exp.Interval,
            exp.Left,
            exp.Right,
            exp.ILike,
            exp.Any,
            exp.All,
            exp.Stddev,
            exp.StddevSamp,
            exp.Variance,
            exp.WithinGroup,
        }
    ),
    "mysql": frozenset({exp.ILike, exp.Filter, exp.TimestampTrunc, exp.WithinGroup}),
    "postgres": frozenset({*_DATE_PARTS, exp.If, exp.DateDiff, exp.Glob}),
}
"""Kinds of nodes that no version of an engine takes; as sqlglot reads them in that dialect."""

FOREIGN_NAMES: Mapping[str, frozenset[str]] = {
    "sqlite": frozenset(
        {
            "NOW",
            "CURDATE",
            "GETDATE",
            "TO_DATE",
            "TO_CHAR",
            "DATE_FORMAT",
            "DATE_PART",
            "STR_TO_DATE",
            "DATEPART",
            "AGE",
        }
    ),
    "mysql": frozenset({"STRFTIME", "JULIANDAY", "TO_CHAR", "GETDATE", "DATE_TRUNC", "DATE_PART", "IIF", "NVL"}),
    "postgres": frozenset({"STRFTIME", "JULIANDAY", "DATE_FORMAT", "CURDATE", "GETDATE", "IFNULL", "GROUP_CONCAT"}),
}
"""The same for functions that sqlglot keeps by name."""
