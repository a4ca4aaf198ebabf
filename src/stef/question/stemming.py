"""English stems: Snowball's, with case, accents, American spelling and irregular forms folded first."""

import unicodedata
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]

from stef.question.lexicon import IRREGULAR, american


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The English Snowball stem of `word`: case, accents, possessives, American spelling and irregular forms folded.

    "don't" and its kind give "not", a number stays as it is.
    """
    if word.isascii() and word.isdecimal():
        return word
    folded = plain(word).casefold()
    if "'" in folded:
        if folded.endswith("n't"):
            return "not"
        folded = folded.split("'", 1)[0]
    irregular = IRREGULAR.get(folded)
    if irregular is not None:
        return irregular
    # A stemmer object keeps the word that it works on: one per call is safe among threads, and cheap beside the work.
    result: str = EnglishStemmer().stemWord(american(folded))
    return result


def plain(word: str) -> str:
    """`word` without accents, and with straight apostrophes."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word.replace("’", "'"))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
