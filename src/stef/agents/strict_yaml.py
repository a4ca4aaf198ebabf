"""YAML as JSON would have it: no key twice, `NO` and `on` are words, and a date is text."""

import re
from collections.abc import Hashable
from typing import Any

import yaml

_TEXT, _FLOAT, _INT = "tag:yaml.org,2002:str", "tag:yaml.org,2002:float", "tag:yaml.org,2002:int"
_BOOL, _TIMESTAMP = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp"


class StrictLoader(yaml.SafeLoader):
    """A SafeLoader that refuses a key given twice; plain YAML would keep the last without a word."""

    def get_single_node(self) -> yaml.Node | None:
        """The document; a `version` at its top is text, as 8.10 is not 8.1."""
        node = super().get_single_node()
        for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
            if key.value == "version" and isinstance(value, yaml.ScalarNode) and value.tag in (_FLOAT, _INT):
                value.tag = _TEXT
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The mapping of `node`."""
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge" or not isinstance(key_node, yaml.ScalarNode):
                continue
            if key_node.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key_node.value!r} is given twice; keep one", key_node.start_mark
                )
            seen.add(key_node.value)
        return super().construct_mapping(node, deep=deep)


StrictLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in (_BOOL, _TIMESTAMP)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
StrictLoader.add_implicit_resolver(_BOOL, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
