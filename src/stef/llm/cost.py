"""What tokens cost."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from stef.records.judgement import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input_per_million: float
    output_per_million: float


def tokens_of(characters: int) -> int:
    """About how many tokens a text of English and SQL has: one for four characters, rounded up."""
    return -(-characters // 4)


def add_usage(first: Usage, second: Usage) -> Usage:
    """The sum of two usages. The cost is unknown where that of either is, unless that one used no tokens."""
    return Usage(
        first.input_tokens + second.input_tokens,
        first.output_tokens + second.output_tokens,
        _add_costs(first, second),
    )


def find_price(names: Sequence[str]) -> Price | None:
    """The price of the first of `names` that litellm's table knows; None where it knows none. Loads litellm."""
    from stef.llm.litellm_client import load_litellm  # noqa: PLC0415  # takes seconds

    load_litellm()
    for name in names:
        rates = cost_of(name, 1_000_000, 0), cost_of(name, 0, 1_000_000)
        if rates[0] is not None and rates[1] is not None:
            return Price(rates[0], rates[1])
    return None


def _add_costs(first: Usage, second: Usage) -> float | None:
    used = [usage for usage in (first, second) if usage.input_tokens or usage.output_tokens or usage.cost is not None]
    if not used or any(usage.cost is None for usage in used):
        return None
    return sum(usage.cost for usage in used if usage.cost is not None)


def cost_of(model: str, input_tokens: int, output_tokens: int, price: Price | None = None) -> float | None:
    """US dollars for a call, by `price` or else by litellm's table; None where neither knows the model.

    The table is looked at only where litellm is loaded already: loading it takes seconds.
    """
    if price is not None:
        return (input_tokens * price.input_per_million + output_tokens * price.output_per_million) / 1e6
    if "litellm" not in sys.modules:
        return None
    import litellm  # noqa: PLC0415  # loaded already

    if model not in litellm.model_cost:
        return None
    entry = litellm.model_cost[model]
    rates = (entry.get("input_cost_per_token"), entry.get("output_cost_per_token"))
    if not all(isinstance(rate, int | float) for rate in rates):
        return None
    return float(input_tokens * rates[0] + output_tokens * rates[1])
