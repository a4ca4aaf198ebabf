"""What follows from a fault, without any server."""

import pytest

from stef.llm.cost import Price, add_usage, cost_of
from stef.llm.faults import Remedy, ServerFault, remedy_for
from stef.llm.litellm_client import load_litellm
from stef.llm.retry import RetryPolicy
from stef.llm.sdk_faults import to_fault
from stef.records.judgement import Usage


@pytest.mark.parametrize(
    ("status", "message", "proven", "remedy"),
    [
        (None, "dropped", False, Remedy.RETRY),
        (None, "No module named 'google'", False, Remedy.STOP_RUN),
        (500, "Must provide one of the `base_url`", False, Remedy.STOP_RUN),
        (500, "the model said: pip install", True, Remedy.RETRY),
        (503, "busy", True, Remedy.RETRY),
        (429, "slow down", True, Remedy.RETRY),
        (429, "insufficient_quota", True, Remedy.STOP_RUN),
        (402, "credit balance is too low", True, Remedy.STOP_RUN),
        (401, "no", True, Remedy.STOP_RUN),
        (404, "no", True, Remedy.STOP_RUN),
        (400, "no", False, Remedy.STOP_RUN),
        (400, "no", True, Remedy.GIVE_UP_TURN),
        (400, "context_length_exceeded", False, Remedy.GIVE_UP_TURN),
        (400, "content management policy", False, Remedy.GIVE_UP_TURN),
        (413, "too large", False, Remedy.GIVE_UP_TURN),
    ],
)
def test_remedy(status: int | None, message: str, proven: bool, remedy: Remedy) -> None:
    """Passing faults are asked again, faults of a turn end it, faults that stay end the run."""
    assert remedy_for(ServerFault(message, status), proven) is remedy


def test_waits_grow_with_jitter_up_to_a_bound() -> None:
    """A half of each wait is left to chance; a server's Retry-After is never undercut."""
    late = RetryPolicy(jitter=lambda: 0.0)
    early = RetryPolicy(jitter=lambda: 1.0)
    assert [late.wait(n, None) for n in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert [early.wait(n, None) for n in range(1, 4)] == [0.5, 1, 2]
    assert early.wait(1, 60.0) >= 60.0


def test_messages_are_cleaned() -> None:
    """A key is taken out, an SDK's own prefix and traceback too; what is left is short."""
    fault = to_fault(
        ValueError("Error code: 401 - bad key sk-12345678 Traceback (most recent call last): x"), "sk-12345678"
    )
    assert fault.message == "bad key ***"
    assert len(to_fault(ValueError("x" * 10_000)).message) == 500


def test_costs_add_up_where_they_are_known() -> None:
    """An unknown cost makes the sum unknown, unless nothing was used."""
    known, unknown = Usage(1, 1, 0.5), Usage(1, 1)
    assert add_usage(known, known) == Usage(2, 2, 1.0)
    assert add_usage(known, unknown).cost is None
    assert add_usage(Usage(), known).cost == 0.5
    assert add_usage(Usage(), Usage()).cost is None


@pytest.mark.xdist_group("litellm")
def test_prices() -> None:
    """One's own price goes first, then litellm's table; an unknown model has no cost."""
    load_litellm()
    assert cost_of("no-such-model", 1_000_000, 0) is None
    assert cost_of("no-such-model", 1_000_000, 100_000, Price(2.0, 10.0)) == pytest.approx(3.0)
    assert (cost_of("gpt-4o", 1_000_000, 0) or 0) > 0
