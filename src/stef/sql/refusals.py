"""Texts that stand where SQL should stand, and say that there is none."""

import re

_LONGEST_REFUSAL = 2_000

_APOLOGY = re.compile(
    r"""
    ^\W*(?:i['’]?m|i\ am|we['’]re|we\ are)\ (?:very\ |so\ |really\ |truly\ )?(?:sorry|afraid|unable|not\ able)\b
    | ^\W*(?:sorry|apologies|my\ apologies|unfortunately|regrettably|i\ apologi[sz]e)\b
    | ^\W*as\ an\ (?:ai|a\.i\.|language\ model|assistant)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)

_INABILITY = re.compile(
    r"""
    \b(?:i|we)\ (?:simply\ |just\ |really\ )?(?:
        can(?:no|['’])?t | can\ not | could(?:\ not|n['’]t) | am\ (?:not\ able|unable) | are\ (?:not\ able|unable)
        | do(?:\ not|n['’]t)\ have | won['’]t | will\ not | need\ (?:more|additional|further|the)
      )\b
    | \b(?:cannot|can['’]?t|can\ not|could\ not|couldn['’]t)\ (?:be\ )?(?:
        answer|generat|produc|creat|writ|determin|comput|calculat|deriv|provid|help|assist|retriev|translat|convert
      )\w*
    | \b(?:is|are|was)\ (?:not|n['’]t)\ (?:\w+\ )?(?:
        possible|answerable|available|supported|provided|present|included|enough|sufficient
      )\b
    | \b(?:not\ possible|impossible|unable|insufficient|not\ enough|no\ way)\ (?:to|information|data|context|schema)\b
    | \b(?:schema|database|tables?|data(?:set)?|columns?|context)\b[^.\n]{0,60}\b(?:
        do(?:es)?(?:\ not|n['’]t) | lacks? | (?:has|have|contains?)\ no
      )\b
    | \bno\ (?:such\ |relevant\ |matching\ |suitable\ )?(?:tables?|columns?|data|information|fields?|schema)\b
      [^.\n]{0,60}\b(?:
        exists? | available | found | provided | contains? | with | for | about | that | to
      )\b
    | \b(?:there\ is|there['’]s|there\ are)\ (?:no|not\ enough|insufficient)\b[^.\n]{0,60}\b(?:
        tables?|columns?|data|information|schema|context|way
      )\b
    | \b(?:question|request|query)\b[^.\n]{0,40}\b(?:
        unclear|ambiguous|out\ of\ scope|outside|unanswerable|unrelated|irrelevant
        |cannot|can['’]t|not\ (?:related|relevant)
      )\b
    | \bplease\ (?:provide|clarify|specify|give|share|rephrase)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)

_OTHER_LANGUAGES = re.compile(
    r"""
    \b(?:lo\ siento|disculp[ae]|no\ (?:puedo|es\ posible|se\ puede))\b
    | \b(?:désolée?|je\ ne\ (?:peux|suis)|il\ n['’]est\ pas\ possible|impossible\ de)\b
    | \b(?:es\ tut\ mir\ leid|entschuldigung|leider|ich\ kann\b[^.]{0,60}\b(?:nicht|keine?)|nicht\ möglich)\b
    | \b(?:desculpe|sinto\ muito|não\ (?:posso|consigo|é\ possível))\b
    | \b(?:mi\ dispiace|non\ (?:posso|è\ possibile))\b
    | \b(?:het\ spijt\ me|ik\ kan\b[^.]{0,60}\b(?:niet|geen))\b
    | (?:извините|к\ сожалению|не\ могу|невозможно)
    | (?:抱歉|对不起|對不起|无法|無法|不能回答)
    | (?:申し訳|できません|죄송|할\ 수\ 없)
    """,
    re.IGNORECASE | re.VERBOSE,
)

_TERSE = re.compile(
    r"""^\W*(?:
        no\ (?:answer|sql|query|valid\ (?:sql|query|answer))(?:\ (?:possible|available|found|can\ be\ \w+))?
        | (?:not|un)[\ -]?answerable | (?:can(?:not|['’]?t)|unable\ to)\ (?:be\ )?answer(?:ed)?
        | out\ of\ (?:scope|domain) | ambiguous | (?:refuse|decline|abstain)d?
        | (?:insufficient|not\ enough)\ (?:information|context|data)
        | i\ do(?:n['’]t|\ not)\ know | not\ (?:possible|supported|applicable)
    )\W*$""",
    re.IGNORECASE | re.VERBOSE,
)


def looks_like_refusal(text: str, markers: tuple[str, ...] = ()) -> bool:
    """Whether `text` declines to answer: an apology, a missing table or column, a request to clarify.

    `markers` are an application's own phrases for it; each counts wherever it stands, whatever its case. Only text that
    holds no query should be asked: a constant such as `SELECT 'no data'` is a query.
    """
    text = text[:_LONGEST_REFUSAL]
    folded = text.casefold()
    if any(marker.casefold() in folded for marker in markers if marker.strip()):
        return True
    return any(pattern.search(text) for pattern in (_TERSE, _APOLOGY, _INABILITY, _OTHER_LANGUAGES))
