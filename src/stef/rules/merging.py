"""How a rules file adds to the one that it extends."""

from typing import Any

OWN = ("app", "version", "examples")
"""Keys that a file does not inherit."""


def merge(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """`own` laid over `base`; neither is changed.

    Objects are merged key by key; lists are joined, the inherited first, without what stands there already; anything
    else replaces. A null takes back what was inherited: the key has its built-in default again.
    """
    merged = dict(base)
    for key, value in own.items():
        inherited = merged.get(key)
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict):
            merged[key] = merge(inherited if isinstance(inherited, dict) else {}, value)
        elif isinstance(value, list):
            kept = inherited if isinstance(inherited, list) else []
            merged[key] = kept + [item for item in value if item not in kept]
        else:
            merged[key] = value
    return merged
