"""What can only be told at the end of a question: whether "each" groups, what "alphabetical" sorts."""

from dataclasses import replace

from stef.question.grammar import ASK_VERBS, BREAKS, DETERMINERS, PREPOSITIONS, SMALL_NUMBERS, ends_phrase
from stef.question.scan import Draft, phrase_at
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Expr, Phrase
from stef.records.spec import Projection

_AGGREGATES_ASKED = word_set(
    "count_asked number_of_asked average_asked total_asked maximum_asked minimum_asked percentage_asked ratio_asked "
    "grouped_by_asked difference_asked per_asked"
)


def settle(draft: Draft) -> None:
    """Settle grouping, tops and the keys of orders, and put projections in the order of the text."""
    if not draft.projections and len(draft.scan):
        _project_opening(draft)
    draft.projections.sort(key=lambda projection: projection.span or (0, 0))
    _settle_groups(draft)
    _settle_tops(draft)
    if draft.order:
        _settle_order(draft)


def _project_opening(draft: Draft) -> None:
    """ "Questions with a bounty": a title in place of a question shows what it opens with."""
    scan = draft.scan
    word = scan.low[0]
    if draft.tops or word in BREAKS or word in ASK_VERBS or word in DETERMINERS or scan.taken[0] or scan.words[0].stop:
        return
    phrase, end = phrase_at(scan, 0)
    following = scan.at(end)
    if phrase is None or not phrase.stems:
        return
    if not following or following in PREPOSITIONS or following in ("who", "which", "that") or ends_phrase(following):
        draft.projections.append(Projection(phrase, span=phrase.span))


def _settle_groups(draft: Draft) -> None:
    if not draft.group_by or any(note.code in _AGGREGATES_ASKED for note in draft.notes):
        return
    if len(draft.tops) == 1 and not draft.tops[0].per and _said_for_each(draft):
        # "for each semester, the one with the most students".
        draft.tops[0] = replace(draft.tops[0], per=tuple(draft.group_by[:1]))
    # "the name of each singer" groups nothing.
    draft.group_by.clear()


def _settle_tops(draft: Draft) -> None:
    """ "the top 5 schools with the highest score": one top, its rank and its measure said apart."""
    ranked = [top for top in draft.tops if top.k is not None and not top.order]
    measured = [top for top in draft.tops if top.k is None and top.order]
    if len(ranked) == 1 and len(measured) == 1 and len(draft.tops) == 2:
        one, other = ranked[0], measured[0]
        draft.tops[:] = [replace(one, order=other.order, per=one.per or other.per)]
    elif len(draft.tops) == 1 and draft.tops[0].k is None:
        _settle_rank(draft)


def _settle_rank(draft: Draft) -> None:
    """ "which 3 albums sold the least": the number stands with what is asked for."""
    low = draft.scan.low
    if len(low) < 3 or low[0] not in ("which", "what"):
        return
    k = int(low[1]) if low[1].isdigit() and len(low[1]) < 4 else SMALL_NUMBERS.get(low[1])
    if k is not None:
        draft.tops[0] = replace(draft.tops[0], k=k)
        draft.note("top_k_asked", 0, 1)


def _said_for_each(draft: Draft) -> bool:
    low = draft.scan.low
    return any(word == "each" and low[index - 1] in ("for", "in", "within") for index, word in enumerate(low) if index)


def _settle_order(draft: Draft) -> None:
    """ "list the titles alphabetically", "the earnings in descending order": what is listed is what is sorted."""
    shown = draft.projections[0].expr if len(draft.projections) == 1 else None
    if shown is None:
        counted = [one.expr for one in draft.projections if isinstance(one.expr, Agg)]
        shown = counted[0] if counted and all(one == counted[0] for one in counted) else None
    seen: list[Expr] = []
    orders = []
    for order in draft.order:
        expr = order.expr
        if (
            isinstance(expr, Phrase)
            and (not expr.stems or expr.text == "alphabetical")
            and isinstance(shown, Phrase | Agg)
        ):
            expr = shown
        if expr not in seen:
            seen.append(expr)
            orders.append(replace(order, expr=expr))
    draft.order[:] = orders
