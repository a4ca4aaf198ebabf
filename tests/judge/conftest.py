"""What the tests of judges share."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stef.records.request import JudgeRequest

sys.path.append(str(Path(__file__).parents[1] / "llm"))
from request_kit import build  # it lies beside the tests of model calls


@pytest.fixture(scope="session")
def make_request() -> Callable[..., JudgeRequest]:
    """Builds a request; keywords replace its fields."""
    return build
