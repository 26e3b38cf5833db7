"""Columns, against pyarrow and Python's own codecs row by row."""

import pickle
import random
import subprocess
import sys
import unittest

import runecast.arrow
from common import BOUNDARY, TEXTS

try:
    import pyarrow
except ImportError:
    pyarrow = None


@unittest.skipUnless(pyarrow, "no pyarrow")
class Arrow(unittest.TestCase):
    def kinds(self):
        kinds = [pyarrow.binary(), pyarrow.large_binary()]
        if hasattr(pyarrow, "binary_view"):
            kinds.append(pyarrow.binary_view())
        return kinds

    def rows(self, seed=2, count=300):
        dice = random.Random(seed)
        for _ in range(count):
            pick = dice.random()
            if pick < 0.2:
                yield None
            elif pick < 0.6:
                yield dice.choice(TEXTS).encode()
            else:
                yield bytes(dice.choices(BOUNDARY, k=dice.randrange(20)))

    def test_check_copies_nothing(self):
        rows = [None if dice is None else text.encode() for dice, text in zip([1, None] * 4, TEXTS, strict=True)]
        for kind in self.kinds():
            for array in (pyarrow.array(rows, kind), pyarrow.array([b"\xff", *rows], kind)[1:]):
                text = runecast.arrow.check(array)
                text.validate(full=True)
                self.assertEqual(text.to_pylist(), [row and row.decode() if row else (None if row is None else "") for row in rows])
                if kind != self.kinds()[-1]:
                    # Where there are rows before, it may begin after these.
                    self.assertIn(text.buffers()[2].address - array.buffers()[2].address, (0, 1))
        fixed = pyarrow.array([b"abc", b"d\xc3\xa9", None], pyarrow.binary(3))
        self.assertEqual(runecast.arrow.check(fixed).to_pylist(), ["abc", "d\xe9", None])

    def test_a_row_that_the_target_has_no_form_for(self):
        text = pyarrow.array(["ab", None, "caf\xe9 \u20ac"])
        for work, offset in (
            (lambda: runecast.arrow.encode(text, "latin-1"), 6),
            (lambda: runecast.arrow.encode(text, "ascii"), 3),
            (lambda: runecast.arrow.transcode(text.cast(pyarrow.binary()), "utf-8", "latin-1"), 6),
            (lambda: runecast.arrow.encode(pyarrow.array([["x"], [], ["caf\xe9"]]), "ascii"), 3),
        ):
            with self.assertRaises(runecast.arrow.RowError) as caught:
                work()
            error = caught.exception
            self.assertEqual((error.row, error.offset, error.kind), (2, offset, "unrepresentable"))
            copy = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(copy), str(copy), vars(copy)), (type(error), str(error), vars(error)))
        # It is what the exceptions for single texts say.
        self.assertRaises(runecast.EncodeError, runecast.encode, "\u20ac", "latin-1")
        with self.assertRaises(runecast.DecodeError) as caught:
            runecast.transcode("\u20ac".encode(), "utf-8", "latin-1")
        self.assertEqual(caught.exception.kind, "unrepresentable")

    def test_the_first_row_that_is_wrong(self):
        for kind in self.kinds():
            array = pyarrow.array([b"ab", None, b"caf\xe9 ", b"\xff"], kind)
            with self.assertRaises(runecast.arrow.RowError) as caught:
                runecast.arrow.check(array)
            error = caught.exception
            self.assertEqual((error.row, error.offset, error.kind), (2, 3, "truncated"))
            self.assertIsInstance(error, ValueError)
            with self.assertRaises(runecast.arrow.RowError) as caught:
                runecast.arrow.check(pyarrow.chunked_array([array[:2], array[2:]]))
            self.assertEqual((caught.exception.row, str(caught.exception)), (2, str(error)))
            self.assertTrue(str(error).startswith("row 2: "))

    def test_rows(self):
        rows = list(self.rows())

        def each(work):
            return [None if row is None else work(row) for row in rows]

        def first(row):
            try:
                row.decode()
            except UnicodeDecodeError as error:
                return (error.start, error.end - error.start)

        for kind in self.kinds():
            whole = pyarrow.array(rows, kind)
            for array in (whole, pyarrow.chunked_array([whole[:100], whole[100:100], whole[100:]]), pyarrow.array([b"", *rows], kind)[1:]):
                self.assertEqual(runecast.arrow.is_valid(array).to_pylist(), each(lambda row: first(row) is None))
                found = [error and (error["offset"], error["length"]) for error in runecast.arrow.errors(array).to_pylist()]
                self.assertEqual(found, each(first))
                self.assertEqual(runecast.arrow.repair(array).to_pylist(), each(lambda row: row.decode("utf-8", "replace")))
                self.assertEqual(
                    runecast.arrow.repair(array, "perl5").to_pylist(),
                    each(lambda row: runecast.decode(row, errors="perl5")),
                )
                self.assertEqual(
                    runecast.arrow.decode(array, errors="null").to_pylist(),
                    each(lambda row: row.decode() if first(row) is None else None),
                )
                self.assertEqual(runecast.arrow.decode(array, "latin-1").to_pylist(), each(lambda row: row.decode("latin-1")))
        text = pyarrow.array(each(lambda row: row.decode("utf-8", "replace")))
        self.assertEqual(runecast.arrow.count(text).to_pylist(), [None if row is None else len(row) for row in text.to_pylist()])
        wide = runecast.arrow.encode(text, "utf-16-le")
        self.assertEqual(wide.to_pylist(), [None if row is None else row.encode("utf-16-le") for row in text.to_pylist()])
        self.assertEqual(runecast.arrow.decode(wide, "utf-16-le"), text)
        turned = runecast.arrow.transcode(wide, "utf-16-le", "utf-16-be")
        self.assertEqual(runecast.arrow.decode(turned, "utf-16-be"), text)

    def test_dictionaries_and_nothing(self):
        array = pyarrow.array([b"a", b"caf\xe9", None, b"a"]).dictionary_encode()
        self.assertEqual(runecast.arrow.repair(array).to_pylist(), ["a", "caf\ufffd", None, "a"])
        self.assertEqual(runecast.arrow.is_valid(array).to_pylist(), [True, False, None, True])
        for kind in self.kinds():
            self.assertEqual(len(runecast.arrow.check(pyarrow.array([], kind))), 0)
            self.assertEqual(len(runecast.arrow.check(pyarrow.chunked_array([], kind))), 0)
        self.assertEqual(runecast.arrow.detect(pyarrow.array([b"r\xc3\xban", None])).to_pylist(), ["UTF-8", None])

    def test_a_column_by_itself(self):
        array = pyarrow.array([b"ab", None])
        column = runecast._core.arrow_check(array)
        self.assertEqual(len(column), 2)
        self.assertIn("Utf8", repr(column))
        self.assertEqual(runecast.arrow.count(column).to_pylist(), [2, None])
        # The capsules may be left alone, or taken once and again.
        column.__arrow_c_array__()
        self.assertEqual(pyarrow.array(column), pyarrow.array(column))

    def test_memory_is_given_back(self):
        before = pyarrow.total_allocated_bytes()
        for _ in range(50):
            array = pyarrow.array([("\u16b1" * 100).encode()] * 1000)
            for call in (runecast.arrow.check, runecast.arrow.repair, runecast.arrow.is_valid):
                call(array)
            column = runecast._core.arrow_check(array)
            column.__arrow_c_array__()
        del array, column
        self.assertEqual(pyarrow.total_allocated_bytes(), before)

    def test_what_is_refused(self):
        self.assertRaises(TypeError, runecast.arrow.check, [b"abc"])
        self.assertRaises(TypeError, runecast.arrow.check, pyarrow.array([1, 2]))
        self.assertRaises(TypeError, runecast.arrow.encode, pyarrow.array([b"a"]), "utf-16-le")
        for handler in ("surrogateescape", "surrogatepass", "backslashreplace", "xmlcharrefreplace", "namereplace"):
            for work in (
                lambda: runecast.arrow.repair(pyarrow.array([b"a"]), handler),
                lambda: runecast.arrow.decode(pyarrow.array([b"a"]), "utf-8", handler),
                lambda: runecast.arrow.encode(pyarrow.array(["a"]), "utf-16-le", handler),
                lambda: runecast.arrow.transcode(pyarrow.array([b"a"]), "utf-8", "utf-16-le", handler),
            ):
                with self.assertRaises(ValueError) as caught:
                    work()
                for name in (handler, "null", "whatwg"):
                    self.assertIn(name, str(caught.exception))
        self.assertRaises(TypeError, runecast.arrow.decode, pyarrow.array([[b"a"]]), "utf-16")

        class Wrong:
            def __arrow_c_array__(self, requested_schema=None):
                return (1, 2)

        self.assertRaises(ValueError, runecast.arrow.check, Wrong())


    def test_nothing_for_what_has_no_form(self):
        """As `ignore` has it: nothing for what is ill-formed, and nothing for what has no form in the target."""
        text = pyarrow.array(["r\xfan", "a\u16b1b", None])
        self.assertEqual(runecast.arrow.encode(text, "latin-1", "ignore").to_pylist(), [b"r\xfan", b"ab", None])
        raw = pyarrow.array([b"a\xed\xa0\x80b", b"a\xffb", None])
        self.assertEqual(runecast.arrow.decode(raw, "wtf-8", "ignore").to_pylist(), ["ab", "ab", None])
        self.assertEqual(runecast.arrow.transcode(raw, "wtf-8", "utf-8", "ignore").to_pylist(), [b"ab", b"ab", None])
        raw = pyarrow.array([b"a\xc2\x80b", "\u16b1".encode()])
        self.assertEqual(runecast.arrow.transcode(raw, "utf-8", "corrected-utf-8", "ignore").to_pylist(), [b"ab", runecast.encode("\u16b1", "corrected-utf-8")])

    def test_null_for_what_has_no_form(self):
        text = pyarrow.array(["r\xfan", "\u16b1", None])
        self.assertEqual(runecast.arrow.encode(text, "latin-1", "null").to_pylist(), [b"r\xfan", None, None])
        raw = pyarrow.array([b"r\xc3\xban", "\u16b1".encode(), b"\xff", None])
        self.assertEqual(runecast.arrow.transcode(raw, "utf-8", "latin-1", "null").to_pylist(), [b"r\xfan", None, None, None])
        self.assertEqual(runecast.arrow.transcode(raw, "utf-8", "utf-8", "null").to_pylist(), [b"r\xc3\xban", "\u16b1".encode(), None, None])

    def test_byte_order_marks(self):
        texts = ["r\u016bn", "", None, "\U0001faa8", "\ufeffx", "plain and longer than a view"]
        for encoding in ("utf-16", "utf-32", "utf-8-sig"):
            forms = ["utf-8", "utf-8-sig"] if encoding == "utf-8-sig" else [encoding, encoding + "-le"]
            rows = [None if text is None else text.encode(forms[at % 2]) for at, text in enumerate(texts)]
            if encoding != "utf-8-sig":
                rows.append("\ufeff\u16b1".encode(encoding + "-be"))
            expected = [None if row is None else row.decode(encoding) for row in rows]
            for kind in self.kinds():
                array = pyarrow.array(rows, kind)
                self.assertEqual(runecast.arrow.decode(array, encoding).to_pylist(), expected)
                self.assertEqual(runecast.arrow.decode(array.cast(kind)[1:], encoding).to_pylist(), expected[1:])
            self.assertEqual(runecast.arrow.decode(pyarrow.array(rows).dictionary_encode(), encoding).to_pylist(), expected)
            written = runecast.arrow.encode(pyarrow.array(texts), encoding).to_pylist()
            self.assertEqual(written, [None if text is None else text.encode(encoding) for text in texts])
            turned = runecast.arrow.transcode(pyarrow.array(rows), encoding, "utf-8").to_pylist()
            self.assertEqual(turned, [None if text is None else text.encode() for text in expected])
        bad = pyarrow.array([b"a\0", b"\xff\xfea\0\0\xd8"])
        for array in (bad, bad.dictionary_encode(), pyarrow.chunked_array([bad[:1], bad[1:]])):
            with self.assertRaises(runecast.arrow.RowError) as caught:
                runecast.arrow.decode(array, "utf-16")
            self.assertEqual((caught.exception.row, caught.exception.offset), (1, 4))
            self.assertIn("4", str(caught.exception))

    def test_what_is_nested(self):
        rows = [[b"a", b"\xff"], None, [], [None, b"r\xc3\xba"]]
        fixed = [["a", "\ufffd"], None, [], [None, "r\xfa"]]
        self.assertEqual(runecast.arrow.repair(pyarrow.array(rows)).to_pylist(), fixed)
        runs = pyarrow.RunEndEncodedArray.from_arrays([2, 3], pyarrow.array([b"\xff", b"a"]))
        self.assertEqual(runecast.arrow.repair(runs).to_pylist(), ["\ufffd", "\ufffd", "a"])
        self.assertEqual(runecast.arrow.is_valid(runs).to_pylist(), [False, False, True])
        self.assertRaises(TypeError, runecast.arrow.is_valid, pyarrow.array(rows))

    def test_tables(self):
        columns = {"id": [1, 2, 3], "raw": [b"a", b"\xff", None], "tags": [[b"\xfe"], [], None]}
        expected = {"id": [1, 2, 3], "raw": ["a", "\ufffd", None], "tags": [["\ufffd"], [], None]}
        table = pyarrow.table(columns)
        batch = table.to_batches()[0]
        for found in (runecast.arrow.repair(table), runecast.arrow.repair(pyarrow.concat_tables([table, table])).slice(3)):
            self.assertIsInstance(found, pyarrow.Table)
            self.assertEqual(found.to_pydict(), expected)
        found = runecast.arrow.repair(batch)
        self.assertIsInstance(found, pyarrow.RecordBatch)
        self.assertEqual(found.to_pydict(), expected)
        with self.assertRaises(runecast.arrow.RowError) as caught:
            runecast.arrow.check(pyarrow.concat_tables([table.slice(0, 0), table.select(["id", "raw"]).slice(2, 1).append_column("tags", pyarrow.array([[]], pyarrow.list_(pyarrow.binary()))), table]))
        self.assertEqual(caught.exception.row, 1)
        self.assertRaises(TypeError, runecast.arrow.repair, table.select(["id"]))

    def test_polars(self):
        try:
            import polars
        except ImportError:
            self.skipTest("no polars")
        series = polars.Series("raw", [b"a", None, b"\xff"])
        found = runecast.arrow.repair(series)
        self.assertIsInstance(found, polars.Series)
        self.assertEqual((found.name, found.to_list()), ("raw", ["a", None, "\ufffd"]))
        self.assertEqual(found.dtype, polars.String)
        self.assertEqual(runecast.arrow.is_valid(series).to_list(), [True, None, False])
        both = polars.concat([series, series], rechunk=False)
        self.assertEqual(runecast.arrow.repair(both).to_list(), ["a", None, "\ufffd"] * 2)
        with self.assertRaises(runecast.arrow.RowError) as caught:
            runecast.arrow.check(polars.concat([series[:2], series], rechunk=False))
        self.assertEqual(caught.exception.row, 4)
        frame = polars.DataFrame({"id": [1, 2, 3], "raw": series})
        self.assertEqual(runecast.arrow.repair(frame).to_dict(as_series=False), {"id": [1, 2, 3], "raw": ["a", None, "\ufffd"]})
        self.assertEqual(polars.Series(runecast._core.arrow_check(pyarrow.array([b"ab"]))).to_list(), ["ab"])

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        series = pandas.Series([b"a", None, b"\xff"], index=[5, 6, 7], name="raw")
        if not hasattr(series, "__arrow_c_stream__"):
            self.skipTest("a pandas whose series are no Arrow streams")
        found = runecast.arrow.repair(series)
        self.assertIsInstance(found, pandas.Series)
        self.assertEqual((found.name, list(found.index)), ("raw", [5, 6, 7]))
        self.assertEqual([found[5], found[7]], ["a", "\ufffd"])
        self.assertTrue(pandas.isna(found[6]))
        frame = pandas.DataFrame({"id": [1, 2, 3], "raw": [b"a", b"b", b"\xff"]}, index=[5, 6, 7])
        found = runecast.arrow.repair(frame)
        self.assertEqual((list(found["raw"]), list(found["id"]), list(found.index)), (["a", "b", "\ufffd"], [1, 2, 3], [5, 6, 7]))
        self.assertEqual(list(found.columns), ["id", "raw"], "the index is no column")
        found = runecast.arrow.repair(pandas.DataFrame([[b"a", 1]], index=["x"], columns=[7, 8]))
        self.assertEqual((list(found.columns), found[7]["x"], list(found.index)), ([7, 8], "a", ["x"]))

    def test_streams_that_fail(self):
        class Stream:
            def __init__(self, capsule):
                self.capsule = capsule

            def __arrow_c_stream__(self, requested_schema=None):
                return self.capsule

        def batches():
            yield pyarrow.record_batch({"raw": [b"a"]})
            raise RuntimeError("no more")

        reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"raw": pyarrow.binary()}), batches())
        with self.assertRaisesRegex(ValueError, "no more"):
            runecast.arrow.repair(reader)
        self.assertRaises(ValueError, runecast.arrow.repair, Stream(7))
        capsule = pyarrow.chunked_array([[b"a"]]).__arrow_c_stream__()
        self.assertEqual(runecast.arrow.check(Stream(capsule)).to_pylist(), ["a"])
        # It was taken.
        self.assertRaises(ValueError, runecast.arrow.check, Stream(capsule))

    def test_a_chunked_column_by_itself(self):
        column = runecast._core.arrow_check(pyarrow.chunked_array([[b"ab"], [None, b"c"]]))
        self.assertEqual((len(column), type(column).__name__), (3, "ChunkedColumn"))
        self.assertIn("2 chunks", repr(column))
        self.assertEqual(runecast.arrow.count(column).to_pylist(), [2, None, 1])
        column.__arrow_c_stream__()
        self.assertEqual(pyarrow.chunked_array(column).to_pylist(), pyarrow.chunked_array(column).to_pylist())

    def test_text_is_taken_at_its_word(self):
        # As the documentation says.
        offsets = pyarrow.py_buffer((0).to_bytes(4, "little") + (1).to_bytes(4, "little"))
        text = pyarrow.Array.from_buffers(pyarrow.string(), 1, [None, offsets, pyarrow.py_buffer(b"\xff")])
        self.assertEqual(runecast.arrow.is_valid(text).to_pylist(), [True])
        self.assertEqual(runecast.arrow.is_valid(text.view(pyarrow.binary())).to_pylist(), [False])


class WithoutPyarrow(unittest.TestCase):
    def test_it_can_be_imported(self):
        program = "import sys; sys.modules['pyarrow'] = None; import runecast.arrow; print(runecast.arrow.Column.__name__)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "Column")


if __name__ == "__main__":
    unittest.main()
