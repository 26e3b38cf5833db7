"""Expressions of polars, lazily: `import runecast.polars`, and every expression and series has a namespace `runecast`.

    import polars as pl
    import runecast.polars

    pl.scan_parquet("mails/*.parquet").with_columns(
        pl.col("body").runecast.repair("whatwg"),
        kind=pl.col("body").runecast.errors().struct["kind"],
    ).collect(engine="streaming")

Columns are Binary or String. The extension module of this package is a plugin of polars as well: expressions are computed by polars'
own threads, without Python. It is not compiled against polars; the interface is that of polars 1.0 and later, so far. Series go by
Arrow's PyCapsule interface, as in `runecast.arrow`.

Names of encodings and of `errors` are looked up when an expression is made, before a row is read. If a row is ill-formed and
`errors` is "strict", a query ends with polars' `ComputeError`, which names the row, the byte and what is wrong, and a function of a series with
`RowError`; in a query rows are counted in the piece that a thread has at a time.
"""

import polars as _polars
from polars.plugins import register_plugin_function as _plugin

from . import _core
from . import arrow as _arrow

_ERROR = _polars.Struct(
    {"offset": _polars.Int64, "length": _polars.Int64, "kind": _polars.String, "message": _polars.String}
)


class _Namespace:
    """What stands behind `.runecast`, of an expression or of a series."""

    def __init__(self, column):
        self._column = column

    def _map(self, function, returned, *, source=None, target=None, errors=None):
        arguments = [argument for argument in (source, target, errors) if argument is not None]
        if isinstance(self._column, _polars.Series):
            return function(self._column, *arguments).cast(returned)
        # Looks up the names, and refuses what is not for columns.
        function(_polars.Series([], dtype=_polars.String if function is _arrow.encode else _polars.Binary), *arguments)
        known = {"work": function.__name__}
        if source is not None:
            known["source"] = _core.canonical(source)
        if target is not None:
            known["target"] = _core.canonical(target)
        if errors is not None:
            known["errors"] = errors
        expression = _plugin(
            plugin_path=_core.__file__, function_name="runecast", args=[self._column], kwargs=known, is_elementwise=True
        )
        return expression.cast(returned)

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
        return self._map(_arrow.decode, _polars.String, source="utf-8", errors=errors)

    def decode(self, encoding="utf-8", errors="strict"):
        """Binary in an encoding as text; `errors` is "strict", "null" or a behaviour."""
        return self._map(_arrow.decode, _polars.String, source=encoding, errors=errors)

    def encode(self, encoding="utf-8", errors="strict"):
        """Text as Binary in an encoding; `errors` is "strict", "null" or a behaviour."""
        return self._map(_arrow.encode, _polars.Binary, target=encoding, errors=errors)

    def transcode(self, source, target, errors="strict"):
        """Binary in an encoding as Binary in another."""
        return self._map(_arrow.transcode, _polars.Binary, source=source, target=target, errors=errors)

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
