"""Files that are shipped with stef: prompts and rules.

In a wheel they lie in `stef/_resources`; in a checkout (editable install) in the top-level folders of the same names.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

_CHECKOUT = Path(__file__).parents[2]


def resource_path(path: str) -> Traversable:
    """The shipped file or folder `path`, such as `rules/default.json`.

    Raises FileNotFoundError where it is neither in the package nor in the checkout, or leads out of them.
    """
    parts = path.split("/")
    if ".." not in parts and parts[0]:
        for root in (files("stef") / "_resources", _CHECKOUT):
            found = root.joinpath(*parts)
            if found.is_file() or found.is_dir():
                return found
    raise FileNotFoundError(f"stef ships no file {path!r}; the installation may be incomplete")


def resource_text(path: str) -> str:
    """The text of the shipped file `path`, such as `prompts/judge.md.j2`; raises FileNotFoundError."""
    return resource_path(path).read_text(encoding="utf-8")
