"""URLs of databases: what one without a driver means, and how it is shown without what is secret in it."""

from typing import TYPE_CHECKING

from stef.errors import UserError

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_DRIVERS = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
}
"""What a URL without a driver means."""


def parsed_url(url: str) -> "URL":
    """`url` as SQLAlchemy reads it, with stef's driver where it names none. Raises UserError without its text."""
    from sqlalchemy.engine import make_url  # noqa: PLC0415 - heavy
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    scheme, _, rest = url.partition("://")
    try:
        parsed = make_url(f"{_DRIVERS.get(scheme, scheme)}://{rest}")
    except (ArgumentError, ValueError):
        # SQLAlchemy's own message repeats the URL.
        raise UserError(
            f"the URL {scheme}://… cannot be read: KIND://USER:PASSWORD@HOST:PORT/NAME is expected"
        ) from None
    if "@" in (parsed.host or ""):
        raise UserError(f"the URL {scheme}://… holds more than one '@': write one that belongs to a password as %40")
    return parsed


def safe_url(url: str) -> str:
    """`url` without user, password and options: safe to print and to store. `{database}` in it stays."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    if rest.startswith("/"):
        return f"{scheme}://{rest.partition('?')[0]}"
    try:
        parsed = parsed_url(url)
    except UserError:
        return f"{scheme}://…"
    host = f"[{parsed.host}]" if ":" in (parsed.host or "") else parsed.host or ""
    port = f":{parsed.port}" if parsed.port else ""
    return f"{scheme}://{host}{port}" + (f"/{parsed.database}" if parsed.database else "")
