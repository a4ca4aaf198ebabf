"""What people say where they decline or ask back, in many languages: the phrases in `languages.yaml`."""

import re
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def declines() -> re.Pattern[str]:
    """What declines."""
    return _compiled("declines")


@lru_cache(maxsize=1)
def asks() -> re.Pattern[str]:
    """What asks back."""
    return _compiled("asks")


def _compiled(kind: str) -> re.Pattern[str]:
    # Where the first text needs it: no query does.
    return re.compile(
        "|".join(f"(?:{text})" for phrases in _phrases().values() for text in phrases[kind]), re.IGNORECASE
    )


@lru_cache(maxsize=1)
def _phrases() -> dict[str, Any]:
    import yaml  # noqa: PLC0415  heavy

    found: dict[str, Any] = yaml.safe_load((files("stef.sql.replies") / "languages.yaml").read_text("utf-8"))
    return found
