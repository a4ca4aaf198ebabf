"""The prompts of the dear rungs, and what is put into them."""

from pathlib import Path
from typing import Any, Final

from stef.llm.client import ChatRequest, Message
from stef.records.live import LiveSchema, LiveTable
from stef.verify.asking import Reply
from stef.verify.candidate import Candidate
from stef.verify.means import Means

BACK_TRANSLATE: Final = "back_translate.md.jinja"
SAME_REQUEST: Final = "same_request.md.jinja"
WRITE_SQL: Final = "write_sql.md.jinja"
CHECK_WORDING: Final = "check_wording.md.jinja"
ALL: Final = (BACK_TRANSLATE, SAME_REQUEST, WRITE_SQL, CHECK_WORDING)

_MOST_SCHEMA = 60_000


def prompts_in_force(prompts_dir: Path | str | None) -> str:
    """Short hash of all of them."""
    from stef.prompts import prompts_hash  # noqa: PLC0415  brings jinja2

    return prompts_hash(ALL, prompts_dir)


def request_for(name: str, values: dict[str, Any], form: type[Reply], means: Means) -> ChatRequest:
    """What is asked with the prompt `name`: all that leaves the machine. The fence's mark depends on all values."""
    from stef.prompts import Prompt, fence_mark  # noqa: PLC0415  brings jinja2

    texts = [str(one) for value in values.values() for one in (value if isinstance(value, tuple) else (value,))]
    prompt = Prompt(name, means.prompts_dir)
    system, user = prompt.render_blocks(("system", "user"), **values, mark=fence_mark(texts))
    messages = (Message("system", system), Message("user", user))
    return ChatRequest(messages, form.model_json_schema(), max_tokens=means.max_tokens)


def said_of(candidate: Candidate) -> dict[str, Any]:
    """The question, its rewording, the session and the application's notes."""
    turn, rules = candidate.turn, candidate.rules
    return {
        "question": turn.question,
        "enriched_question": turn.enriched_question,
        "history": turn.history,
        "app_notes": () if rules is None else tuple(rules.notes),
    }


def schema_text(schema: LiveSchema | None, only: frozenset[str] | None = None) -> str:
    """CREATE statements of a schema, or of those of its tables that `only` names (folded); at most 60,000 characters,
    with a remark of how many tables are missing then."""
    tables = [
        table for name, table in (schema.tables.items() if schema else ()) if only is None or _is_in(name, table, only)
    ]
    lines: list[str] = []
    size = 0
    for number, table in enumerate(tables):
        line = _statement(table)
        size += len(line)
        if size > _MOST_SCHEMA:
            lines.append(f"-- and {len(tables) - number} more tables, which are not shown")
            break
        lines.append(line)
    return "\n".join(lines)


def _is_in(name: str, table: LiveTable, only: frozenset[str]) -> bool:
    return name in only or table.name.casefold() in only


def _statement(table: LiveTable) -> str:
    parts = [f"{_name(column.name)} {column.type}".rstrip() for column in table.columns]
    if table.primary_key:
        parts.append(f"PRIMARY KEY ({', '.join(map(_name, table.primary_key))})")
    for key in table.foreign_keys:
        columns, refers = ", ".join(map(_name, key.columns)), ", ".join(map(_name, key.refers_to))
        parts.append(f"FOREIGN KEY ({columns}) REFERENCES {_name(key.table)} ({refers})")
    full = f"{_name(table.schema)}.{_name(table.name)}" if table.schema else _name(table.name)
    return f"CREATE {'VIEW' if table.view else 'TABLE'} {full} ({', '.join(parts)});"


def _name(name: str) -> str:
    return name if name.isidentifier() else '"' + name.replace('"', '""') + '"'
