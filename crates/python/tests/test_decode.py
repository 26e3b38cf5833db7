"""From bytes to str, against Python's own codecs and the tables of what other programs do."""

import itertools
import random
import unittest

import runecast
from common import BOUNDARY, POINTS, SCALARS, TEXTS, BothWays, long_texts, table


def outcome(decoder, *arguments):
    """A string, or where an exception says the error is."""
    try:
        return decoder(*arguments)
    except UnicodeDecodeError as error:
        return (error.start, error.end, error.object)


#: Names here and in Python.
SHARED = [
    ("utf-8", "utf-8"),
    ("utf-16-le", "utf-16-le"),
    ("utf-16-be", "utf-16-be"),
    ("utf-16", "utf-16"),
    ("utf-32-le", "utf-32-le"),
    ("utf-32-be", "utf-32-be"),
    ("utf-32", "utf-32"),
    ("latin-1", "latin-1"),
    ("ascii", "ascii"),
]


class Strict(BothWays):
    def test_every_character_by_itself(self):
        for character in itertools.chain(SCALARS[:0x3000], SCALARS[0xD000:0xE100], SCALARS[0xF000::7]):
            self.same(runecast.decode(character.encode()), character)

    def test_all_characters_in_every_encoding(self):
        for ours, theirs in SHARED:
            if theirs in ("latin-1", "ascii"):
                continue
            self.same(runecast.decode(SCALARS.encode(theirs), ours), SCALARS, ours)
            for at in range(0, len(SCALARS), 997):
                part = SCALARS[at : at + 997]
                self.same(runecast.decode(part.encode(theirs), ours), part, (ours, at))
        every = bytes(range(256))
        self.same(runecast.decode(every, "latin-1"), every.decode("latin-1"))
        self.same(runecast.decode(every[:128], "ascii"), every[:128].decode("ascii"))

    def test_strings_are_of_the_right_width_in_every_encoding(self):
        limits = [0, 0x41, 0x7F, 0xA0, 0xFF, 0x100, 0x7FF, 0x89F, 0x8A0, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1109F, 0x110A0, 0x10FFFF]
        for encoding in runecast.ENCODINGS:
            for first, second in itertools.product(limits, repeat=2):
                for length in (1, 70):
                    text = chr(first) * length + chr(second)
                    try:
                        data = runecast.encode(text, encoding)
                    except UnicodeEncodeError:
                        continue
                    self.same(runecast.decode(data, encoding), text, encoding)

    def test_texts(self):
        for text in [*TEXTS, *long_texts()]:
            for ours, theirs in SHARED:
                try:
                    encoded = text.encode(theirs)
                except UnicodeEncodeError:
                    continue
                self.same(runecast.decode(encoded, ours), encoded.decode(theirs), ours)

    def test_lengths(self):
        for text in ("a", "\xe9", "\u16b1", "\U0001faa8", "ab\xe9", "ab\u16b1", "ab\U0001faa8"):
            for length in range(200):
                expected = (text * length)[:length]
                self.same(runecast.decode(expected.encode()), expected)

    def test_short_strings_of_any_bytes(self):
        strings = itertools.chain(
            (bytes(some) for length in (0, 1, 2) for some in itertools.product(range(256), repeat=length)),
            (bytes(some) for some in itertools.product(BOUNDARY, repeat=3)),
        )
        for data in strings:
            expected = outcome(bytes.decode, data)
            found = outcome(runecast.decode, data)
            self.assertEqual(found, expected, data)
            self.assertEqual(runecast.is_valid(data), isinstance(expected, str), data)
            wrong = runecast.validate(data)
            self.assertEqual((wrong.offset, wrong.end) if wrong else None, None if isinstance(expected, str) else expected[:2])

    def test_four_bytes_of_the_boundaries(self):
        dice = random.Random(4)
        for _ in range(60_000):
            data = bytes(dice.choices(BOUNDARY, k=4)) + dice.choice([b"", b"<", b"\xe9 and more"])
            self.assertEqual(outcome(runecast.decode, data), outcome(bytes.decode, data), data)

    def test_errors_anywhere(self):
        for text in ("plain " * 40, "\xe9t\xe9 " * 40, "\u16b1\u16a2\u16be " * 40, "\U0001faa8 " * 40):
            good = text.encode()
            for at in range(0, len(good), 3):
                for bad in (b"\xff", b"\xe9", b"\xed\xa0\x80", b"\xf0\x9f"):
                    data = good[:at] + bad + good[at:]
                    self.assertEqual(outcome(runecast.decode, data), outcome(bytes.decode, data))

    def test_an_error_behind_the_first_megabyte(self):
        data = ("\u16b1 rune " * 300_000).encode() + b"\xe9"
        self.assertEqual(outcome(runecast.decode, data)[:2], (len(data) - 1, len(data)))

    def test_what_an_exception_says(self):
        with self.assertRaises(UnicodeDecodeError) as caught:
            runecast.decode(b"caf\xe9 noir", "UTF8")
        error = caught.exception
        self.assertEqual((error.encoding, error.start, error.end, error.object), ("utf-8", 3, 4, b"caf\xe9 noir"))
        self.assertEqual(error.kind, "truncated")
        self.assertIn("no continuation byte", error.reason)
        with self.assertRaises(UnicodeDecodeError) as caught:
            runecast.decode(bytearray(b"\xff\xfea\x00\x00\xd8"), "utf-16")
        error = caught.exception
        self.assertEqual((error.encoding, error.start, error.object), ("utf-16", 4, b"\xff\xfea\x00\x00\xd8"))

    def test_other_encodings_of_any_bytes(self):
        dice = random.Random(16)
        bytes16 = [b"\x00\xd8", b"\x00\xdc", b"a\x00", b"\xd8\xd8", b"\xff\xff", b"\xfe\xff", b"\x00", b"\xdc"]
        for _ in range(20_000):
            data = b"".join(dice.choices(bytes16, k=dice.randrange(6)))
            for ours, theirs in SHARED:
                expected = outcome(bytes.decode, data, theirs)
                found = outcome(runecast.decode, data, ours)
                if isinstance(expected, str) or isinstance(found, str):
                    self.assertEqual(found, expected, (ours, data))
                else:
                    self.assertEqual(found[0], expected[0], (ours, data))


