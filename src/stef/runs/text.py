"""Bytes of a log → lines of text: compression, encodings, and what is said of a byte that does not fit."""

import bz2
import codecs
import gzip
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from stef.errors import InputError
from stef.runs.sources import Source

MAX_LINE = 64 << 20
"""Longest line that is read, in bytes; a longer one is reported as broken."""

SAMPLE = 1 << 20
_BLOCK = 1 << 13
BROKEN_FILE = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, OSError)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OPENERS = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\x00", lzma.open))
_FOREIGN = (
    (b"PK\x03\x04", "a zip or Excel file; unpack it, or save the sheet as CSV"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first (gz, bz2 and xz are read as they are)"),
    (b"SQLite format 3", "an SQLite database; export its table as CSV or JSONL"),
    (b"ARROW1", "an Arrow file; save it as Parquet"),
    (b"ORC", "an ORC file; save it as Parquet"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line. `broken` says why `text` cannot be used."""

    number: int
    text: str
    broken: str | None = None


def open_bytes(source: Source) -> BinaryIO:
    """The bytes of a source, decompressed by what its first bytes say. Raises InputError where it cannot be opened."""
    try:
        with source.open() as file:
            head = file.read(16)
        for magic, opener in _OPENERS:
            if head.startswith(magic):
                return cast("BinaryIO", opener(source.open(), "rb"))
        return source.open()
    except OSError as error:
        raise InputError(f"{source.shown}: cannot be read: {error.strerror or error}") from error


def sample(source: Source) -> bytes:
    """The first MiB of a source, decompressed. Raises InputError for an empty or foreign file."""
    head = bytearray()
    with open_bytes(source) as file:
        try:
            while len(head) < SAMPLE and (chunk := file.read(_BLOCK)):
                head += chunk
        except BROKEN_FILE as error:
            if not head:
                raise InputError(f"{source.shown}: cannot be unpacked: {error}") from error
    if not head.strip():
        raise InputError(f"{source.shown}: the file is empty")
    for magic, what in _FOREIGN:
        if head.startswith(magic):
            raise InputError(f"{source.shown}: this is {what}")
    return bytes(head[:SAMPLE])


def is_empty(source: Source) -> bool:
    """Whether a source holds nothing but white space in its first MiB. Raises InputError where it cannot be opened."""
    with open_bytes(source) as file:
        try:
            return not file.read(SAMPLE).strip()
        except BROKEN_FILE:
            return False


def encoding_of(source: Source, head: bytes, asked: str | None) -> str:
    """The encoding to read a text log with: the one asked for, the one its BOM names, else UTF-8.

    Raises InputError for an unknown encoding, and for a file that is plainly something else than UTF-8.
    """
    if asked:
        return _known(asked)
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name
    if b"\x00" in head[:4096]:
        start = head[:4096]
        # Every second byte of Western text in UTF-16 is zero; in anything else zeros are few, or all.
        evens, odds = (start[side::2].count(0) * 4 > len(start) for side in (0, 1))
        way = "a log is JSON Lines, CSV or Parquet"
        if evens != odds:
            way = f"it looks like UTF-16 without a mark: add --encoding utf-16-{'be' if evens else 'le'}"
        raise InputError(f"{source.shown}: this is no text in UTF-8 (zero byte at byte {head.index(0)}); {way}")
    _refuse_other_encodings(source, head)
    return "utf-8"


def _known(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError as error:
        raise InputError(f"--encoding {name}: unknown encoding; try utf-8, utf-16, latin-1 or cp1252") from error


def _refuse_other_encodings(source: Source, head: bytes) -> None:
    """A file whose every non-ASCII byte breaks UTF-8 is in another encoding; one broken character is a broken line."""
    text = head.decode("utf-8", "surrogateescape")
    if not any("\udc80" <= char <= "\udcff" for char in set(text)):
        return
    if any("\x7f" < char < "\ud800" or char > "\udfff" for char in set(text)):
        return
    place = next(index for index, byte in enumerate(head) if byte > 0x7F)
    if len(head) == SAMPLE and place > SAMPLE - 4:
        return
    line = head.count(b"\n", 0, place) + 1
    raise InputError(
        f"{source.shown}:{line}: not UTF-8 (byte 0x{head[place]:02x} at byte {place}); say what it is, "
        "such as --encoding latin-1 or --encoding cp1252 "
        "(--encoding utf-8 insists, and counts the lines that do not fit as broken)"
    )


def lines(source: Source, encoding: str) -> Iterator[Line]:
    """The physical lines of a source, with their line ends. A line that cannot be decoded comes as broken."""
    with open_bytes(source) as file:
        if encoding.startswith(("utf-16", "utf-32", "utf_16", "utf_32")):
            yield from _wide_lines(file, encoding)
        else:
            yield from _narrow_lines(file, encoding)


def _narrow_lines(file: BinaryIO, encoding: str) -> Iterator[Line]:
    number, skipping = 0, False
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    while True:
        try:
            raw = file.readline(MAX_LINE + 1)
        except BROKEN_FILE as error:
            yield Line(number + 1, "", f"the file breaks off here ({error}); what stood before was read")
            return
        if not raw:
            return
        whole = raw.endswith(b"\n") or len(raw) <= MAX_LINE
        if skipping:
            skipping = not whole
            continue
        number += 1
        if not whole:
            skipping = True
            yield Line(number, "", f"longer than {MAX_LINE >> 20} MiB")
            continue
        if number == 1 and raw.startswith(codecs.BOM_UTF8):
            raw = raw[len(codecs.BOM_UTF8) :]
        yield _decoded(number, raw, codec)


def _decoded(number: int, raw: bytes, codec: str) -> Line:
    try:
        return Line(number, raw.decode(codec))
    except UnicodeDecodeError as error:
        byte = raw[error.start] if error.start < len(raw) else 0
        why = f"not {codec} (byte 0x{byte:02x} at byte {error.start} of the line); the log may need --encoding latin-1"
        return Line(number, raw.decode(codec, "replace"), why)


def _wide_lines(file: BinaryIO, encoding: str) -> Iterator[Line]:
    reader = codecs.getreader(encoding)(file)
    number = 0
    try:
        for number, text in enumerate(reader, start=1):
            yield Line(number, text.removeprefix("\ufeff") if number == 1 else text)
    except (UnicodeError, *BROKEN_FILE) as error:
        yield Line(number + 1, "", f"not {encoding} ({error}); what stood before was read")
