"""Making text from outside harmless inside a prompt: it is data, and can't end the fence around it."""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

# What a fence, or a model's own chat format, looks like; such words in data are spelled so that they are none.
_MARKS: Final = re.compile(
    r"<\s*/?\s*data\b|<\|[^<>|\n]{1,40}\|>|<\s*/?\s*s\s*>|<(?:start|end)_of_turn>|\[\s*/?\s*INST\s*\]|<<\s*/?\s*SYS\s*>>",
    re.IGNORECASE,
)
_LOOKALIKES: Final = str.maketrans({"<": "‹", ">": "›", "[": "⁅", "]": "⁆", "|": "¦"})
# Control characters, characters that turn the writing direction, invisible tags, halves of surrogate pairs.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


class Fenced(str):
    """Text that is safe to print into a prompt as it is."""

    __slots__ = ()


def neutral(text: str) -> Fenced:
    """`text` with everything taken out that could end a fence, imitate a model's chat format, or hide from the eye."""
    text = _UNSEEN.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return Fenced(_MARKS.sub(lambda found: found.group().translate(_LOOKALIKES), text))


def fence(text: object, name: str, mark: str) -> Fenced:
    """`text` between `<data>` tags that carry `name` and `mark` (see `fence_mark`)."""
    return Fenced(f'<data name="{name}" id="{mark}">\n{neutral(str(text))}\n</data id="{mark}">')


def fence_mark(texts: Iterable[str]) -> str:
    """A mark of 16 hex digits that occurs in none of `texts`, and is always the same for the same texts.

    It depends on all of them, so that whoever wrote one can't foresee it.
    """
    held = "\x00".join(texts)
    mark = hashlib.sha256(held.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    while mark in held:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:16]
    return mark


def one_line(text: object) -> Fenced:
    """`text` on one line: no line of a list can pass for two."""
    return neutral(" ".join(str(text).split()))


def bullets(items: Iterable[object]) -> Fenced:
    """`items` as a list, each on one line; `(none)` for none."""
    lines = [f"- {one_line(item)}" for item in items]
    return Fenced("\n".join(lines) or "(none)")
