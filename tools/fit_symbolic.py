"""Fit the symbolic judge on labelled turns, and write its coefficients with their provenance and cross-validation.

python tools/fit_symbolic.py ../shared/data [-o src/stef/judge/symbolic.json] [--ridge 100] [--report FILE]

DATA holds turns/NAME.jsonl and labels/NAME.jsonl ({"id", "correct"}). The model is a logistic regression over the
judge's evidence; each file has an intercept of its own while fitting, so that base rates teach it nothing, and one
intercept for all afterwards. Folds keep a question (or a database, or an agent) together. Needs numpy.
"""

import argparse
import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stef import Evaluator, Turn

Array = NDArray[np.float64]
FIELDS = frozenset(Turn.model_fields)
RAREST = 6
"""Evidence that fewer turns show is left out; what is rare is held back by the ridge."""
SMALL = 2500
"""Files weigh the same, but one that has fewer turns than this weighs less: few labels should not steer."""
FOLDS = 5
RARE_SCALE = 0.01
FIRM = 150.0
WITHIN = 0.3
"""The part of the objective that ranks right over wrong queries within a question."""
MOST_PAIRS = 16
FEW_QUESTIONS = 150
"""A file with fewer questions than this that have both right and wrong queries weighs less among the pairs."""
BLIND = ("blind_agents",)
BLIND_PART = 0.6
"""How much systems that never saw the schema count for the map, against one for the others."""
PRIOR: dict[str, Any] = json.loads(Path(__file__).with_name("symbolic_prior.json").read_text("utf-8"))
FINDING = re.compile(r"S\d{3}")


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled turn: whose it is, and what the judge sees of it."""

    file: str
    question: str
    database: str
    agent: str
    correct: bool
    size: int
    evidence: dict[str, float]


def rows_of(data: Path) -> list[Row]:
    """Every labelled turn with a readable query."""
    evaluator = Evaluator()
    rows = []
    for labels in sorted((data / "labels").glob("*.jsonl")):
        correct = {row["id"]: bool(row["correct"]) for row in map(json.loads, labels.read_text("utf-8").splitlines())}
        for line in (data / "turns" / labels.name).read_text("utf-8").splitlines():
            turn = json.loads(line)
            if turn["id"] not in correct:
                continue
            prepared = evaluator.prepare_turn(Turn(**{key: turn[key] for key in turn if key in FIELDS}))
            if prepared.request is not None:
                rows.append(
                    Row(
                        labels.stem,
                        turn["question"],
                        turn.get("database", ""),
                        turn.get("agent", ""),
                        correct[turn["id"]],
                        len(turn["sql"]),
                        dict(prepared.request.evidence),
                    )
                )
    return rows


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows as numbers. `offsets` has a column for each file but the first."""

    names: tuple[str, ...]
    x: Array
    y: Array
    weight: Array
    offsets: Array


