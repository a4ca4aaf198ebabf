"""The prompts of the dear rungs."""

from pathlib import Path
from typing import Final

BACK_TRANSLATE: Final = "back_translate.md.jinja"
SAME_REQUEST: Final = "same_request.md.jinja"
WRITE_SQL: Final = "write_sql.md.jinja"
CHECK_WORDING: Final = "check_wording.md.jinja"
ALL: Final = (BACK_TRANSLATE, SAME_REQUEST, WRITE_SQL, CHECK_WORDING)


def prompts_in_force(prompts_dir: Path | str | None) -> str:
    """Short hash of all of them."""
    from stef.prompts import prompts_hash  # noqa: PLC0415  brings jinja2

    return prompts_hash(ALL, prompts_dir)
