"""Prompts: templates that ship with stef, can be overridden file by file, and fence what comes from outside."""

from stef.prompts.neutral import fence_mark
from stef.prompts.template import Prompt, prompts_hash, render

__all__ = ["Prompt", "fence_mark", "prompts_hash", "render"]
