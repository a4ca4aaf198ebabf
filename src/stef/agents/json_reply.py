"""JSON as agents send it: read once, with plain words for what is none."""

import json
import re
from typing import Any

from stef.agents.fields import NotReadableError

_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml|!--)", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_LONE = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")
_SHOWN = 120


def parse_json(body: bytes, what: str = "reply") -> Any:
    """The value in `body`; NaN and the infinities, which some writers put there, are nulls. Raises NotReadableError."""
    text = decoded(body, what)
    if not text.strip():
        raise NotReadableError(f"the {what} is empty")
    if page := markup(text):
        raise NotReadableError(f"the {what} is {page}, not JSON")
    try:
        value = json.loads(text, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, character {error.colno}"
        raise NotReadableError(f"the {what} is not valid JSON: {error.msg} ({place}): {start(text)}") from None
    except (ValueError, RecursionError):
        raise NotReadableError(f"the {what} is not valid JSON: nested too deep, or too long a number") from None
    return mended(value) if _LONE.search(text) else value


def decoded(body: bytes, what: str = "reply") -> str:
    """The text of `body`, a byte-order mark dropped. Raises NotReadableError where it is not UTF-8."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotReadableError(f"the {what} is not UTF-8 (byte {error.start})") from None


def markup(text: str) -> str | None:
    """What kind of page `text` is, with its title; None where it is none."""
    if not _MARKUP.match(text):
        return None
    title = _TITLE.search(text[:20_000])
    return f"an HTML page ({' '.join(title[1].split())!r})" if title else "an HTML page"


def start(text: str) -> str:
    """The beginning of `text` on one line."""
    line = " ".join(text[: 4 * _SHOWN].split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def mended(value: Any) -> Any:
    """`value` with U+FFFD for each half of a surrogate pair, which JSON can hold and no UTF-8 file can."""
    match value:
        case str():
            return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if _HALF.search(value) else value
        case list():
            return [mended(entry) for entry in value]
        case dict():
            return {mended(key): mended(entry) for key, entry in value.items()}
        case _:
            return value
