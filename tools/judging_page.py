"""Write docs/judging.md: how far the symbolic judge can be trusted, from the figures in its data file.

python tools/judging_page.py [-o docs/judging.md]

The figures come from `tools/fit_symbolic.py`, which `make judging` runs first where the labelled data is present.
"""

import argparse
import json
from pathlib import Path
from typing import Any

MODEL = Path("src/stef/judge/symbolic.json")
PAGE = Path("docs/judging.md")

HEAD = Path(__file__).with_name("judging_head.md").read_text("utf-8")

LIMITS = Path(__file__).with_name("judging_limits.md").read_text("utf-8")


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, default=PAGE)
    options = parser.parse_args()
    options.out.write_text(page(json.loads(MODEL.read_text("utf-8"))), "utf-8")


def page(model: dict[str, Any]) -> str:
    """The page for a model's data file."""
    figures: dict[str, dict[str, Any]] = model["cross_validation"]
    return "\n".join([HEAD, *_ranking(figures), *_within(figures), *_trust(model), LIMITS, *_model(model)])


def _ranking(figures: dict[str, dict[str, Any]]) -> list[str]:
    lines = [
        "### Ranking: area under the ROC curve",
        "",
        "| file | turns | questions | right | by question [90 %] | by database | by agent | size alone | agent alone |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, one in figures.items():
        low, high = one["auc_90"] or ("–", "–")
        lines.append(
            f"| {name} | {one['n']:,} | {one['questions']} | {_f(one['base_correct'])} "
            f"| **{_f(one['auc_by_question'])}** [{_f(low)}, {_f(high)}] | {_f(one['auc_by_database'])} "
            f"| {_f(one['auc_by_agent'])} | {_f(one['auc_size_alone'])} | {_f(one['auc_agent_alone'])} |"
        )
    return [*lines, ""]


def _within(figures: dict[str, dict[str, Any]]) -> list[str]:
    lines = [
        "### Within a question, and the lowest twentieth",
        "",
        "| file | questions with both | within, by question | by database | by agent | agent alone "
        "| wrong among the lowest 5 % | calibration error |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {one['questions_with_both']} | {_f(one['within_by_question'])} | {_f(one['within_by_database'])} "
        f"| {_f(one['within_by_agent'])} | {_f(one['within_agent_alone'])} | {_f(one['wrong_in_lowest_5pct'])} "
        f"| {_f(one['calibration_error'])} |"
        for name, one in figures.items()
    ]
    return [*lines, ""]


def _trust(model: dict[str, Any]) -> list[str]:
    lines = [
        "### Is the probability one?",
        "",
        "Expected calibration error, all files with equal weight: "
        f"**{_f(model['calibration_error_pooled'])}**; {_f(model['calibration_error_pooled_without_blind'])} over the "
        "systems that saw the schema alone. `blind_agents` are five systems that never saw it: a tenth of their SQL is "
        "right, and little in it shows that, so the map is a compromise between them and the others.",
        "",
        "| the judge says | share right |",
        "|---|---|",
    ]
    lines += [f"| {_f(one['p'])} | {_f(one['correct'])} |" for one in model["reliability"]]
    return [*lines, ""]


def _model(model: dict[str, Any]) -> list[str]:
    weights: dict[str, float] = model["weights"]
    heaviest = sorted(weights.items(), key=lambda pair: (-abs(pair[1]), pair[0]))[:25]
    lines = [
        "## What weighs most",
        "",
        f"log-odds = {model['intercept']} + the sum of weight × evidence; {len(weights)} weights in all. Findings are "
        "explained in [findings.md](findings.md).",
        "",
        "| evidence | weight |",
        "|---|---|",
    ]
    return [*lines, *(f"| {name} | {weight:+.2f} |" for name, weight in heaviest), ""]


def _f(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or "–"
    return f"{value:.3f}".lstrip("0") if value < 1 else f"{value:.2f}"


if __name__ == "__main__":
    main()
