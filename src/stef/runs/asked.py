"""When two turns ask the same: question and database, written in whatever way."""

import unicodedata
from hashlib import blake2b

_END = " \t?.!¿¡"


def normalised(question: str) -> str:
    """A question as it is paired: letter case, white space, width of letters and the mark at its end do not count."""
    text = " ".join(unicodedata.normalize("NFKC", question).casefold().split())
    return text.strip(_END) or text


def question_digest(database: str | None, question: str | None, size: int) -> bytes:
    """`size` bytes that are the same for the same question: where texts need not be kept, only told apart."""
    text = f"{database or ''}\x00{normalised(question or '')}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=size).digest()
