"""What the symbolic judge sees of a turn as a whole: how its words and the SQL's names cover each other, and its size.

Size alone judges nothing, but an error is likelier where more has to be right at once.
"""

from collections.abc import Iterator
from math import log1p

from stef.alignment.ground import Ground
from stef.alignment.sides import Sides
from stef.judge.naming import naming
from stef.judge.repeats import repeats
from stef.question.synonyms import GENERIC, related
from stef.question.wordlists import word_set
from stef.question.words import name_stems
from stef.records.expressions import Agg, Column, Expr, Literal, Star
from stef.records.predicates import Op

_ASKING = word_set(
    """list show give find name tell return display get provide state indicate calculat comput count mani much number
    pleas identifi write describ what which who whom whose when where how all each everi differ distinct uniqu also
    have has had are is was were their his her its amount total averag most least more less than among"""
)


def shape(sides: Sides) -> dict[str, float]:
    """Named features of one turn, each ≥ 0; sizes as log(1 + n), shares in [0, 1]."""
    found = _sizes(sides)
    found.update(_coverage(sides))
    found.update(_literals(sides))
    found.update(_columns(sides))
    found.update(naming(sides))
    found.update(repeats(sides))
    return {name: value for name, value in found.items() if value}


def _sizes(sides: Sides) -> dict[str, float]:
    done = sides.done
    return {
        "size_tables": log1p(len(done.tables)),
        "size_joins": log1p(len(done.answer.joins)),
        "size_subqueries": log1p(done.subqueries),
        "size_filters": log1p(len(done.placed)),
        "size_columns": log1p(len(done.columns)),
        "size_output": log1p(len(done.projections)),
        "size_aggregates": log1p(len(done.aggregates)),
        "size_grouped": float(bool(done.group_by)),
        "size_windows": float(done.windows > 0),
        "size_set_operation": float(bool(done.set_kinds)),
        "size_question": log1p(len(sides.ground.stems)),
        "size_arithmetic": float(bool(done.operators)),
    }


def _coverage(sides: Sides) -> dict[str, float]:
    """Words of the question that no name or constant of the SQL takes up, and names that no word asks for."""
    ground, done = sides.ground, sides.done
    own = [word.stem for word in sides.question.words if not word.stop and word.stem not in _ASKING]
    known: set[str] = set()
    for table in done.tables:
        known.update(name_stems(table.rsplit(".", 1)[-1]))
    for column in done.columns:
        known.update(name_stems(column.name))
    for projection in done.projections:
        if projection.name:
            known.update(name_stems(projection.name))
    for literal in _constants(sides):
        known.update(name_stems(literal.text or str(literal.value)))
    joined, long = " ".join(known), tuple(name for name in known if len(name) >= _LONG)
    loose = [stem for stem in own if not _taken_up(stem, known, joined, long)]
    names = {column.name: column for column in done.columns if not _is_key(column.name)}
    unnamed = [name for name in names if ground.names_column(name) < 0.5]
    tables = {table.rsplit(".", 1)[-1] for table in done.tables}
    strangers = [table for table in tables if ground.names_column(table) < 0.5]
    return {
        "words_untaken": log1p(len(loose)),
        "words_untaken_share": len(loose) / len(own) if own else 0.0,
        "columns_unnamed": log1p(len(unnamed)),
        "columns_unnamed_share": len(unnamed) / len(names) if names else 0.0,
        "tables_unnamed": log1p(len(strangers)),
        "only_table_unnamed": float(len(tables) == 1 and len(strangers) == 1),
        "aggregated_unnamed": float(any(_is_unnamed(agg, ground) for agg in done.aggregates)),
        "tables_unnamed_share": len(strangers) / len(tables) if tables else 0.0,
    }


def _is_unnamed(agg: Agg, ground: Ground) -> bool:
    """An aggregate over a column that no word of the question names, keys aside."""
    return isinstance(agg.arg, Column) and not _is_key(agg.arg.name) and ground.names_column(agg.arg.name) < 0.4


_LONG = 4
"""A word shorter than this stands inside too many others."""


def _taken_up(stem: str, known: set[str], joined: str, long: tuple[str, ...]) -> bool:
    """Whether a name or constant is the word, a synonym of it, holds it, or stands inside it."""
    if stem in known or (len(stem) >= _LONG and stem in joined):
        return True
    if not known.isdisjoint(related(stem)):
        return True
    return len(stem) > _LONG and any(name in stem for name in long)


def _is_key(name: str) -> bool:
    stems = name_stems(name)
    return bool(stems) and stems[-1] in ("id", "key", "no", "code", "uuid")


def _constants(sides: Sides) -> Iterator[Literal]:
    for placed in sides.done.placed:
        for predicate in placed.clause.predicates:
            yield from predicate.values
            if predicate.pattern is not None:
                yield Literal(predicate.pattern.text, predicate.pattern.text, quoted=True)


def _literals(sides: Sides) -> dict[str, float]:
    """Text constants against the question's own spelling: as written, in another case, or not there."""
    text = sides.question.text if sides.enriched is None else f"{sides.question.text}\n{sides.enriched.text}"
    folded = text.casefold()
    as_written = recased = elsewhere = lower = 0
    for placed in sides.done.placed:
        for predicate in placed.clause.predicates:
            if predicate.op is not Op.IN:
                continue
            for value in predicate.values:
                if not isinstance(value.value, str) or len(value.text) < 2:
                    continue
                # Data is mostly capitalised, and most databases mind the case.
                lower += not predicate.folded and len(value.text) > 2 and value.text.isalpha() and value.text.islower()
                if value.text in text:
                    as_written += 1
                elif value.text.casefold() in folded:
                    recased += 1
                else:
                    elsewhere += 1
    return {
        "literals_as_written": float(min(as_written, 3)),
        "literals_recased": float(min(recased, 3)),
        "literals_elsewhere": float(min(elsewhere, 3)),
        "literals_in_lower_case": float(min(lower, 3)),
    }


def _columns(sides: Sides) -> dict[str, float]:
    """How many columns are shown against how many are asked, and a sort key or a key that is shown unasked."""
    shown, asked = sides.done.projections, sides.asked_projections
    found: dict[str, float] = {}
    counting = sides.noted("count_asked") is not None or sides.noted("number_of_asked") is not None
    if asked and not counting and not any(isinstance(one.expr, Star) for one in shown):
        found["columns_more"] = float(min(3, max(0, len(shown) - len(asked))))
        found["columns_fewer"] = float(min(3, max(0, len(asked) - len(shown))))
    if counting and asked:
        found["count_and_more_asked"] = float(len(shown) == 1)
    keys = [order.expr for top in sides.done.tops for order in top.order] + [one.expr for one in sides.done.order]
    if any(one.expr in keys for one in shown) and not counting and len(shown) > 1:
        found["sort_key_shown"] = 1.0
    found["id_shown"] = float(any(_is_shown_key(one.expr, sides) for one in shown))
    found["counts_rows"] = float(any(agg.name == "COUNT" and agg.arg is None for agg in sides.done.aggregates))
    found["counts_distinct"] = float(any(agg.name == "COUNT" and agg.distinct for agg in sides.done.aggregates))
    only_aggregates = bool(shown) and all(isinstance(one.expr, Agg) for one in shown)
    found["groups_unshown"] = float(only_aggregates and bool(sides.done.answer.group_by))
    return found


def _is_shown_key(expr: Expr, sides: Sides) -> bool:
    if not isinstance(expr, Column) or not _is_key(expr.name):
        return False
    return not any(stem in sides.ground.stems for stem in name_stems(expr.name) if stem in GENERIC)
