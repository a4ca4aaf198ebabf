"""What of a database's URL is printed and stored: never a user, a password or an option."""

import pytest

from stef.databases.urls import parsed_url, safe_url
from stef.errors import UserError

SECRET = "s3cr"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:///dir/{database}.sqlite", "sqlite:///dir/{database}.sqlite"),
        ("sqlite:////abs/a@b.sqlite?mode=ro", "sqlite:////abs/a@b.sqlite"),
        (f"postgresql://me:{SECRET}@host:5432/shop", "postgresql://host:5432/shop"),
        (f"postgresql+psycopg://me:{SECRET}@host/{{database}}", "postgresql+psycopg://host/{database}"),
        (f"mysql://me@host?password={SECRET}", "mysql://host"),
        (f"postgresql:///shop?host=/run&password={SECRET}", "postgresql:///shop"),
        (f"postgresql://me:{SECRET}@[::1]:5432/shop", "postgresql://[::1]:5432/shop"),
        ("shop.sqlite", "shop.sqlite"),
    ],
)
def test_the_place_is_shown_and_nothing_secret(url: str, shown: str) -> None:
    """Scheme, host, port and name stay as they were written."""
    assert safe_url(url) == shown


@pytest.mark.parametrize("mark", ["/", "#", "?", ":", "{", "@", "%2F", "&", "[", " "])
@pytest.mark.parametrize("kind", ["postgresql", "mysql+pymysql", "oracle"])
def test_no_mark_in_a_password_lets_it_out(kind: str, mark: str) -> None:
    """Also where the mark ought to have been escaped, and the URL means something else than its author thinks."""
    shown = safe_url(f"{kind}://me:{SECRET}{mark}{SECRET}2@host/shop")
    assert SECRET not in shown
    assert "me" not in shown


def test_a_password_with_a_bare_at_sign_is_told_how_to_write_it() -> None:
    """The part behind it would be taken for a host, and named in every message."""
    with pytest.raises(UserError, match="%40") as raised:
        parsed_url(f"postgresql://me:{SECRET}@{SECRET}2@host/shop")
    assert SECRET not in str(raised.value)
