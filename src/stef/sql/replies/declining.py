"""Texts that decline, in English: an apology, a missing table, a placeholder; and those of an agent that broke."""

import re

APOLOGY = re.compile(
    r"""
    ^\W*(?:i'?m|i\ am|we're|we\ are)\ (?:very\ |so\ |really\ |truly\ )?(?:sorry|afraid|unable|not\ able)\b
    | ^\W*(?:sorry|apologies|my\ apologies|unfortunately|regrettably|i\ apologi[sz]e)\b
    | ^\W*as\ an\ (?:ai|a\.i\.|language\ model|assistant)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)

TERSE = re.compile(
    r"""^\W*(?:
        no\ (?:answer|sql|query|valid\ (?:sql|query|answer))(?:\ (?:possible|available|found|can\ be\ \w+))?
        | (?:not|un)[\ -]?answerable | (?:can(?:not|'?t)|unable\ to)\ (?:be\ )?answer(?:ed)?
        | out\ of\ (?:scope|domain) | (?:refuse|decline|abstain)d?
        | (?:insufficient|not\ enough)\ (?:information|context|data)
        | i\ do(?:n't|\ not)\ know | not\ (?:possible|supported|applicable)
    )\W*$""",
    re.IGNORECASE | re.VERBOSE,
)

PLACEHOLDER = re.compile(
    r"""\A\W*(?:
        n\s?[/.]\s?a\.?|na|nan|none|null|nil|unknown|undefined|unavailable|nothing|no|tbd|idk|\(?empty\)?
        | (?:no|not|missing|insufficient|unavailable)\ (?:\w+\ ){0,2}?(?:
            data|information|info|results?|rows?|records?|found|available|applicable|possible|exists?|supported
            |answer(?:able)?|query|sql|schema|table|column|access|known|provided|enough
          )(?:\ (?:available|found|provided|exists?|returned|possible|in\ (?:the\ )?(?:database|schema|data)))?
        | (?:keine|pas\ de|aucune?|sin|sem|nessun|geen)\ (?:daten|données|donnée|datos|dados|dato|dati|gegevens
        |angaben?|information\w*|información|informação|informazion\w)
        | nicht\ verfügbar|indisponible|no\ disponible|não\ disponível|non\ disponibile|niet\ beschikbaar
        | 无|無|暂无(?:数据)?|没有数据|データなし|なし|없음|нет\ данных
    )?\W*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""What stands in a field, or in a constant, that holds no answer. In a sentence it would mean nothing."""

BROKE = re.compile(
    r"""\A\W*(?:(?:sorry|oops|unfortunately|i'?m\ sorry)[,.!]?\ (?:but\ )?)?(?:
        (?:an?|the|some|unexpected|internal|unknown)?\ ?(?:\w+\ )?(?:error|exception
        |failure)\b(?:\ (?:has\ )?(?:occurred|happened|while|when|in|during|from|calling)|["']?\s*(?::|\Z|\())
        | \w*(?:Error|Exception)\b\s*(?::|\(|\Z) | traceback\ \(most | something\ went\ wrong
        | (?:the\ )?(?:request|connection|query|agent|call|server|model)\ (?:has\ )?(?:timed\ out|failed|crashed
        |was\ (?:aborted|cancelled|refused|reset))
        | (?:http\ ?)?[45]\d\d\W*\Z | (?:agent|run|chain)\ (?:was\ )?(?:stopped|aborted|terminated)\b
        | (?:maximum|max|iteration|recursion|step|time)\ (?:\w+\ )?(?:limit|iterations)\ (?:reached|exceeded)
        | timed?\ ?out\b\W*\Z | (?:http\ )?5\d\d\b\ (?:internal|bad|service|gateway) | internal\ server\ error
        | rate\ limit\ (?:exceeded|reached)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""What is left of an agent that broke: that is no refusal."""
