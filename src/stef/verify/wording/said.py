"""What an answer may say without the rows: the user's words, the query's, and names of columns."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from stef.question.words import tokenize
from stef.records.turn import Turn
from stef.verify.wording.claims import Claims, claims_of
from stef.verify.wording.table import Table, fold, words_of

_SQL = frozenset(
    [
        *("select", "from", "where", "like", "having", "group", "by", "order", "union", "intersect", "except", "not"),
        *("in", "and", "or", "join", "on", "as", "limit", "distinct", "count", "sum", "avg", "min", "max", "null"),
        *("sql", "asc", "desc", "case", "when", "then", "else", "end", "exists", "between", "is", "with", "over"),
        *(
            "left",
            "right",
            "inner",
            "outer",
            "cross",
            "full",
            "using",
            "escape",
            "cast",
            "partition",
            "values",
            "table",
        ),
    ]
)


@dataclass(frozen=True)
class Said:
    """All that was said before the answer: by the user, in the query, and in the names of the columns."""

    turn: Turn
    table: Table

    @cached_property
    def asked(self) -> Claims:
        """The numbers and dates of the question, of its rewording, and of the session's earlier questions."""
        return claims_of("\n".join(self._texts), self.turn.timestamp)

    @cached_property
    def question(self) -> str:
        """The same texts, folded."""
        return fold(" ".join(self._texts))

    @cached_property
    def query(self) -> str:
        """The SQL, folded."""
        return fold(self.turn.sql or "")

    @cached_property
    def in_query(self) -> frozenset[float]:
        """The numbers that stand in the SQL."""
        return frozenset(float(word) for word in words_of(self.query) if word.isdecimal() and len(word) < 16)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the user's words, of the columns' names and of the query's words."""
        return frozenset(_stems([*self._texts, *self.table.names, self.turn.sql or ""])) | _SQL

    def knows(self, name: str) -> bool:
        """Whether all words of a name were said before."""
        return all(word.stem in self.stems or word.text.casefold() in _SQL for word in tokenize(name) if not word.stop)

    @property
    def _texts(self) -> tuple[str, ...]:
        return (self.turn.question, self.turn.enriched_question or "", *self.turn.history)


def _stems(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        for word in tokenize(text):
            yield word.stem
            yield word.text.casefold()
