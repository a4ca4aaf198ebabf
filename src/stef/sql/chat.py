"""Taking a query out of a chat reply: fences, tags, role tokens, labels."""

import re

from stef.sql.starts import begins_query, begins_statement

_FENCE = re.compile(r"```[ \t]*(?P<language>[\w+#-]*)[ \t]*(?:\r?\n)?(?P<body>.*?)(?:```|\Z)", re.DOTALL)
_FENCE_MARK = re.compile(
    r"\s*```[ \t]*(?:(?:sql|sqlite|mysql|postgres(?:ql)?|tsql|bigquery|snowflake|duckdb|plaintext)\b)?\s*",
    re.IGNORECASE,
)
_LEADING_NAME = re.compile(
    r"\A\s*(?:sql|sqlite3?|mysql|postgres(?:ql)?|tsql|bigquery|snowflake|duckdb)[ \t]*[:\n]\s*", re.IGNORECASE
)
_THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning|scratchpad|analysis)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL
)
_TAGGED = re.compile(
    r"<(sql|query|sql_query|sqlquery|answer|code|final_answer|output)>(?P<body>.*?)(?:</\1>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = r"</?(?:sql|query|sql_query|sqlquery|answer|code|final_answer|output|s|br|pre|p)\s*/?>"
_OUTER_TAG = re.compile(rf"\A(?:\s*{_TAG})+|(?:{_TAG}\s*)+\Z", re.IGNORECASE)
_CHAT_TOKEN = re.compile(
    r"<\|[^|<>\n]{0,40}(?:\|>|\|?\Z)|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<(?:eos|bos|pad|unk)>|\A<s>|</s>\s*\Z",
    re.IGNORECASE,
)
_ROLE_LINE = re.compile(
    r"^[ \t]*(?:\#{1,6}[ \t]*(?:Human|Assistant|User|System|AI|Bot|Instruction|Response|Input|Output|Question)\b"
    r"[ \t]*:?"
    r"|(?:Human|Assistant|User|System|AI|Bot)[ \t]*:)[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_ROLE_NAME = re.compile(r"\A\s*(?:assistant|model|user|system)\s*\n", re.IGNORECASE)
_LABEL = re.compile(
    r"\A\s*(?:[*_#>\s]*)(?:(?:the\s+)?(?:final|correct(?:ed)?|generated|revised|resulting|my)\s+)?"
    r"(?:sql(?:ite)?[ _]?(?:query|statement|code)?|query|answer|code|output|response|action(?:\s+input)?|solution)"
    r"[*_]*\s*[:=][*_]*\s*",
    re.IGNORECASE,
)
_WRAPPED_CALL = re.compile(
    r"\A\s*(?:execute|query|sql|run|run_sql|execute_sql|answer|finish|submit)\s*\[(?P<body>.*)\]\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
_EXPLAIN = re.compile(
    r"\A\s*EXPLAIN\b(?:\s+(?:ANALY[SZ]E|VERBOSE|EXTENDED|QUERY|PLAN|FOR|LOGICAL|USING|TEXT|JSON|TABULAR|FORMAT\s*=?\s*\w+)\b|\s*\([^()]*\))*\s*(?=\(*\s*(?:SELECT|WITH)\b)",
    re.IGNORECASE,
)


def unfence(text: str) -> str | None:
    """The query that a Markdown fence holds; several fenced queries stay apart as statements. None: no fence."""
    if "```" not in text:
        return None
    bodies = [_LEADING_NAME.sub("", found["body"]).strip() for found in _FENCE.finditer(text)]
    queries = [body for body in bodies if begins_query(body)]
    if not queries and len(bodies) == 1 and begins_statement(bodies[0]):
        queries = bodies
    if queries:
        distinct = dict.fromkeys(" ".join(query.rstrip("; \n").split()) for query in queries)
        return queries[0] if len(distinct) == 1 else ";\n".join(query.rstrip("; \n") for query in queries)
    return _FENCE_MARK.sub(" ", text).strip()


def untag(text: str) -> str | None:
    """What stands in `<sql>…</sql>` and its like, thoughts removed; None: no tags."""
    if "<" not in text:
        return None
    without = text
    if not begins_query(text):
        without = _THOUGHT.sub(" ", text)
        for found in _TAGGED.finditer(without):
            if begins_statement(found["body"]):
                return found["body"].strip()
    without = _OUTER_TAG.sub("", without)
    return without.strip() if without != text else None


def cut_chat(text: str) -> str | None:
    """The turn that holds the query, in a text with role tokens or role lines; None: there are none."""
    pieces = [piece for part in _CHAT_TOKEN.split(text) for piece in _ROLE_LINE.split(part)]
    if len(pieces) == 1:
        return None
    pieces = [_ROLE_NAME.sub("", piece).strip() for piece in pieces if piece]
    for piece in pieces:
        if begins_statement(piece) or "```" in piece:
            return piece
    return max(pieces, key=len, default="")


def unlabel(text: str) -> str | None:
    """`text` without a leading `SQL:`, `SQLQuery:`, `execute[…]`; None: nothing of the kind before a statement."""
    if (wrapped := _WRAPPED_CALL.match(text)) and begins_statement(wrapped["body"]):
        return wrapped["body"].strip()
    found = _LABEL.match(text)
    if found and begins_statement(text[found.end() :]):
        return text[found.end() :].strip()
    return None


def unexplain(text: str) -> str | None:
    """The query behind EXPLAIN; None: no EXPLAIN of a query."""
    found = _EXPLAIN.match(text)
    return text[found.end() :] if found else None
