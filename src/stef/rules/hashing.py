"""A short name for what a set of rules says."""

import json
from hashlib import sha256

from stef.rules.model import AppRules


def rules_hash(rules: AppRules) -> str:
    """Twelve hexadecimal digits of the SHA-256 of the merged rules as canonical JSON; `examples` do not count."""
    data = rules.model_dump(mode="json", exclude={"examples"})
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode()).hexdigest()[:12]
