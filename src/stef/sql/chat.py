"""Taking a query out of a chat reply: fences, tags, role tokens, labels, and prose before and after."""

import re

QUERY_START = re.compile(
    r"""
    \s*(?:\(\s*)*(?:
        SELECT\b
      | WITH\s+(?:RECURSIVE\s+)?[\w"`\[\].$]+\s*(?:\([^()]*\)\s*)?AS\s*(?:NOT\s+MATERIALIZED\s*|MATERIALIZED\s*)?\(
      | FROM\s+[\w"`.\[\]]+[^.!?\n]*\s(?:SELECT\b|\|>)
      | VALUES\s*\(
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""A text that begins as a query does."""

_STATEMENT_START = re.compile(
    r"\s*(?:EXPLAIN|DECLARE|SET|USE|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|CREATE|ALTER|DROP|MERGE|TRUNCATE|SHOW|DESC(?:RIBE)?"
    r"|PRAGMA|CALL|EXEC(?:UTE)?|GRANT|REVOKE|BEGIN|COMMIT|IF)\b",
    re.IGNORECASE,
)

_FENCE = re.compile(r"```[ \t]*(?P<language>[\w+#-]*)[ \t]*(?:\r?\n)?(?P<body>.*?)(?:```|\Z)", re.DOTALL)
_FENCE_MARK = re.compile(
    r"```[ \t]*(?:(?:sql|sqlite|mysql|postgres(?:ql)?|tsql|bigquery|snowflake|duckdb|plaintext)\b)?", re.IGNORECASE
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
_STRAY_TAG = re.compile(
    r"</?(?:sql|query|sql_query|sqlquery|answer|code|final_answer|output|s|br|pre|p)\s*/?>", re.IGNORECASE
)
_CHAT_TOKEN = re.compile(
    r"<\|[^|<>\n]{0,40}(?:\|>|\|?\Z)|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<(?:eos|bos|pad|unk)>|</?s>",
    re.IGNORECASE,
)
_ROLE_LINE = re.compile(
    r"^[ \t]*(?:\#{1,6}[ \t]*(?:Human|Assistant|User|System|AI|Bot|Instruction|Response|Input|Output|Question)\b[ \t]*:?"
    r"|(?:Human|Assistant|User|System|AI|Bot)[ \t]*:)[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_ROLE_NAME = re.compile(r"\A\s*(?:assistant|model|user|system)\s*\n", re.IGNORECASE)
_LABEL = re.compile(
    r"\A\s*(?:[*_#>\s]*)(?:(?:the\s+)?(?:final|correct(?:ed)?|generated|revised|resulting|my)\s+)?"
    r"(?:sql(?:ite)?[ _]?(?:query|statement|code)?|query|answer|code|output|response|action(?:\s+input)?|solution)[*_]*\s*[:=][*_]*\s*",
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
    if not queries and len(bodies) == 1 and _STATEMENT_START.match(bodies[0]):
        queries = bodies
    if queries:
        distinct = dict.fromkeys(" ".join(query.rstrip("; \n").split()) for query in queries)
        return queries[0] if len(distinct) == 1 else ";\n".join(query.rstrip("; \n") for query in queries)
    return _FENCE_MARK.sub(" ", text).strip()


def begins_query(text: str) -> bool:
    """Whether `text` begins as a query does, its leading comments aside."""
    return bool(QUERY_START.match(_without_leading_comments(text)))


def begins_statement(text: str) -> bool:
    """Whether `text` begins as any SQL statement does."""
    text = _without_leading_comments(text)
    return bool(QUERY_START.match(text) or _STATEMENT_START.match(text))


_LEADING_COMMENTS = re.compile(r"\A(?:\s+|--[^\n]*(?:\n|\Z)|#(?!#)[^\n]*(?:\n|\Z)|/\*.*?\*/)+", re.DOTALL)


def _without_leading_comments(text: str) -> str:
    return _LEADING_COMMENTS.sub("", text, count=1)


def untag(text: str) -> str | None:
    """What stands in `<sql>…</sql>` and its like, thoughts removed; None: no tags."""
    if "<" not in text:
        return None
    without = _THOUGHT.sub(" ", text) if "</" in text or text.lstrip().startswith("<") else text
    for found in _TAGGED.finditer(without):
        if begins_statement(found["body"]):
            return found["body"].strip()
    without = _STRAY_TAG.sub(" ", without) if "</" in without else without
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


_QUERY_LINE = re.compile(
    r"^[ \t>*-]*(?=\(*\s*(?:SELECT\s+\S|WITH\s+(?:RECURSIVE\s+)?[\w\"`\[\]]+\s*(?:\([^()\n]*\)\s*)?AS\s*(?:\w+\s+)*\())",
    re.IGNORECASE | re.MULTILINE,
)
_QUERY_AFTER_COLON = re.compile(r":\s*[`\"']?(?=(?:SELECT|WITH)\s)", re.IGNORECASE)
_QUERY_SHOUTED = re.compile(r"\b(?=SELECT\s+[^.!?]{1,2000}?\sFROM\s)|\b(?=WITH\s+\w+\s+AS\s*\()")


def drop_prose_before(text: str) -> str | None:
    """`text` from where its query begins; None: nothing stands before a query, or there is no query."""
    for pattern in (_QUERY_LINE, _QUERY_AFTER_COLON, _QUERY_SHOUTED):
        for found in pattern.finditer(text):
            if found.end() and text[: found.end()].strip():
                return text[found.end() :].strip()
    return None


_CONTINUES = frozenset(
    ["select", "from", "where", "and", "or", "not", "group", "order", "by", "having", "limit", "offset", "union", "all", "intersect", "except", "minus", "join", "inner", "left", "right", "full", "outer", "cross", "natural", "on", "using", "with", "as", "case", "when", "then", "else", "end", "in", "exists", "between", "like", "ilike", "is", "null", "fetch", "qualify", "window", "over", "partition", "rows", "range", "values", "for", "lateral", "pivot", "unpivot", "sample", "tablesample", "set", "top", "into", "asc", "desc", "nulls", "distinct", "straight_join", "connect", "start", "escape", "collate", "if", "declare"]
)
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_FIRST_WORDS = re.compile(r"[*_#>\s\d.-]*([A-Za-zÀ-ÿ'’]+)(?=[\s:,.!*`_]|\Z)")
_LABEL_LINE = re.compile(r"\n[ \t]*[*_#>]*[A-Z][A-Za-z]*(?:[ ]\w+){0,4}[*_]*[ \t]*:(?=\s|\Z|[*_])")
_ONE_WORD = re.compile(r"[A-Z][a-z]+[.:!]?")
_FUNCTION_CALL = re.compile(r"[A-Z_]{2,}\s*\(")
_TABLE_BORDER = re.compile(r"\n[ \t]*(?:\+[-=+]{3,}|\|[ -])")


def drop_prose_after(text: str) -> str | None:
    """`text` up to the blank line after which a sentence follows; None: no such line."""
    for gap in _PARAGRAPH.finditer(text):
        rest = text[gap.end() :]
        if _reads_as_prose(rest) and not _inside_something(text[: gap.start()]):
            return text[: gap.start()].rstrip()
    return None


def _reads_as_prose(text: str) -> bool:
    if text.startswith(("---", "***", "###", "**", "+--")):
        return True
    first = _FIRST_WORDS.match(text)
    if not first or first.group(1).lower() in _CONTINUES:
        return False
    line = text.split("\n", 1)[0].strip()
    if len(line.split()) == 1:
        return bool(_ONE_WORD.fullmatch(line))
    after = text[first.end() : first.end() + 1]
    return first.group(1)[0].isupper() and after in " :,!*'’`" and not _FUNCTION_CALL.match(line)


def _inside_something(text: str) -> bool:
    return text.count("(") > text.count(")") or text.count("/*") > text.count("*/") or text.count("'") % 2 == 1


def drop_labelled_lines(text: str) -> str | None:
    """`text` up to the first line such as `Result: …` or a printed table, for text that did not parse; None: no such line."""
    found = _LABEL_LINE.search(text)
    border = _TABLE_BORDER.search(text)
    ends = [match.start() for match in (found, border) if match and text[: match.start()].strip()]
    return text[: min(ends)].rstrip() if ends else None


_SEMICOLON_PROSE = re.compile(r";\s*(?=[A-Z*#][^;]*\Z)")


def drop_prose_after_semicolon(text: str) -> str | None:
    """`text` up to a `;` that a sentence follows, for text that did not parse; None: no such sentence."""
    found = _SEMICOLON_PROSE.search(text)
    if found and not begins_statement(text[found.end() :]) and _reads_as_prose(text[found.end() :]):
        return text[: found.start()]
    return None


_DOUBLED = re.compile(r"\s*SELECT\s+(?=SELECT\b|WITH\s+\w+\s+AS\s*\()", re.IGNORECASE)


def undouble(text: str) -> str | None:
    """`text` without a repeated first keyword (`SELECT SELECT a`, `SELECT WITH x AS (`); None: it is not repeated."""
    found = _DOUBLED.match(text)
    return text[found.end() :] if found else None
