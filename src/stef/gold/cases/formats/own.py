"""stef's own fields, to the letter."""

from stef.gold.cases.formats.base import Format

OWN = Format(name="stef", about="stef's own fields (docs/cases.md)", closed=True)
