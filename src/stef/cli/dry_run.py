"""`stef score --dry-run`: what a run would ask, and what that would cost."""

from typing import TYPE_CHECKING, Any

from stef.cli.judges import RULES, SYMBOLIC, JudgeChoice, judge_in_words
from stef.cli.screen import count, show, show_json

if TYPE_CHECKING:
    from stef.llm.cost import Price
    from stef.runs.plan import Calls, Plan
    from stef.runs.score import ScoreJob

_NONE: dict[str, Any] = {"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}


def show_plan(job: "ScoreJob", choice: JudgeChoice, as_json: bool) -> None:
    """Print the calls, tokens and dollars of a run. Nothing is asked, and no key is needed."""
    document = _document(job, choice)
    if as_json:
        show_json(document)
        return
    for line in _lines(document):
        show(line)


def _document(job: "ScoreJob", choice: JudgeChoice) -> dict[str, Any]:
    from stef.llm.tokens import token_counter  # noqa: PLC0415  heavy
    from stef.runs.plan import REPLY_TOKENS, plan_log  # noqa: PLC0415

    if not choice.asks_models:
        return {"judge": choice.judge, "reader": RULES, "turns": None, "certain": _NONE, "at_most": _NONE}
    counter = token_counter()
    price = choice.price()
    plan = plan_log(job, choice.unasked(), counter.count, choice.reader_prompts())
    certain = [plan.judging, plan.reading]
    return {
        "judge": choice.judge,
        "reader": choice.reader,
        "turns": plan.turns,
        "unasked_turns": plan.unasked,
        "bad_lines": plan.bad_lines,
        "certain": _sum(certain, price),
        "at_most": _sum([*certain, plan.refuting], price),
        "tokens_counted_by": counter.how,
        "tokens_of_a_reply": REPLY_TOKENS,
        "price": None if price is None else {"in": price.input_per_million, "out": price.output_per_million},
        **_by_kind(plan),
    }


def _by_kind(plan: "Plan") -> dict[str, Any]:
    kinds = {"judging": plan.judging, "refuting": plan.refuting, "reading": plan.reading}
    return {name: {"calls": kind.calls, "input_tokens": kind.input_tokens} for name, kind in kinds.items()}


def _sum(kinds: "list[Calls]", price: "Price | None") -> dict[str, Any]:
    sent = sum(kind.input_tokens for kind in kinds)
    replied = sum(kind.output_tokens for kind in kinds)
    cost = None if price is None else (sent * price.input_per_million + replied * price.output_per_million) / 1e6
    return {
        "calls": sum(kind.calls for kind in kinds),
        "input_tokens": sent,
        "output_tokens": replied,
        "cost": cost,
    }


def _lines(document: dict[str, Any]) -> list[str]:
    if document["turns"] is None:
        return [f"{judge_in_words(SYMBOLIC)}: 0 model calls, $0"]
    certain, most = document["certain"], document["at_most"]
    unasked = document["unasked_turns"]
    lines = [
        f"{count(document['turns'], 'turn')}, of which {unasked:,} without a readable question and SQL are not asked",
        f"{_said(certain)}",
    ]
    if most["calls"] > certain["calls"]:
        lines.append(f"at most {_said(most)}, if every verdict is on the right side and is asked about again")
    lines.append(
        f"Tokens sent are counted ({document['tokens_counted_by']}); replies are taken as "
        f"{document['tokens_of_a_reply']} tokens each. Second asks for unreadable replies come on top."
    )
    if certain["cost"] is None:
        lines.append(
            "The price of this model is not known; give --price-in and --price-out, US dollars per million tokens."
        )
    lines.append("No call was made.")
    return lines


def _said(asked: dict[str, Any]) -> str:
    cost = "cost unknown" if asked["cost"] is None else f"about ${asked['cost']:.4f}"
    tokens = f"about {asked['input_tokens']:,} + {asked['output_tokens']:,} tokens"
    return f"{count(asked['calls'], 'model call')}, {tokens}, {cost}"
