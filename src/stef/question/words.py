"""Words of a question, words inside an identifier, and how surely the ones name the other."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import JaroWinkler

from stef.question import synonyms
from stef.question.glued import parted
from stef.question.lexicon import STOP_WORDS
from stef.question.stemming import plain, stem
from stef.records.reading import Word

__all__ = ["name_stems", "stem", "tie", "tokenize", "word_tie"]

# A combining mark (decomposed "é") is no word character to `re`.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*[^\W\d_]*|[^\W_](?:[^\W_]|[\u0300-\u036f])*(?:['’][^\W\d_]+)?")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])|(?<=[a-z]{3})(?=[A-Z]{2})")
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_GENERIC_WEIGHT = 0.35
_MIN_PREFIX = 3
_MIN_FUZZY = 5
_FUZZY = 0.92
# How much is left of a tie, by what it rests on: judged by hand, no figure was fitted.
_GLUED = 0.95
_CUT_SHORT = 0.75
_COMPOUND = 0.6


@lru_cache(maxsize=256)
def tokenize(text: str) -> tuple[Word, ...]:
    """The words of `text` in order, numbers included, stemmed as `stem` does; `Word.stop` marks function words.

    A number with separators is one word ("1,000"), hyphens, underscores and the humps of "FavoriteCount" part words.
    """
    words: list[Word] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        folded, stop, humps = _word(token)
        if not humps:
            words.append(Word(token, folded, match.span(), stop))
            continue
        start = match.start()
        for left, right in zip((0, *humps), (*humps, len(token)), strict=True):
            part = token[left:right]
            part_stem, part_stop, _ = _word(part)
            words.append(Word(part, part_stem, (start + left, start + right), part_stop))
    return tuple(words)


@lru_cache(maxsize=65536)
def _word(token: str) -> tuple[str, bool, tuple[int, ...]]:
    """Stem, whether a function word, and where humps part the token."""
    folded = token.casefold().replace("’", "'")
    humps = tuple(m.start() for m in _HUMP.finditer(token)) if not token.islower() and not token.isdecimal() else ()
    edges = (0, *humps, len(token))
    if any(right - left < _MIN_PREFIX for left, right in pairwise(edges)):
        humps = ()
    return stem(folded), folded in STOP_WORDS, humps


@lru_cache(maxsize=65536)
def name_stems(name: str) -> tuple[str, ...]:
    """The stems of an identifier's parts: "eye_colour_id" gives ("eye", "color", "id"), "favcount" ("fav", "count")."""
    return tuple(stem(word) for part in _NAME_PART.findall(plain(name)) for word in parted(part))


def tie(phrase_stems: Iterable[str], name_stems: Iterable[str]) -> float:
    """How surely the words of a phrase name an identifier, in [0, 1]; both as stems.

    Equal stems count full, then synonyms and abbreviations, prefixes, and near spellings. What is left over on both
    sides counts against it, generic words ("id", "name") less than others; a different generic head ("singer name"
    for `singer_id`) halves it.
    """
    phrase = phrase_stems if isinstance(phrase_stems, tuple) else tuple(phrase_stems)
    name = name_stems if isinstance(name_stems, tuple) else tuple(name_stems)
    return _tie(phrase, name)


@lru_cache(maxsize=65536)
def _tie(phrase: tuple[str, ...], name: tuple[str, ...]) -> float:
    if not phrase or not name:
        return 0.0
    if phrase == name:
        return 1.0
    if "".join(phrase) == "".join(name):
        return _GLUED
    named = [max(word_tie(p, n) for p in phrase) for n in name]
    asked = [max(word_tie(p, n) for n in name) for p in phrase]
    of_name = _covered(name, named)
    of_phrase = _covered(phrase, asked)
    if of_name == 0.0 or of_phrase == 0.0:
        return 0.0
    harmonic = 2 * of_name * of_phrase / (of_name + of_phrase)
    score = 0.5 * max(of_name, of_phrase) + 0.5 * harmonic
    heads_differ = (
        phrase[-1] in synonyms.GENERIC and name[-1] in synonyms.GENERIC and word_tie(phrase[-1], name[-1]) == 0.0
    )
    return score / 2 if heads_differ else score


def _covered(stems: tuple[str, ...], ties: list[float]) -> float:
    """The share of `stems`, by weight, that `ties` cover."""
    total = covered = 0.0
    for one, strength in zip(stems, ties, strict=True):
        weight = _GENERIC_WEIGHT if one in synonyms.GENERIC else 1.0
        total += weight
        covered += weight * strength
    return covered / total


@lru_cache(maxsize=65536)
def word_tie(word: str, part: str) -> float:
    """How surely one stem of a question stands for one stem of an identifier, in [0, 1]."""
    if word == part:
        return 1.0
    related = synonyms.related(word)
    if part in related:
        return related[part]
    if word.isdecimal() or part.isdecimal() or min(len(word), len(part)) < _MIN_PREFIX:
        return 0.0
    if len(part) < len(word) and word.startswith(part):
        return _CUT_SHORT
    if len(word) > _MIN_PREFIX and len(part) >= len(word) + _MIN_PREFIX and part.startswith(word):
        return _COMPOUND
    if len(word) > _MIN_PREFIX and len(part) >= len(word) + _MIN_PREFIX and part.endswith(word):
        return _COMPOUND
    if len(part) < len(word) and (bones := _bones(word)) == _bones(part) and len(bones) >= _MIN_PREFIX:
        return _CUT_SHORT
    if min(len(word), len(part)) >= _MIN_FUZZY and JaroWinkler.similarity(word, part) >= _FUZZY:
        return 0.6
    return 0.0


def _bones(word: str) -> str:
    """The word without its inner vowels, as people shorten it: "cntry"."""
    return word[0] + "".join(letter for letter in word[1:] if letter not in "aeiouy")
