"""Expressions of polars, lazily: `import runecast.polars`, and every expression and series has a namespace `runecast`.

    import polars as pl
    import runecast.polars

    pl.scan_parquet("mails/*.parquet").with_columns(
        pl.col("body").runecast.repair("whatwg"),
        kind=pl.col("body").runecast.errors().struct["kind"],
    ).collect(engine="streaming")

Columns are Binary or String. Each batch goes to `runecast.arrow` and back by Arrow's PyCapsule interface, so this is one call of
Python for a batch, and none for a row. It is no plugin compiled against polars, which would go with one version of it: whatever polars
has namespaces and `map_batches` will do.

Names of encodings and of `errors` are looked up when an expression is made, before a row is read. If a row is ill-formed and
`errors` is "strict", the query ends with `RowError` (older polars: its ComputeError, with the same words); rows are counted in
their batch.
"""

import polars as _polars

from . import arrow as _arrow

_ERROR = _polars.Struct(
    {"offset": _polars.Int64, "length": _polars.Int64, "kind": _polars.String, "message": _polars.String}
)


class _Namespace:
    """What stands behind `.runecast`, of an expression or of a series."""

    def __init__(self, column):
        self._column = column

    def _map(self, function, returned, *arguments):
        if isinstance(self._column, _polars.Series):
            return function(self._column, *arguments).cast(returned)
        # Looks up the names.
        function(_polars.Series([], dtype=_polars.String if function is _arrow.encode else _polars.Binary), *arguments)
        return self._column.map_batches(
            lambda series: function(series, *arguments).cast(returned), return_dtype=returned, is_elementwise=True
        )

    def check(self):
        """Binary as text. The first row that is not UTF-8 is an error."""
        return self._map(_arrow.check, _polars.String)

    def is_valid(self):
        """Which rows are well-formed UTF-8; null for null."""
        return self._map(_arrow.is_valid, _polars.Boolean)

    def errors(self):
        """The first error of each row, a struct of `offset`, `length`, `kind` and `message`; null for rows that are well-formed."""
        return self._map(_arrow.errors, _ERROR)

    def repair(self, errors="whatwg"):
        """Binary as text, by one of the behaviours where a row is ill-formed, or null there if `errors` is "null"."""
        return self._map(_arrow.repair, _polars.String, errors)

    def decode(self, encoding="utf-8", errors="strict"):
        """Binary in an encoding as text; `errors` is "strict", "null" or a behaviour."""
        return self._map(_arrow.decode, _polars.String, encoding, errors)

    def encode(self, encoding="utf-8", errors="strict"):
        """Text as Binary in an encoding; `errors` is "strict", "null" or a behaviour."""
        return self._map(_arrow.encode, _polars.Binary, encoding, errors)

    def transcode(self, source, target, errors="strict"):
        """Binary in an encoding as Binary in another."""
        return self._map(_arrow.transcode, _polars.Binary, source, target, errors)

    def count(self):
        """The number of characters of each row."""
        return self._map(_arrow.count, _polars.Int64)

    def detect(self):
        """What each row is: the name of its encoding, or "mixed", "unknown", "binary"."""
        return self._map(_arrow.detect, _polars.String)


@_polars.api.register_expr_namespace("runecast")
class ExprNamespace(_Namespace):
    """`pl.col("x").runecast`"""


@_polars.api.register_series_namespace("runecast")
class SeriesNamespace(_Namespace):
    """`df["x"].runecast`"""


__all__ = ["ExprNamespace", "SeriesNamespace"]
