"""How the readers write down closed lists of words."""


def word_set(words: str) -> frozenset[str]:
    """The words of a text that is parted by spaces."""
    return frozenset(words.split())
