"""Texts that ask the user back: which of several readings is meant, or what is still missing."""

import re

ASKS = re.compile(
    r"""
    \b(?:do|did)\ you\ (?:just\ |perhaps\ |maybe\ |possibly\ |only\ |actually\ )?(?:mean|want|wish|need|refer
    |intend|prefer)\b
    | \A\W*you\ mean\b[^.?!]{0,200}\?
    | \bare\ you\ (?:asking|looking|referring|interested|talking|trying)\b
    | \b(?:which|what|whose|when|where|how|who|whom)\b[^.?!\n]{0,120}
      \b(?:do|did|would|should|are|shall|could)\ (?:you|i|we)\b[^.?!\n]{0,60}\?
    | \b(?:could|can|would|will)\ you\ (?:please\ |kindly\ |perhaps\ )?(?:
        clarify|specify|elaborate|rephrase|reword|reformulate|confirm|explain|provide|tell|give|indicate|state|share
        |be\ (?:more|a\ (?:bit|little)\ more)|let\ (?:me|us)\ know|choose|pick|narrow|say|repeat|define|describe
        |ask\ (?:it|that)
      )\b
    | \b(?:please|kindly)\ (?:also\ )?(?:
        clarify|specify|elaborate|rephrase|reword|reformulate|confirm|choose|select\ (?:one|which)|pick|indicate
        |define
        |be\ more\ specific|state\ (?:which|what|whether)|say\ (?:which|what|whether)
        |ask\ (?:a|an|again|about|your|me)\b|tell\ (?:me|us)
        |let\ (?:me|us)\ know\ (?:which|what|whether|if\ you\ (?:mean|meant|want|would))
        |(?:provide|give|share|supply|enter)\b
      )
    | \bwhat\ (?:exactly\ )?(?:do|did)\ you\ mean\b | \bwhat\ is\ meant\ by\b
    | \b(?:i|we)(?:['’]ll|['’]d|\ will|\ would)?\ (?:first\ |still\ |just\ )?need\ (?:
        (?:some\ |a\ (?:bit|little|few)\ )?(?:more|additional|further)\ (?:information|info|details?|context
        |specifics|input)
        |to\ know\ (?:which|what|whether|if|more|how|when)|(?:some\ |a\ )?clarification|you\ to
      )\b
    | \b(?:more|additional|further)\ (?:information|details?|context|input)\ (?:is|are|would\ be)\ (?:needed
    |required|necessary|helpful)\b
    | \bclarification\ (?:is\ )?(?:needed|required|necessary)\b | \b(?:need|require
    |request)s?\ (?:\w+\ )?clarification\b
    | \b(?:question|request|query|phrase|term|word|wording|it|this|that|which\ is|name
    |column)\b[^.?!\n]{0,40}\b(?:is|are|seems?)\ (?:\w+\ )?
      (?:ambiguous|unclear|vague|underspecified|not\ clear|not\ specific|too\ broad|open\ to\ interpretation)\b
    | \b(?:can|could|may|might)\ (?:be\ (?:interpreted|understood|read)\ (?:in|as)|(?:mean
    |refer\ to)\b[^.?!\n]{0,80}\bor\b)
    | \b(?:it\ is|it['’]s)\ (?:not\ clear|unclear|ambiguous)\ (?:which|what|whether|who|if|how|to\ me)\b
    | \b(?:i['’]m|i\ am|we\ are)\ not\ (?:sure|certain)\ (?:which|what|whether|if\ you|who|how)\b
    | \b(?:several|multiple|two|three|many|different)\ (?:possible\ |valid\ )?(?:interpretations|readings|meanings)\b
    | \bpossible\ interpretations\b
    | ^\W*(?:ambiguous(?:\ (?:question|query|request))?|clarif(?:y|ication)(?:\ (?:needed|required|question
    |request))?)\W*(?:$|:)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Phrases by which an English text asks back."""

SHORT_QUESTION = re.compile(r"\A[^?？.!。！\n]{3,200}[?？]\W*\Z")
"""A text that is one question, and nothing else."""
EAST_ASIAN_QUESTION = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af][^。.!！\n]{0,80}[?？吗嗎呢か까요]\s*[?？]?\s*\Z"
)

NOT_UNDERSTOOD = re.compile(
    r"""\b(?:do(?:n['’]t|\ not)|did(?:n['’]t|\ not)|can(?:['’]?t|not|\ not)|could(?:n['’]t|\ not)|not)
    \ (?:quite\ |really\ |fully\ |able\ to\ )?(?:understand|follow|get\ (?:that|it|you))\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""It asks back only where a question follows; alone it declines."""
