"""How right each rule was on labelled turns: the data file that `tools/measure_findings.py` writes."""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

FILE: Final = "measured.json"


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """One labelled set: `turns` that could be judged, over `questions`, and the share of them that is wrong."""

    name: str
    turns: int
    questions: int
    wrong_share: float


@dataclass(frozen=True, slots=True)
class Precision:
    """How one rule did on one set. It fired on `turns` of `questions`; `wrong_share` of these turns are wrong.

    `low`, `high`: the 90 % interval of that share, clustered by question. `same_question`: the wrong share of the other
    turns of the same questions, where there are any, so that a rule that only finds hard questions shows.
    """

    turns: int
    questions: int
    wrong_share: float
    low: float
    high: float
    same_question: float | None


@dataclass(frozen=True, slots=True)
class Measured:
    """All figures: the sets in order, and by code and set what was measured; a set where a rule never fired is out."""

    sets: tuple[LabelledSet, ...]
    rules: dict[str, dict[str, Precision]]
    provenance: dict[str, Any]

    def of(self, code: str) -> dict[str, Precision]:
        """The figures of one rule, by set."""
        return self.rules.get(code, {})


@lru_cache(maxsize=1)
def load_measured() -> Measured:
    """The figures that the package ships."""
    data = json.loads(files("stef.findings").joinpath(FILE).read_text(encoding="utf-8"))
    rules = {
        code: {name: Precision(**figures) for name, figures in by_set.items()} for code, by_set in data["rules"].items()
    }
    return Measured(tuple(LabelledSet(**one) for one in data["sets"]), rules, data["provenance"])
