"""Columns, against pyarrow and Python's own codecs row by row."""

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
            self.assertEqual(caught.exception.row, 2)

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
        self.assertRaises(ValueError, runecast.arrow.decode, pyarrow.array([b"a"]), "utf-16")
        self.assertRaises(ValueError, runecast.arrow.decode, pyarrow.array([b"a"]), "utf-8", "xmlcharrefreplace")
        self.assertRaises(ValueError, runecast.arrow.encode, pyarrow.array(["a"]), "utf-8", "null")

        class Wrong:
            def __arrow_c_array__(self, requested_schema=None):
                return (1, 2)

        self.assertRaises(ValueError, runecast.arrow.check, Wrong())


class WithoutPyarrow(unittest.TestCase):
    def test_it_can_be_imported(self):
        program = "import sys; sys.modules['pyarrow'] = None; import runecast.arrow; print(runecast.arrow.Column.__name__)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "Column")


if __name__ == "__main__":
    unittest.main()
