"""The same for Arrow arrays: whole columns at once, without copying what is well-formed.

Arrays come and go by the Arrow PyCapsule interface: whatever has `__arrow_c_array__` or `__arrow_c_stream__` is taken as it is. What
is returned is of the kind that came in: an array, a chunked array, a record batch or a table of pyarrow; a series or a data frame
of polars or pandas. Of all others it is a `pyarrow.Array` or `pyarrow.ChunkedArray`, or, where there is no pyarrow, a `Column` or
`ChunkedColumn`: any library that takes Arrow arrays takes these.

Rows are bytes in Binary, LargeBinary, BinaryView or FixedSizeBinary, or dictionaries or runs of them, or text. The functions that
make text or bytes also take lists, structs and tables, in which they leave all that is neither bytes nor text as it is. Where a row is
ill-formed `RowError` is raised, a `ValueError` with `row`, `offset` (in the row) and `kind`, the name of the rule that is broken. A
character that the target has no form for is a `RowError` too, of the kind "unrepresentable".
"""

from . import _core
from ._core import ChunkedColumn, Column, RowError


def _apply(function, array, *arguments):
    library = type(array).__module__.partition(".")[0]
    kind = type(array).__name__
    column = function(_without_index(array) if (library, kind) == ("pandas", "DataFrame") else array, *arguments)
    if library == "polars":
        import polars

        return polars.DataFrame(column) if kind == "DataFrame" else polars.Series(column).alias(array.name)
    try:
        import pyarrow
    except ImportError:
        return column
    if library == "pyarrow" and kind == "RecordBatch":
        return pyarrow.record_batch(column)
    if kind == "Table" and library == "pyarrow":
        return pyarrow.table(column)
    if library == "pandas":
        import pandas

        if kind == "DataFrame":
            frame = pyarrow.table(column).to_pandas(types_mapper=pandas.ArrowDtype)
            return frame.set_axis(array.index).set_axis(array.columns, axis="columns")
        extension = pandas.arrays.ArrowExtensionArray(pyarrow.chunked_array(column))
        return pandas.Series(extension, index=array.index, name=array.name)
    if isinstance(column, Column):
        return pyarrow.array(column)
    return pyarrow.chunked_array(column)


def _without_index(frame):
    """The columns of a data frame of pandas, which would hand over its index as one more."""
    import pyarrow

    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def check(array):
    """Binary as text. The values are those of the array, not a copy. The first row that is not UTF-8 is an error."""
    return _apply(_core.arrow_check, array)


def is_valid(array):
    """Which rows are well-formed UTF-8; null for null.

    A column of text is taken at its word, as Arrow has it: all of its rows are. One that was made of bytes that nobody has
    checked (`pyarrow.Array.from_buffers`) has to be looked at as bytes: `is_valid(array.view(pyarrow.binary()))`.
    """
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
    """Text as binary in an encoding. A row that has a character without a form there is null, if `errors` is "null"."""
    return _apply(_core.arrow_transcode, array, None, encoding, errors)


def transcode(array, source, target, errors="strict"):
    """Binary in an encoding as binary in another, with nulls as for `decode` and `encode`."""
    return _apply(_core.arrow_transcode, array, source, target, errors)


def count(array):
    """The number of characters of each row."""
    return _apply(_core.arrow_char_count, array)


def detect(array):
    """What each row is: the name of its encoding, or "mixed", "unknown", "binary"."""
    return _apply(_core.arrow_detect, array)


__all__ = [
    "ChunkedColumn",
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
