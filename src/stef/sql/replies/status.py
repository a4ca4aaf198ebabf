"""An agent's own word for how its turn ended, in the many ways that it is spelt."""

import re

from stef.records.gold import Outcome

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_A_WORD = re.compile(r"[\W_]+")

_NEGATED = frozenset({"not", "no", "non", "cannot", "cant", "can't", "couldnt", "unable", "never", "without"})
_STEMS: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    (
        Outcome.CLARIFIED,
        re.compile(
            r"""^(?:clarif\w*|disambiguat\w*|ambiguous|ambiguity|underspecified|vague|unclear|followups?
            |rückfrage\w*|aclara\w*|esclarec\w*|chiarim\w*|verduidelijk\w*|précision\w*)$""",
            re.VERBOSE,
        ),
    ),
    (
        Outcome.DECLINED,
        re.compile(
            r"""^(?:declin\w*|refus\w*|reject\w*|abst[ae]in\w*|abstention|unanswer\w*|unsupported|infeasible
            |impossible
            |irrelevant|offtopic|den(?:y|ied)|forbidden|blocked|insufficient|unavailable|fallback|idk
            |abgelehnt|verweigert|rechaz\w*|recus\w*|rifiut\w*|geweigerd|拒绝|拒絕)$""",
            re.VERBOSE,
        ),
    ),
    (
        Outcome.FAILED,
        re.compile(
            r"""^(?:fail\w*|errors?|errored|crash\w*|exception\w*|timeouts?|timedout|abort\w*|cancel\w*|killed|broken
            |panic\w*|fatal|invalid|fehler\w*|fehlgeschlagen|erreur|échec|errore|fallo|falha|mislukt)$""",
            re.VERBOSE,
        ),
    ),
    (
        Outcome.ANSWERED,
        re.compile(r"^(?:answer(?:ed|s)?|answerable|sql|query|queried|beantwortet|répondu|respondid[oa]|risposto)$"),
    ),
)

_PHRASES: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    (
        Outcome.CLARIFIED,
        re.compile(
            r"""\b(?:ask(?:s|ed|ing)?\ (?:the\ )?(?:user|back|question)|question\ to\ user|user\ input|follow\ ups?
            |(?:needs?|more|additional|requires?|awaiting|waiting\ for)\ (?:more\ )?(?:user|input|info|information
            |details?)
            |multiple\ interpretations)\b""",
            re.VERBOSE,
        ),
    ),
    (
        Outcome.DECLINED,
        re.compile(
            r"""\b(?:out\ of\ (?:scope|domain)|off\ topic|no\ (?:answer|data|sql|query)|missing\ (?:data
            |information|schema)
            |not\ (?:supported|possible|applicable|available|answer(?:ed|able)?)
            |(?:can|could|will|do|did|does)(?:\ ?not|\ ?n?\ ?t)\ answer|unable\ to\ answer|don\ t\ know
            |do\ not\ know)\b""",
            re.VERBOSE,
        ),
    ),
    (
        Outcome.FAILED,
        re.compile(r"\b(?:timed? out|time limit|no response|not finished|max(?:imum)? (?:steps|iterations|turns))\b"),
    ),
)


def outcome_of_status(word: str | None) -> Outcome | None:
    """What an agent's own word means: `declined`, `NEEDS_CLARIFICATION`, `Outcome.FAILED`, `timeout`, `Rückfrage`.

    None where it says nothing of how the turn ended, as `ok`, `success` and `done` do: these are said of the call.
    """
    if not word or not word.strip():
        return None
    text = " ".join(_NOT_A_WORD.sub(" ", _CAMEL.sub(" ", word.strip()[:200].replace("’", "'"))).casefold().split())
    for outcome, pattern in _PHRASES:
        if pattern.search(text):
            return outcome
    words = text.split()
    for outcome, pattern in _STEMS:
        for place, one in enumerate(words):
            if pattern.match(one) and not (_NEGATED & set(words[:place])):
                return outcome
    return None