class AroundUtf8(BothWays):
    """The encodings that Python lacks; `surrogatepass` and a translation by hand are what they are held to."""

    def test_generalized(self):
        data = POINTS.encode("utf-8", "surrogatepass")
        self.same(runecast.decode(data, "generalized-utf-8"), POINTS)
        self.same(runecast.decode(data, "utf-8", "surrogatepass"), POINTS)
        for point in itertools.chain(range(0xD7F0, 0xE010), range(0, 0x110000, 251)):
            text = chr(point) + "\u16b1"
            self.same(runecast.decode(text.encode("utf-8", "surrogatepass"), "generalized-utf-8"), text)

    def test_half_a_nul_is_no_ascii(self):
        for encoding in ("mutf-8", "wobbly-mutf-8"):
            for data in (b"\xc0", b"A\xc0", b"\xc0A", b"A" * 100 + b"\xc0", b"\xc0" * 70_000):
                self.assertRaises(UnicodeDecodeError, runecast.decode, data, encoding)
                self.assertNotIn("\xc0", runecast.decode(data, encoding, "whatwg"))

    def test_wtf8(self):
        for _, (first, second) in enumerate(itertools.product((0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x41), repeat=2)):
            text = chr(first) + chr(second)
            data = text.encode("utf-8", "surrogatepass")
            if 0xD800 <= first < 0xDC00 <= second < 0xE000:
                self.assertRaises(UnicodeDecodeError, runecast.decode, data, "wtf-8")
            else:
                self.same(runecast.decode(data, "wtf-8"), text)

    def test_wtf16(self):
        for order in ("-le", "-be"):
            data = b"".join(chr(unit).encode("utf-16" + order, "surrogatepass") for unit in range(0x10000))
            expected = data.decode("utf-16" + order, "surrogatepass")
            self.same(runecast.decode(data, "wtf-16" + order), expected)
            self.same(runecast.decode(data, "utf-16" + order, "surrogatepass"), expected)

    @staticmethod
    def halves(text):
        """CESU-8 by hand: the units of UTF-16, each as a character of its own."""
        units = text.encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "surrogatepass") and b"".join(
            chr(int.from_bytes(units[at : at + 2], "little")).encode("utf-8", "surrogatepass")
            for at in range(0, len(units), 2)
        )

    def test_cesu8_and_modified_utf8(self):
        for text in [*TEXTS, SCALARS[::63], "\0", "\0\0a", "\x80\0"]:
            data = self.halves(text) or b""
            self.same(runecast.decode(data, "cesu-8"), text)
            self.same(runecast.decode(data, "wobbly-cesu-8"), text)
            data = data.replace(b"\0", b"\xc0\x80")
            self.same(runecast.decode(data, "mutf-8"), text)
            self.same(runecast.decode(data, "wobbly-mutf-8"), text)
        for lone in ("\ud800", "a\udc00", "\udc00\ud800", "\ud800\u16b1"):
            data = self.halves(lone)
            self.assertRaises(UnicodeDecodeError, runecast.decode, data, "cesu-8")
            self.assertRaises(UnicodeDecodeError, runecast.decode, data, "mutf-8")
            self.same(runecast.decode(data, "wobbly-cesu-8"), lone)
            self.same(runecast.decode(data, "wobbly-mutf-8"), lone)
        self.assertRaises(UnicodeDecodeError, runecast.decode, "\U0001faa8".encode(), "cesu-8")
        self.assertRaises(UnicodeDecodeError, runecast.decode, b"\0", "mutf-8")

    def test_corrected(self):
        # The first row of each length, from the specification: value and bytes.
        rows = {0x7F: "7F", 0xA0: "C080", 0x89F: "DFBF", 0x8A0: "E08080", 0xD7FF: "ECBD9F", 0xE000: "ECBDA0", 0x1109F: "EFBFBF", 0x110A0: "F0808080"}
        for point, form in rows.items():
            self.same(runecast.decode(bytes.fromhex(form), "corrected-utf-8"), chr(point))
            self.assertEqual(runecast.encode(chr(point), "corrected-utf-8"), bytes.fromhex(form))
        with self.assertRaises(UnicodeDecodeError) as caught:
            runecast.decode(bytes.fromhex("41F880808080"), "corrected-utf-8")
        self.assertEqual((caught.exception.start, caught.exception.end), (1, 6))
        self.assertEqual(caught.exception.kind, "above U+10FFFF")


