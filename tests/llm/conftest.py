"""What the tests of model calls share."""

from collections.abc import Callable

import pytest
from request_kit import build

from stef.records.request import JudgeRequest


@pytest.fixture(scope="session")
def make_request() -> Callable[..., JudgeRequest]:
    """Builds a request; keywords replace its fields."""
    return build
