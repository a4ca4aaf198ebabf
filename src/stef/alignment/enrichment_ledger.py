"""What the check of an enriched question has found so far, and what a question leaves open."""

from dataclasses import dataclass, field

from stef.records.reading import MentionKind, QuestionReading

_VAGUE: dict[MentionKind | None, frozenset[str]] = {
    MentionKind.PERIOD: frozenset(
        {
            "recent",
            "late",
            "latest",
            "current",
            "now",
            "nowaday",
            "last",
            "new",
            "newest",
            "modern",
            "today",
            "far",
            "past",
        }
    ),
    MentionKind.NUMBER: frozenset(
        {
            *(
                "high",
                "low",
                "large",
                "big",
                "small",
                "mani",
                "few",
                "long",
                "short",
                "expens",
                "cheap",
                "popular",
                "good",
            ),
            *("bad", "heavi", "top", "best", "worst", "most", "old", "young", "signific", "major", "frequent", "often"),
            *("normal", "abnorm", "rich", "poor", "adult", "minor", "child", "senior", "teenag", "elder", "elderli"),
            *("pass", "multipl", "sever", "qualifi", "elig"),
        }
    ),
}


@dataclass(slots=True)
class Ledger:
    """What was found so far, as the words that state it."""

    dropped: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)


def is_vague(question: QuestionReading, kind: MentionKind | None) -> bool:
    """Whether a word of the question leaves a constant of that kind open: "recently", "a high rating"."""
    vague = _VAGUE.get(kind)
    if vague is None:
        return False
    words = question.words
    return any(
        word.stem in vague and not (word.stem == "mani" and place and words[place - 1].stem == "how")
        for place, word in enumerate(words)
    )