class Errors(BothWays):
    def test_the_survey_and_the_seven_behaviours(self):
        names = ["whatwg", "go", "win32", "openjdk8", "python2", "perl5", "icu55"]
        for _, _, data, counts, python2 in table("broken_utf8.tsv"):
            data = bytes.fromhex(data)
            for name, count in zip(names, counts.split()):
                for tail in (b"", b"<"):
                    text = runecast.decode(data + tail, errors=name)
                    self.assertEqual(text.count("\ufffd"), int(count), (data, name))
                    self.same(text, runecast.decode(data + tail, errors="runecast." + name))
                    fixed = runecast.repair(data + tail, name)
                    if name != "python2":
                        self.same(fixed.decode(), text)

    def test_the_matrix_of_what_programs_did(self):
        names = ["whatwg", "per-byte", "win32", "openjdk8", "python2", "perl5", "icu55"]
        for number, (data, *columns) in enumerate(table("replacement_matrix.tsv")):
            # "=" is as in the first column; columns at the end may be left out.
            columns += ["="] * (len(names) - len(columns))
            if number % 3:
                continue
            for name, column in zip(names, columns):
                column = columns[0] if column in ("=", "") else column
                expected = "".join("\ufffd" if point == "*" else chr(int(point, 16)) for point in column.split())
                found = runecast.decode(bytes.fromhex(data), errors=name)
                self.assertEqual(found, expected, (data, name))

    def test_handlers_of_python(self):
        dice = random.Random(5)
        handlers = ["replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"]
        for _ in range(4000):
            data = bytes(dice.choices(BOUNDARY, k=dice.randrange(9)))
            for (ours, theirs), handler in itertools.product(SHARED[:2] + SHARED[4:6] + SHARED[8:], handlers):
                expected = outcome(bytes.decode, data, theirs, handler)
                found = outcome(runecast.decode, data, ours, handler)
                if isinstance(expected, str) and ours in ("utf-8", "ascii"):
                    self.assertEqual(found, expected, (data, ours, handler))
                elif ours in ("utf-8", "ascii"):
                    self.assertNotIsInstance(found, str, (data, ours, handler))

    def test_surrogates_for_bytes_in_strings_of_any_width(self):
        for text in ("", "a", "caf\xe9", "r\u016bna", "\U0001faa8"):
            for data in (text.encode() * 3000, text.encode() * 3000 + b"\xff", b"\xff" + text.encode() * 3000, b"\x80" * 70000):
                self.same(runecast.decode(data, "utf-8", "surrogateescape"), data.decode("utf-8", "surrogateescape"))

    def test_handlers_in_utf16(self):
        for data in (b"a\0\0\xd8b\0", b"\0\xdca\0", b"a\0\0\xd8", b"a\0b"):
            for handler in ("replace", "ignore", "backslashreplace"):
                self.same(runecast.decode(data, "utf-16-le", handler), data.decode("utf-16-le", handler), (data, handler))

    def test_a_handler_of_ones_own(self):
        import codecs

        seen = []

        def handler(error):
            seen.append((error.start, error.end, error.object))
            return f"[{error.object[error.start]:02x}]", error.end

        codecs.register_error("runecast-test", handler)
        data = b"a\xff\xe2\x82b\xf0"
        self.same(runecast.decode(data, errors="runecast-test"), data.decode(errors="runecast-test"))
        half = len(seen) // 2
        self.assertEqual(seen[:half], seen[half:])
        codecs.register_error("runecast-back", lambda error: ("?", -1))
        self.same(runecast.decode(b"a\xffbc", errors="runecast-back"), b"a\xffbc".decode(errors="runecast-back"))
        for answer, kind in [(("?", 99), IndexError), (("?", -99), IndexError), ("?", TypeError), ((b"?", 1), TypeError)]:
            codecs.register_error("runecast-wrong", lambda error: answer)
            self.assertRaises(kind, runecast.decode, b"\xff", "utf-8", "runecast-wrong")
            self.assertRaises(kind, b"\xff".decode, "utf-8", "runecast-wrong")

    def test_escapes(self):
        self.same(runecast.decode(b"\x93caf\xe9", errors="windows-1252"), "\u201ccaf\xe9")
        self.same(runecast.decode(b"\x93caf\xe9", errors="latin1"), "\x93caf\xe9")
        self.same(runecast.decode(b"a\xffb", errors="drop"), "ab")

    def test_what_is_refused(self):
        self.assertRaises(LookupError, runecast.decode, b"", "utf-7")
        self.assertRaises(LookupError, runecast.decode, b"", "utf-8", "no such thing")
        self.assertRaises(TypeError, runecast.decode, "text")
        self.assertRaises(TypeError, runecast.decode, b"", 8)
        self.assertRaises(TypeError, runecast.decode, b"", "utf-8", 8)
        self.assertRaises(TypeError, runecast.decode, None)
        self.assertRaises(TypeError, runecast.decode)


if __name__ == "__main__":
    unittest.main()
