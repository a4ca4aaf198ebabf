"""Which of a text's statements is the query, and what the others are."""

import re

from sqlglot import exp

from stef.records.reading import Note, Unreadable
from stef.records.reasons import UnscoredReason
from stef.sql.dialects import Lexis
from stef.sql.segments import search_code

_WRITES: tuple[type[exp.Expr], ...] = (
    *(exp.Insert, exp.Update, exp.Delete, exp.Drop, exp.Create, exp.Alter),
    *(exp.Merge, exp.TruncateTable, exp.Copy, exp.LoadData),
)
_PRELUDES: tuple[type[exp.Expr], ...] = (exp.Set, exp.Use, exp.Declare, exp.Pragma)
_QUERIES: tuple[type[exp.Expr], ...] = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values, exp.Table)

_WRITING_WORDS = frozenset(
    [
        "INSERT",
        "UPDATE",
        "DELETE",
        "DROP",
        "CREATE",
        "ALTER",
        "MERGE",
        "TRUNCATE",
        "REPLACE",
        "COPY",
        "LOAD",
        "GRANT",
        "REVOKE",
        "RENAME",
        "UPSERT",
        "VACUUM",
    ]
)
_OTHER_WORDS = {
    "SHOW": "lists what the database holds",
    "DESC": "describes a table",
    "DESCRIBE": "describes a table",
    "EXPLAIN": "asks for a plan",
    "PRAGMA": "reads or sets a database option",
    "SET": "sets a variable",
    "DECLARE": "declares a variable",
    "USE": "chooses a database",
    "CALL": "calls a procedure",
    "EXEC": "calls a procedure",
    "EXECUTE": "calls a procedure",
    "BEGIN": "is a script",
    "IF": "is a script",
    "COMMIT": "ends a transaction",
}


def not_a_query(word: str) -> Unreadable:
    """NOT_A_QUERY for a statement that begins with `word`; the detail of one that changes data begins "writes data"."""
    word = word.upper()
    if word in _WRITING_WORDS:
        return Unreadable(UnscoredReason.NOT_A_QUERY, f"writes data: {word}")
    return Unreadable(UnscoredReason.NOT_A_QUERY, f"{word} {_OTHER_WORDS.get(word, 'is no query')}")


def pick_query(trees: list[exp.Expr | None]) -> tuple[exp.Expr, int] | Unreadable:
    """The one query among parsed statements, and how many statements before it set it up; else why there is none."""
    statements = [tree for tree in trees if tree is not None and not isinstance(tree, exp.Semicolon)]
    for tree in statements:
        if wrote := _writes(tree):
            return Unreadable(UnscoredReason.NOT_A_QUERY, f"writes data: {wrote}")
    queries = [tree for tree in statements if isinstance(tree, _QUERIES) and not _assigns(tree)]
    if len(queries) > 1:
        return Unreadable(UnscoredReason.SEVERAL_STATEMENTS, f"{len(queries)} queries")
    if not statements:
        return Unreadable(UnscoredReason.EMPTY, "nothing but comments")
    if not queries:
        return _no_query(statements[0])
    query = _unwrap(queries[0])
    if isinstance(query, exp.Select) and not query.expressions:
        return Unreadable(UnscoredReason.UNPARSABLE, "SELECT without a single column")
    return query, len(statements) - 1


def _no_query(tree: exp.Expr) -> Unreadable:
    if isinstance(tree, exp.Command):
        return not_a_query(str(tree.this))
    name = tree.key.upper()
    if name in _OTHER_WORDS or isinstance(tree, (*_PRELUDES, exp.Show, exp.Describe)):
        return not_a_query(name)
    return Unreadable(UnscoredReason.NOT_SQL, f"an expression ({tree.key}), not a statement")


def _writes(tree: exp.Expr) -> str | None:
    if isinstance(tree, _WRITES):
        if (
            isinstance(tree, exp.Create)
            and str(tree.args.get("kind")).upper() in ("FUNCTION", "MACRO")
            and _is_temporary(tree)
        ):
            return None
        return tree.key.upper()
    if isinstance(tree, exp.Select) and tree.args.get("into"):
        return "SELECT INTO"
    with_ = tree.args.get("with_")
    if with_ is not None:
        for cte in with_.expressions:
            if isinstance(cte.this, _WRITES):
                return str(cte.this.key).upper()
    return None


def _is_temporary(tree: exp.Create) -> bool:
    properties = tree.args.get("properties")
    return properties is not None and any(isinstance(item, exp.TemporaryProperty) for item in properties.expressions)


