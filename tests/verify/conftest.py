"""The shop."""

from pathlib import Path

import pytest
from verify_kit import make_shop


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """Its URL."""
    return make_shop(tmp_path)
