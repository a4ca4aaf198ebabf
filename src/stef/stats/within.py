"""Telling right from wrong among turns of one question: what the difficulty of questions cannot fake."""

from collections.abc import Mapping, Sequence

from stef.stats.cells import Judged, cells_of
from stef.stats.figures import auc


def by_question(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    """The turns of each question, the questions in order of their names: no figure depends on the order of turns."""
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.question, []).append(one)
    return dict(sorted(groups.items()))


def question_shares(groups: Mapping[str, Sequence[Judged]]) -> list[float]:
    """For each question that has right and wrong turns: the share of its pairs in which the right one is higher.

    Ties count half. The mean over questions is the within-question AUC.
    """
    shares = (auc(cells_of(turns)) for turns in groups.values() if len(turns) > 1)
    return [share for share in shares if share is not None]