def _assigns(tree: exp.Expr) -> bool:
    """Whether a T-SQL `SELECT @x = …` only sets variables."""
    if not isinstance(tree, exp.Select) or not tree.expressions:
        return False
    return all(_is_assignment(item) for item in tree.expressions)


def _is_assignment(item: exp.Expr) -> bool:
    if isinstance(item, exp.Alias):
        # sqlglot reads T-SQL's `@x = value` as `value AS @x`.
        alias = item.args.get("alias")
        return isinstance(alias, exp.Parameter) or (
            isinstance(alias, exp.Identifier) and str(alias.this).startswith("@")
        )
    return isinstance(item, exp.EQ) and isinstance(item.this, exp.Parameter)


def _unwrap(tree: exp.Expr) -> exp.Expr:
    while isinstance(tree, exp.Subquery) and tree.is_wrapper and isinstance(tree.this, exp.Query):
        tree = tree.this
    return tree


_PRELUDE = re.compile(
    r"\s*(?:(?:DECLARE|SET|USE|GO|PRAGMA|CREATE\s+(?:OR\s+REPLACE\s+)?TEMP(?:ORARY)?\s+(?:FUNCTION|MACRO))\b|SELECT\s+@\w+\s*=)",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"[()]|;|(?:^|(?<=\s))(?:SELECT|WITH\s+\w+\s*(?:\([^()]*\)\s*)?AS\s*\(|DECLARE|SET|IF|BEGIN|WHILE|INSERT|CREATE|GO)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_NOTE = 300
_MOST_PRELUDES = 100


def split_prelude(text: str, lex: Lexis) -> tuple[str, tuple[Note, ...]]:
    """`text` from its query on, and a note for each DECLARE, SET, USE and temporary function before it.

    In T-SQL no semicolon stands between them: the next statement's keyword outside brackets ends one, too.
    """
    notes: list[Note] = []
    while len(notes) < _MOST_PRELUDES and (found := _PRELUDE.match(text)) is not None:
        end = _end_of_statement(text, found.end(), lex, by_keyword=found.group().lstrip()[:6].upper() != "CREATE")
        notes.append(Note("prelude", text[:end].strip(" ;\n\t")[:_LONGEST_NOTE]))
        text = text[end:].lstrip("; \t\r\n")
    return text, tuple(notes)


def _end_of_statement(text: str, start: int, lex: Lexis, *, by_keyword: bool) -> int:
    depth = 0
    position = start
    while position < len(text):
        quoted = lex.opaque.search(text, position)
        for mark in _BOUNDARY.finditer(text, position, quoted.start() if quoted else len(text)):
            word = mark.group()
            if word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
            elif depth <= 0 and (word == ";" or by_keyword):
                return mark.start()
        if quoted is None:
            break
        position = max(quoted.end(), position + 1)
    return len(text)


_TOP_LEVEL_WORD = re.compile(r"[()]|\b[A-Za-z_]+\b")
_BEFORE_BRANCH = frozenset({"UNION", "ALL", "DISTINCT", "INTERSECT", "EXCEPT", "MINUS", "AS", "EXPLAIN", "BY", "NAME"})


def count_glued_queries(text: str, lex: Lexis) -> int:
    """How many queries stand one after another without a `;`, for text that did not parse."""
    depth = count = 0
    before = ""
    with_open = False
    position = 0
    stretches: list[tuple[int, int]] = []
    for quoted in lex.opaque.finditer(text):
        stretches.append((position, quoted.start()))
        position = quoted.end()
    for start, end in (*stretches, (position, len(text))):
        for found in _TOP_LEVEL_WORD.finditer(text, start, end):
            word = found.group().upper()
            if word in "()":
                depth += 1 if word == "(" else -1
                before = word
                continue
            if depth == 0 and word == "SELECT" and before not in _BEFORE_BRANCH:
                count += 0 if with_open else 1
                with_open = False
            elif depth == 0 and word == "WITH" and before != "SELECT":
                count += 1
                with_open = True
            before = word
    return count


_WRITE_AFTER = re.compile(
    r";\s*(?:INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|DROP\s+\w+|TRUNCATE\s+TABLE|ALTER\s+\w+|CREATE\s+\w+)\b",
    re.IGNORECASE,
)


def find_write(text: str, lex: Lexis) -> str | None:
    """The keyword of a writing statement after a `;`, for text that did not parse."""
    found = search_code(text, lex, _WRITE_AFTER)
    return found.lstrip("; \n\t").split()[0].upper() if found else None