def matrix_of(rows: Sequence[Row]) -> Matrix:
    """The design matrix, with evidence that is rare left out."""
    counts = Counter(name for row in rows for name in row.evidence)
    names = tuple(sorted(name for name, count in counts.items() if count >= RAREST))
    place = {name: at for at, name in enumerate(names)}
    x = np.zeros((len(rows), len(names)))
    for at, row in enumerate(rows):
        for name, value in row.evidence.items():
            if name in place:
                x[at, place[name]] = value
    files = sorted({row.file for row in rows})
    sizes = Counter(row.file for row in rows)
    weight = np.array([1 / max(sizes[row.file], SMALL) for row in rows])
    offsets = np.array([[row.file == file for file in files[1:]] for row in rows], float)
    return Matrix(names, x, np.array([row.correct for row in rows], float), weight * len(rows) / weight.sum(), offsets)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of a right and a wrong query for one question, by their rows; files weigh alike, and so do questions."""

    right: NDArray[np.int64]
    wrong: NDArray[np.int64]
    weight: Array


def pairs_of(rows: Sequence[Row]) -> Pairs:
    """At most `MOST_PAIRS` pairs of each question, drawn alike on every machine."""
    groups: dict[tuple[str, str, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for at, row in enumerate(rows):
        groups[row.file, row.database, row.question][row.correct].append(at)
    mixed = {key: sides for key, sides in groups.items() if all(sides)}
    questions = Counter(file for file, _, _ in mixed)
    rng = np.random.default_rng(0)
    found: list[tuple[int, int, float]] = []
    for (file, _, _), (wrong, right) in sorted(mixed.items()):
        every = [(good, bad) for good in right for bad in wrong]
        drawn = every if len(every) <= MOST_PAIRS else [every[at] for at in rng.choice(len(every), MOST_PAIRS, False)]
        share = 1 / len(drawn) / max(questions[file], FEW_QUESTIONS)
        found.extend((good, bad, share) for good, bad in drawn)
    good_rows, bad_rows, shares = zip(*found, strict=True)
    return Pairs(np.array(good_rows), np.array(bad_rows), np.array(shares))


def prior_of(name: str) -> float:
    """The weight of a piece of evidence before any label is seen."""
    return float(PRIOR["weights"].get(name, PRIOR["finding"] if FINDING.fullmatch(name) else 0.0))


def sign_of(name: str) -> int:
    """-1 where evidence can only speak against a turn, 1 where only for it, 0 where labels decide."""
    if FINDING.fullmatch(name) or name.endswith(("_missing", "_extra", "_gap", "_loose", "_untaken", "_share")):
        return -1
    if name in ("filter_altered", "filter_opposed", "filter_absent", "filter_extra", "filter_rule_broken") or name in (
        "filters_not_applied",
        "filters_partially_applied",
    ):
        return -1
    return 1 if name.endswith("_matched") or name == "filter_applied" else 0


def fit(m: Matrix, chosen: NDArray[np.bool_], ridge: float, pairs: Pairs) -> Array:
    """Intercept and weights by logistic regression (Newton's method) on the chosen rows, held near the prior.

    A part of the objective (`WITHIN`) is the ranking of right and wrong queries for one question: what only tells
    hard questions from easy ones gains nothing there. A weight whose sign makes no sense is set to 0, and the others
    are fitted on.
    """
    problem = _problem(m, chosen, ridge, pairs)
    signs = np.zeros(len(problem.beta))
    signs[1 : 1 + len(m.names)] = [sign_of(name) for name in m.names]
    free = np.ones(len(signs), bool)
    while True:
        _climb(problem, np.flatnonzero(free))
        turned = free & (problem.beta * signs < -1e-6)
        if not turned.any():
            break
        free &= ~turned
        problem.beta[turned] = 0.0
    return np.concatenate([problem.beta[:1], problem.beta[1 : 1 + len(m.names)] / problem.scale])


@dataclass(slots=True)
class _Problem:
    """One fit: rows and pairs in units of each evidence's spread, the pull to the prior, and the weights so far."""

    x: Array
    y: Array
    weight: Array
    apart: Array
    apart_weight: Array
    penalty: Array
    prior: Array
    scale: Array
    beta: Array


def _problem(m: Matrix, chosen: NDArray[np.bool_], ridge: float, pairs: Pairs) -> _Problem:
    count = len(m.names)
    scale = np.maximum(m.x[chosen].std(axis=0), RARE_SCALE)
    x = np.hstack([np.ones((chosen.sum(), 1)), m.x[chosen] / scale, m.offsets[chosen]])
    penalty = np.full(x.shape[1], ridge)
    penalty[0] = penalty[1 + count :] = 1e-3
    # Labelled systems rarely leave a filter out, so there an absent one is mostly a misreading of the question. Agents
    # that do leave filters out are whom the judge is for: the prior on filters is held firmly.
    penalty[1 : 1 + count][[name.startswith("filter") for name in m.names]] *= FIRM
    prior = np.zeros(x.shape[1])
    prior[1 : 1 + count] = np.array([prior_of(name) for name in m.names]) * scale
    mine = chosen[pairs.right]
    apart = np.zeros((int(mine.sum()), x.shape[1]))
    apart[:, 1 : 1 + count] = (m.x[pairs.right[mine]] - m.x[pairs.wrong[mine]]) / scale
    total = float(m.weight[chosen].sum())
    apart_weight = pairs.weight[mine] * WITHIN * total / pairs.weight[mine].sum()
    weight = m.weight[chosen] * (1.0 - WITHIN)
    return _Problem(x, m.y[chosen], weight, apart, apart_weight, penalty, prior, scale, prior.copy())


def _climb(problem: _Problem, free: NDArray[np.int64]) -> None:
    """Newton's steps in the weights that are free, until they move no more."""
    x, apart, penalty = problem.x[:, free], problem.apart[:, free], problem.penalty[free]
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(problem.x @ problem.beta, -20, 20)))
        missed = 1 / (1 + np.exp(np.clip(problem.apart @ problem.beta, -20, 20)))
        hessian = (x * (problem.weight * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        hessian += (apart * (problem.apart_weight * missed * (1 - missed))[:, None]).T @ apart
        gradient = x.T @ (problem.weight * (problem.y - p)) + apart.T @ (problem.apart_weight * missed)
        gradient -= penalty * (problem.beta - problem.prior)[free]
        step = np.linalg.solve(hessian, gradient)
        largest = np.abs(step).max()
        problem.beta[free] += step * min(1.0, 1.0 / largest)
        if largest < 1e-4:
            break


def fold_of(key: str) -> int:
    """A fold for a key, the same on every machine."""
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % FOLDS


def out_of_fold(m: Matrix, keys: Iterable[str], ridge: float, pairs: Pairs) -> Array:
    """Log-odds of each row by a model that saw no row of the same key."""
    fold = np.array([fold_of(key) for key in keys])
    scores = np.zeros(len(m.y))
    for one in range(FOLDS):
        beta = fit(m, fold != one, ridge, pairs)
        scores[fold == one] = beta[0] + m.x[fold == one] @ beta[1:]
    return scores


def one_map(scores: Array, m: Matrix, rows: Sequence[Row]) -> tuple[float, float]:
    """Slope and intercept that make out-of-fold scores probabilities, files with equal weight (Platt).

    Systems that never saw the schema (`BLIND`) count for less: a tenth of their SQL is right, which little in it shows,
    and few production agents are of that kind.
    """
    sizes = Counter(row.file for row in rows)
    weight = np.array([(BLIND_PART if row.file in BLIND else 1.0) / sizes[row.file] for row in rows])
    weight *= len(rows) / weight.sum()
    slope, intercept = 1.0, 0.0
    for _ in range(100):
        p = 1 / (1 + np.exp(-(slope * scores + intercept)))
        error, curve = weight * (m.y - p), weight * p * (1 - p)
        gradient = np.array([(error * scores).sum(), error.sum()])
        hessian = np.array([[(curve * scores**2).sum(), (curve * scores).sum()], [(curve * scores).sum(), curve.sum()]])
        step = np.linalg.solve(hessian, gradient)
        slope, intercept = slope + step[0], intercept + step[1]
    return slope, intercept


def auc(scores: Array, y: Array) -> float | None:
    """Area under the ROC curve; ties count half."""
    right, wrong = int(y.sum()), int(len(y) - y.sum())
    if not right or not wrong:
        return None
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    return float((ranks[y == 1].sum() - right * (right + 1) / 2) / (right * wrong))


def within(scores: Array, rows: Sequence[Row], y: Array) -> tuple[float | None, int]:
    """Share of pairs of a right and a wrong query for one question that are ranked so; questions weigh equally."""
    groups: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for score, row, correct in zip(scores, rows, y, strict=True):
        groups[row.database, row.question].append((score, correct))
    shares = []
    for pairs in groups.values():
        right, wrong = ([s for s, c in pairs if bool(c) is side] for side in (True, False))
        if right and wrong:
            shares.append(float(np.mean([(r > w) + 0.5 * (r == w) for r in right for w in wrong])))
    return (float(np.mean(shares)), len(shares)) if shares else (None, 0)


def interval(figure: Callable[[NDArray[np.int64]], float | None], rows: Sequence[Row]) -> list[float] | None:
    """A 90 % percentile interval over resampled questions."""
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        places[row.database, row.question].append(at)
    groups = [np.array(one) for one in places.values()]
    rng = np.random.default_rng(0)
    found = []
    for _ in range(200):
        drawn = np.concatenate([groups[at] for at in rng.integers(0, len(groups), len(groups))])
        value = figure(drawn)
        if value is not None:
            found.append(value)
    if len(found) < 20:
        return None
    return [round(float(np.quantile(found, q)), 3) for q in (0.05, 0.95)]


def calibration_error(p: Array, y: Array, weight: Array, bins: int = 20) -> float:
    """Mean distance of mean probability and share correct, over bins of equal mass."""
    order = np.argsort(p, kind="stable")
    mass = np.cumsum(weight[order]) / weight.sum()
    bin_of = np.minimum((mass * bins).astype(int), bins - 1)
    total = 0.0
    for one in range(bins):
        at = order[bin_of == one]
        if len(at):
            total += abs((weight[at] * (p[at] - y[at])).sum())
    return float(total / weight.sum())


def report(rows: Sequence[Row], m: Matrix, scores: dict[str, Array], p: Array) -> dict[str, Any]:
    """The figures of each file: AUC and within-question figure of each kind of fold, beside size and agent alone."""
    figures: dict[str, Any] = {}
    files = np.array([row.file for row in rows])
    for file in sorted(set(files)):
        at = np.flatnonzero(files == file)
        mine, y = [rows[place] for place in at], m.y[at]
        several = len({row.agent for row in mine}) > 1
        agent = _agent_prior(mine, y) if several else np.full(len(y), 0.5)
        lowest = at[np.argsort(p[at], kind="stable")[: max(1, len(at) // 20)]]
        entry: dict[str, Any] = {
            "n": len(at),
            "questions": len({(row.database, row.question) for row in mine}),
            "base_correct": round(float(y.mean()), 3),
            "auc_size_alone": _rounded(auc(-np.array([row.size for row in mine], float), y)),
            "auc_agent_alone": _rounded(auc(agent, y)),
            "within_agent_alone": _rounded(within(agent, mine, y)[0]),
            "wrong_in_lowest_5pct": round(float(1 - m.y[lowest].mean()), 3),
            "calibration_error": round(calibration_error(p[at], y, np.ones(len(at))), 3),
        }
        for kind, found in scores.items():
            mine_scores = found[at]
            entry[f"auc_by_{kind}"] = _rounded(auc(mine_scores, y))
            entry[f"within_by_{kind}"] = _rounded(within(mine_scores, mine, y)[0])
        by_question = scores["question"][at]
        entry["auc_90"] = interval(lambda drawn, s=by_question, c=y: auc(s[drawn], c[drawn]), mine)  # type: ignore[misc]
        entry["questions_with_both"] = within(by_question, mine, y)[1]
        figures[file] = entry
    return figures


def _agent_prior(rows: Sequence[Row], y: Array) -> Array:
    """How often the agent is right on other questions: the score of someone who reads no SQL."""
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    mine: Counter[tuple[str, str]] = Counter()
    mine_right: Counter[tuple[str, str]] = Counter()
    for row, correct in zip(rows, y, strict=True):
        seen[row.agent] += 1
        right[row.agent] += int(correct)
        mine[row.agent, row.question] += 1
        mine_right[row.agent, row.question] += int(correct)
    return np.array(
        [
            (right[row.agent] - mine_right[row.agent, row.question])
            / max(1, seen[row.agent] - mine[row.agent, row.question])
            for row in rows
        ],
        float,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def reliability(p: Array, y: Array, weight: Array, bins: int = 10) -> list[dict[str, float]]:
    """Mean probability and share correct of bins of equal mass, all files with equal weight."""
    order = np.argsort(p, kind="stable")
    mass = np.cumsum(weight[order]) / weight.sum()
    bin_of = np.minimum((mass * bins).astype(int), bins - 1)
    found = []
    for one in range(bins):
        at = order[bin_of == one]
        share = weight[at] / weight[at].sum()
        found.append({"p": round(float((share * p[at]).sum()), 3), "correct": round(float((share * y[at]).sum()), 3)})
    return found


def main() -> None:
    """Fit, cross-validate, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--out", type=Path, default=Path("src/stef/judge/symbolic.json"))
    parser.add_argument("--ridge", type=float, default=100.0)
    options = parser.parse_args()
    rows = rows_of(options.data)
    m = matrix_of(rows)
    pairs = pairs_of(rows)
    scores = {
        "question": out_of_fold(m, (row.question for row in rows), options.ridge, pairs),
        "database": out_of_fold(m, (row.database for row in rows), options.ridge, pairs),
        "agent": out_of_fold(m, (row.agent for row in rows), options.ridge, pairs),
    }
    slope, intercept = one_map(scores["question"], m, rows)
    p = 1 / (1 + np.exp(-(slope * scores["question"] + intercept)))
    sizes = Counter(row.file for row in rows)
    equal = np.array([1 / sizes[row.file] for row in rows])
    seeing = np.array([row.file not in BLIND for row in rows])
    beta = fit(m, np.ones(len(rows), bool), options.ridge, pairs)
    figures = report(rows, m, scores, p)
    document = {
        "version": "2",
        "provenance": {
            "model": "ridge logistic regression over evidence, in part over pairs of one question; one map (Platt)",
            "command": "python tools/fit_symbolic.py DATA",
            "ridge": options.ridge,
            "within_question_part": WITHIN,
            "prior": "tools/symbolic_prior.json",
            "map_weights": dict.fromkeys(BLIND, BLIND_PART),
            "turns": {file: sizes[file] for file in sorted(sizes)},
        },
        "intercept": round(float(slope * beta[0] + intercept), 4),
        "weights": {name: round(float(slope * value), 4) for name, value in zip(m.names, beta[1:], strict=True)},
        "cross_validation": figures,
        "calibration_error_pooled": round(calibration_error(p, m.y, equal), 4),
        "calibration_error_pooled_without_blind": round(calibration_error(p[seeing], m.y[seeing], equal[seeing]), 4),
        "reliability": reliability(p, m.y, equal),
    }
    options.out.write_text(json.dumps(document, indent=1, sort_keys=False) + "\n", "utf-8")
    for file, entry in figures.items():
        print(f"{file:20} " + "  ".join(f"{key} {value}" for key, value in entry.items()))
    for key in ("calibration_error_pooled", "calibration_error_pooled_without_blind"):
        print(key, document[key])


if __name__ == "__main__":
    main()
