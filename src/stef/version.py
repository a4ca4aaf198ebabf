"""The version of stef, as in the package's metadata."""

from typing import Final

VERSION: Final = "0.1.0"
