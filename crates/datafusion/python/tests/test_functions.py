"""The functions in DataFusion's Python package, on columns of several types, against Python's own codecs row by row."""

import unittest

import datafusion
import pyarrow
import runecast_datafusion

ROWS = [b"r\xc5\xabna", None, b"caf\xe9", b"", b"\xf0\x9f\xa6\x80 \xf0\x9f", b"\xff"] * 50


def by_row(function):
    return [None if row is None else function(row) for row in ROWS]


def is_utf8(row):
    try:
        row.decode()
    except UnicodeDecodeError:
        return False
    return True


class Functions(unittest.TestCase):
    def setUp(self):
        self.context = datafusion.SessionContext()
        runecast_datafusion.register(self.context)

    def table(self, kind):
        column = pyarrow.array(ROWS, kind)
        table = pyarrow.table({"id": range(len(ROWS)), "raw": column})
        self.context.from_arrow(table, name="rows")

    def column(self, expression):
        batches = self.context.sql(f"SELECT {expression} AS it FROM rows ORDER BY id").collect()
        return [value for batch in batches for value in batch.column(0).to_pylist()]

    def test_columns(self):
        for kind in pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view():
            self.setUp()
            self.table(kind)
            replaced = by_row(lambda row: row.decode(errors="replace"))
            for expression, expected in [
                ("utf8_valid(raw)", by_row(is_utf8)),
                ("text_repair(raw)", replaced),
                ("text_decode(raw, 'latin-1')", by_row(lambda row: row.decode("latin-1"))),
                ("text_decode(raw, 'utf-8', 'null')", by_row(lambda row: row.decode() if is_utf8(row) else None)),
                ("text_encode(text_repair(raw), 'utf-16le')", by_row(lambda row: row.decode(errors="replace").encode("utf-16-le"))),
                ("text_transcode(raw, 'latin-1', 'utf-8')", by_row(lambda row: row.decode("latin-1").encode())),
                ("char_count(raw)", by_row(lambda row: len(row.decode(errors="replace")))),
                ("text_encoded_length(text_repair(raw), 'utf-32le')", by_row(lambda row: 4 * len(row.decode(errors="replace")))),
                ("text_detect(raw) IS NULL", [row is None for row in ROWS]),
                ("utf8_error(raw)['offset']", [{2: 3, 4: 5, 5: 0}.get(index % 6) for index in range(len(ROWS))]),
            ]:
                with self.subTest(kind=kind, expression=expression):
                    self.assertEqual(self.column(expression), expected)

    def test_all_are_there(self):
        names = {function.name for function in runecast_datafusion.functions()}
        self.assertEqual(len(names), 9)
        for function in runecast_datafusion.functions():
            self.assertIn(function.name, repr(function))
            self.assertIsInstance(datafusion.udf(function), datafusion.ScalarUDF)

    def test_expressions(self):
        self.table(pyarrow.binary())
        repair = datafusion.udf(next(it for it in runecast_datafusion.functions() if it.name == "text_repair"))
        frame = self.context.table("rows").select(repair(datafusion.col("raw")).alias("it"))
        texts = [value for batch in frame.collect() for value in batch.column(0).to_pylist()]
        self.assertCountEqual(map(str, texts), map(str, by_row(lambda row: row.decode(errors="replace"))))

    def test_errors_are_told(self):
        self.table(pyarrow.binary())
        with self.assertRaisesRegex(Exception, "row 2.*byte 3"):
            self.column("text_decode(raw, 'utf-8')")
        with self.assertRaisesRegex(Exception, "did you mean 'UTF-16LE'"):
            self.column("text_decode(raw, 'utf-61le')")
        with self.assertRaisesRegex(Exception, "(?i)utf8_valid"):
            self.column("utf8_valid(raw, raw, raw)")

    def test_literals(self):
        batches = self.context.sql("SELECT text_decode(x'72006B01', 'utf-16le') AS word, utf8_valid(x'72C5') AS valid").collect()
        self.assertEqual(batches[0].to_pylist(), [{"word": "rū", "valid": False}])


if __name__ == "__main__":
    unittest.main()
