"""Texts that ask the user back: which of several readings is meant, or what is still missing."""

import re

SHORT_QUESTION = re.compile(r"\A[^?？.!。！\n]{3,200}[?？]\W*\Z")
"""A text that is one question, and nothing else."""
EAST_ASIAN_QUESTION = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af][^。.!！\n]{0,80}[?？吗嗎呢か까요]\s*[?？]?\s*\Z"
)

NOT_UNDERSTOOD = re.compile(
    r"""\b(?:do(?:n't|\ not)|did(?:n't|\ not)|can(?:'?t|not|\ not)|could(?:n't|\ not)|not)
    \ (?:quite\ |really\ |fully\ |able\ to\ )?(?:understand|follow|get\ (?:that|it|you))\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""It asks back only where a question follows; alone it declines."""
