"""The namespace of polars, eagerly and lazily, against Python's own codecs row by row."""

import io
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
                (lambda raw: raw.decode("latin1"), by_row(lambda row: row.decode("latin-1"))),
                (lambda raw: raw.transcode("latin-1", "utf-16"), by_row(lambda row: row.decode("latin-1").encode("utf-16"))),
                (lambda raw: raw.decode("utf-8-sig", "ignore"), by_row(lambda row: row.decode(errors="ignore"))),
                (lambda raw: raw.repair("runecast.whatwg"), by_row(lambda row: row.decode(errors="replace"))),
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
        for frame in self.frames():
            with self.assertRaisesRegex(polars.exceptions.ComputeError, "row 2.*byte 3"):
                frame.lazy().select(polars.col("raw").runecast.check()).collect()
        numbers = polars.DataFrame({"raw": [1, 2]}).lazy()
        with self.assertRaisesRegex(polars.exceptions.ComputeError, "Int64"):
            numbers.select(polars.col("raw").runecast.check()).collect()
        # Before there is a row.
        for ask in lambda raw: raw.decode("utf-9"), lambda raw: raw.repair("whatwgg"), lambda raw: raw.encode("utf-8", "whatwgg"):
            self.assertRaisesRegex(LookupError, "did you mean", ask, polars.col("raw").runecast)

    def test_every_behaviour(self):
        """What the plugin knows by name is what Python does."""
        frame = next(self.frames())
        for errors in [*runecast.BEHAVIOURS, "null", "replace", "ignore"]:
            self.both(frame, "raw", lambda raw: raw.repair(errors))
        texts = polars.DataFrame({"text": ["rūna", None, "", "🦀", "caf\xe9"] * 40})
        for encoding in runecast.ENCODINGS:
            written = self.both(texts, "text", lambda text: text.encode(encoding, "whatwg"))
            rows = polars.DataFrame({"raw": polars.Series(written, dtype=polars.Binary)})
            self.both(rows, "raw", lambda raw: raw.decode(encoding, "whatwg"))

    def test_without_python(self):
        """Polars' threads call the extension module itself."""
        frame = next(self.frames())
        lazy = frame.lazy().select(polars.col("raw").runecast.repair())
        apply = runecast.arrow._apply
        runecast.arrow._apply = None
        try:
            texts = lazy.collect()["raw"].to_list()
        finally:
            runecast.arrow._apply = apply
        self.assertEqual(texts, by_row(lambda row: row.decode(errors="replace")))
        # A plan can be sent to another process.
        again = polars.LazyFrame.deserialize(io.BytesIO(lazy.serialize()))
        self.assertEqual(again.collect()["raw"].to_list(), texts)

    def test_under_a_row_that_is_no_row(self):
        """Slices, empty frames, groups, and windows."""
        frame = next(self.frames())
        raw = polars.col("raw").runecast
        self.assertEqual(frame.lazy().slice(4, 3).select(raw.repair()).collect()["raw"].to_list(),
                         by_row(lambda row: row.decode(errors="replace"))[4:7])
        self.assertEqual(frame.lazy().head(0).select(raw.repair()).collect().schema["raw"], polars.String)
        groups = frame.lazy().with_columns(key=polars.int_range(polars.len()) % 6).group_by("key").agg(raw.repair().first())
        found = dict(groups.collect().iter_rows())
        self.assertEqual([found[key] for key in range(6)], by_row(lambda row: row.decode(errors="replace"))[:6])

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
