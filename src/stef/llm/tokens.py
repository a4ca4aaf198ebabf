"""How many tokens a text has, without asking anybody."""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stef.llm.cost import tokens_of

_ENCODING: Final = "cl100k_base"
_VARIABLE: Final = "TIKTOKEN_CACHE_DIR"
_VOCABULARY: Final = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""The name under which tiktoken looks for its vocabulary; litellm brings the file along."""


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts the tokens of a text; `how` says in words by what."""

    count: Callable[[str], int]
    how: str


def token_counter() -> TokenCounter:
    """By tiktoken where it and its vocabulary are on this machine, else one token for four characters.

    Nothing is fetched: tiktoken alone would load its vocabulary from the network.
    """
    folder = _vocabulary()
    if folder is None or importlib.util.find_spec("tiktoken") is None:
        return TokenCounter(lambda text: tokens_of(len(text)), "one for four characters")
    import tiktoken  # noqa: PLC0415  # only for an estimate

    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = str(folder)
    try:
        encoding = tiktoken.get_encoding(_ENCODING)
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before
    return TokenCounter(lambda text: len(encoding.encode_ordinary(text)), f"tiktoken, {_ENCODING}")


def _vocabulary() -> Path | None:
    """The folder that holds tiktoken's vocabulary; litellm is found, not loaded."""
    folders = [Path(os.environ[_VARIABLE])] if os.environ.get(_VARIABLE) else []
    found = importlib.util.find_spec("litellm")
    if found is not None and found.origin is not None:
        folders.append(Path(found.origin).parent / "litellm_core_utils" / "tokenizers")
    return next((folder for folder in folders if (folder / _VOCABULARY).is_file()), None)
