"""The namespace of polars, eagerly and lazily, against Python's own codecs row by row."""

import unittest

try:
    import polars
    import runecast.arrow
    import runecast.polars
except ImportError:
    polars = None

ROWS = [b"r\xc5\xabna", None, b"caf\xe9", b"", b"\xf0\x9f\xa6\x80 \xf0\x9f", b"\xff"] * 50


def by_row(function, rows=ROWS):
    return [None if row is None else function(row) for row in rows]


def is_utf8(row):
    try:
        row.decode()
    except UnicodeDecodeError:
        return False
    return True


def first_error(row):
    try:
        row.decode()
    except UnicodeDecodeError as error:
        return error.start


@unittest.skipUnless(polars, "no polars")
class Polars(unittest.TestCase):
    def frames(self):
        """In one piece, and in several."""
        whole = polars.DataFrame({"raw": polars.Series(ROWS, dtype=polars.Binary)})
        yield whole
        yield polars.concat([whole[:7], whole[7:7], whole[7:]], rechunk=False)

    def both(self, frame, column, ask):
        """Of a series and of an expression of a lazy frame, by both engines."""
        series = ask(frame[column].runecast)
        lazy = frame.lazy().select(ask(polars.col(column).runecast))
        self.assertEqual(lazy.collect_schema().dtypes(), [series.dtype])
        for engine in "in-memory", "streaming":
            self.assertEqual(lazy.collect(engine=engine)[column].to_list(), series.to_list())
        self.assertEqual(series.name, column)
        return series.to_list()

    def test_against_python(self):
        for frame in self.frames():
            for ask, expected in [
                (lambda raw: raw.is_valid(), by_row(is_utf8)),
                (lambda raw: raw.errors().struct.field("offset").alias("raw"), by_row(first_error)),
                (lambda raw: raw.repair(), by_row(lambda row: row.decode(errors="replace"))),
                (lambda raw: raw.repair("whatwg"), by_row(lambda row: row.decode(errors="replace"))),
                (lambda raw: raw.repair("null"), by_row(lambda row: row.decode() if is_utf8(row) else None)),
                (lambda raw: raw.decode("latin-1"), by_row(lambda row: row.decode("latin-1"))),
                (lambda raw: raw.transcode("latin-1", "utf-16-le"), by_row(lambda row: row.decode("latin-1").encode("utf-16-le"))),
            ]:
                self.assertEqual(self.both(frame, "raw", ask), expected)

    def test_text(self):
        texts = ["rūna", None, "", "🦀"]
        frame = polars.DataFrame({"text": texts})
        self.assertEqual(self.both(frame, "text", lambda text: text.encode("utf-16-be")), by_row(lambda text: text.encode("utf-16-be"), texts))
        self.assertEqual(self.both(frame, "text", lambda text: text.encode("latin-1", "null")), [None, None, b"", None])
        self.assertEqual(self.both(frame, "text", lambda text: text.count()), [4, None, 0, 1])
        self.assertEqual(self.both(frame, "text", lambda text: text.check()), texts)
        self.assertEqual(self.both(frame, "text", lambda text: text.detect())[:2], ["UTF-8", None])

    def test_what_is_wrong_is_told(self):
        frame = next(self.frames())
        self.assertRaises(ValueError, frame["raw"].runecast.check)
        # As it is, or in polars' own.
        raised = (runecast.arrow.RowError, polars.exceptions.ComputeError)
        with self.assertRaisesRegex(raised, "row 2.*byte 3"):
            frame.lazy().select(polars.col("raw").runecast.check()).collect()
        # Before there is a row.
        for ask in lambda raw: raw.decode("utf-9"), lambda raw: raw.repair("whatwgg"), lambda raw: raw.encode("utf-8", "whatwgg"):
            self.assertRaisesRegex(LookupError, "did you mean", ask, polars.col("raw").runecast)

    def test_in_a_query(self):
        """Groups, filters and conditions, which polars may move."""
        frame = next(self.frames())
        raw = polars.col("raw").runecast
        found = (
            frame.lazy()
            .filter(raw.is_valid().not_())
            .group_by(raw.repair("latin1").alias("text"))
            .len()
            .sort("text")
            .collect()
        )
        expected = {text: 50 for text in sorted(["café", "🦀 ð\x9f", "ÿ"])}
        self.assertEqual(dict(found.iter_rows()), expected)


if __name__ == "__main__":
    unittest.main()
