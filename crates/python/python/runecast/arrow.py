"""The same for Arrow arrays: whole columns at once, without copying what is well-formed.

Arrays come and go by the Arrow PyCapsule interface. What is returned is a `pyarrow.Array` (of a `pyarrow.ChunkedArray` a
chunked one), or a `Column` where there is no pyarrow: any library that takes Arrow arrays takes it.

Rows are bytes in Binary, LargeBinary, BinaryView or FixedSizeBinary, or dictionaries of them, or text. Where a row is not in
order `RowError` is raised, a `ValueError` with `row`, `offset` (in the row) and `kind`.
"""

from . import _core
from ._core import Column, RowError


def _apply(function, array, *arguments):
    chunks = getattr(array, "chunks", None)
    if chunks is not None and not hasattr(array, "__arrow_c_array__"):
        return _chunked(function, array, chunks, arguments)
    column = function(array, *arguments)
    try:
        import pyarrow
    except ImportError:
        return column
    return pyarrow.array(column)


def _chunked(function, array, chunks, arguments):
    import pyarrow

    # Of no chunks the type is not known before something is converted.
    chunks = chunks or [pyarrow.array([], array.type)]
    done, before = [], 0
    for chunk in chunks:
        try:
            done.append(pyarrow.array(function(chunk, *arguments)))
        except RowError as error:
            error.row += before
            error.add_note(f"in a chunk that begins at row {before}")
            raise
        before += len(chunk)
    return pyarrow.chunked_array(done)


def check(array):
    """Binary as text. The values are those of the array, not a copy. The first row that is not UTF-8 is an error."""
    return _apply(_core.arrow_check, array)


def is_valid(array):
    """Which rows are well-formed UTF-8; null for null."""
    return _apply(_core.arrow_is_valid, array)


def errors(array):
    """The first error of each row, as a struct; null for rows that are well-formed."""
    return _apply(_core.arrow_errors, array)


def repair(array, errors="whatwg"):
    """Binary as text, by one of the behaviours where a row is ill-formed, or null there if `errors` is "null"."""
    return decode(array, "utf-8", errors)


def decode(array, encoding="utf-8", errors="strict"):
    """Binary in an encoding as text: where a row is ill-formed an error, null if `errors` is "null", or what one of the
    behaviours writes."""
    return _apply(_core.arrow_decode, array, encoding, errors)


def encode(array, encoding="utf-8", errors="strict"):
    """Text as binary in an encoding."""
    return _apply(_core.arrow_transcode, array, None, encoding, errors)


def transcode(array, source, target, errors="strict"):
    """Binary in an encoding as binary in another."""
    return _apply(_core.arrow_transcode, array, source, target, errors)


def count(array):
    """The number of characters of each row."""
    return _apply(_core.arrow_char_count, array)


def detect(array):
    """What each row is: the name of its encoding, or "mixed", "unknown", "binary"."""
    return _apply(_core.arrow_detect, array)


__all__ = [
    "Column",
    "RowError",
    "check",
    "count",
    "decode",
    "detect",
    "encode",
    "errors",
    "is_valid",
    "repair",
    "transcode",
]
