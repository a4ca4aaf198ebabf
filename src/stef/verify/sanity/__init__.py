"""Rung 2: does the result look right? Looks at what came back, one kind a module."""

from stef.verify.sanity.looks import LOOKS, Look

__all__ = ["LOOKS", "Look"]
