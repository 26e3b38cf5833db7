"""Python's own handlers, short calls and chunks, against Python's own codecs: what comes out, or where an exception says the error is."""

import codecs
import itertools
import random
import sys
import unittest

import runecast
from common import BOUNDARY, BothWays

HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "xmlcharrefreplace", "namereplace"]
ENCODINGS = ["utf-8", "ascii", "latin-1", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]

#: Of each width of a string, and of characters that are cut by a window of any size.
STRETCHES = [
    "plain old words, and more of them ",
    "gr\xfc\xdfe \xe9",
    "\u0431\u044b\u043b\u043e \u0434\u0435\u043b\u043e ",
    "\u5929\u5730\u7384",
    "ab\U0001f600c\U0010ffff",
]


def outcome(work):
    """What comes out and its form, or the kind of exception and its place."""
    try:
        result = work()
    except UnicodeError as error:
        return (isinstance(error, UnicodeDecodeError), error.start, error.end, error.object)
    except TypeError:
        return TypeError
    # Of a new object, since one character may be a string that keeps its UTF-8 as well.
    return result, sys.getsizeof(result * 2), hash(result)


def stretches(dice, bad, lengths):
    """Texts of one kind of characters or of several, with something else between them, seldom or often."""
    for length, every in itertools.product(lengths, (1, 3, 40, 70, 500)):
        kinds = dice.choice([STRETCHES[:1], STRETCHES[:2], STRETCHES[:3], STRETCHES[2:4], STRETCHES[4:], STRETCHES])
        text = []
        while sum(map(len, text)) < length:
            stretch = "".join(dice.choices(kinds, k=1 + every // 8))
            text.append(stretch[: 1 + dice.randrange(every)])
            text.append(dice.choice(bad))
        yield text


class Handlers(BothWays):
    LENGTHS = (5, 60, 64, 130, 190, 200, 700, 5000)

    def decoded_like(self, data, encoding, handler):
        expected = outcome(lambda: data.decode(encoding, handler))
        self.assertEqual(outcome(lambda: runecast.decode(data, encoding, handler)), expected, (data[:300], encoding, handler))

    def test_decoding_utf_8_and_ascii(self):
        dice = random.Random(21)
        bad = [b"\xff", b"\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xed\xb2\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"]
        bad.append(b"\xed\xa0\xbe\xed\xba\xa8")
        for some in ([b"\xff"], [b"\xed\xa0\x80", b"\xed\xbf\xbf"], bad):
            for text in stretches(dice, some, self.LENGTHS):
                data = b"".join(part if isinstance(part, bytes) else part.encode() for part in text)
                for handler, encoding in itertools.product(HANDLERS, ("utf-8", "ascii")):
                    self.decoded_like(data, encoding, handler)
                for cut in range(1, 5):
                    self.decoded_like(data[:-cut], "utf-8", dice.choice(HANDLERS))

    def test_decoding_units(self):
        dice = random.Random(22)
        for encoding in ENCODINGS[3:]:
            for bad in (["\ud800"], ["\udc00"], ["\ud83e", "\udea8", "\udc80"]):
                for text in stretches(dice, bad, self.LENGTHS):
                    data = "".join(text).encode(encoding, "surrogatepass")
                    for handler in HANDLERS:
                        self.decoded_like(data, encoding, handler)
                        self.decoded_like(data[: -dice.randrange(1, 4)], encoding, handler)

    def test_bytes_at_random(self):
        dice = random.Random(23)
        for _ in range(1500):
            data = bytes(dice.choices(BOUNDARY, k=dice.randrange(90)))
            self.decoded_like(data, dice.choice(ENCODINGS), dice.choice(HANDLERS))
        for handler in HANDLERS[:6]:
            self.decoded_like(dice.randbytes(5000), "utf-8", handler)

    def test_all_three_bytes(self):
        for data in map(bytes, itertools.product(BOUNDARY, repeat=3)):
            for handler in ("replace", "surrogateescape", "surrogatepass"):
                expected = outcome(lambda: data.decode("utf-8", handler))
                self.assertEqual(outcome(lambda: runecast.decode(data, "utf-8", handler)), expected, (data, handler))

    def test_encoding(self):
        dice = random.Random(24)
        for bad in (["\udcff"], ["\ud800"], ["\ud83e", "\udea8", "\udc80"], ["\u20ac", "\U0010ffff", "\x80", "\xff"]):
            for text in map("".join, stretches(dice, bad, self.LENGTHS)):
                for handler, encoding in itertools.product(HANDLERS, ENCODINGS):
                    expected = outcome(lambda: text.encode(encoding, handler))
                    found = outcome(lambda: runecast.encode(text, encoding, handler))
                    self.assertEqual(found, expected, (ascii(text[:100]), encoding, handler))

    def test_long_texts(self):
        """Longer than what releases the GIL, with one error, and well-formed."""
        for stretch in STRETCHES:
            text = stretch * (140_000 // len(stretch))
            half = len(text) // 2
            for handler in HANDLERS[1:6]:
                for bad in (b"", b"\xff", b"\xed\xa0\x80"):
                    self.decoded_like(text[:half].encode() + bad + text[half:].encode(), "utf-8", handler)
                for bad in ("", "\ud800", "\udc80"):
                    broken = text[:half] + bad + text[half:]
                    self.decoded_like(broken.encode("utf-16-le", "surrogatepass"), "utf-16-le", handler)
                    for encoding in ("utf-8", "latin-1", "utf-16-be"):
                        expected = outcome(lambda: broken.encode(encoding, handler))
                        found = outcome(lambda: runecast.encode(broken, encoding, handler))
                        self.assertEqual(found, expected, (stretch, bad, encoding, handler))

    def test_a_handler_that_a_program_has_registered_is_called_where_python_calls_it(self):
        def stars(error):
            return ("*" * (error.end - error.start), error.end)

        text = "a\ud800b\udcffc"
        for name in ("replace", "ignore", "backslashreplace", "xmlcharrefreplace", "surrogateescape", "surrogatepass"):
            own = codecs.lookup_error(name)
            codecs.register_error(name, stars)
            try:
                for encoding in ENCODINGS[3:]:
                    self.decoded_like(text.encode(encoding, "surrogatepass") if name != "surrogatepass" else b"\0" * 5, encoding, name)
                self.decoded_like(b"a\xff\xfeb\xed\xa0\x80", "utf-8", name)
                self.decoded_like(b"a\xff\xfeb", "ascii", name)
                # Of surrogates that stand for no byte Python's encoder of UTF-8 asks the handler, and of others not.
                text = text if name != "surrogateescape" else "a\udcffb"
                for encoding in ("utf-8", "ascii", "latin-1", "utf-16-le"):
                    if (name, encoding) != ("surrogatepass", "utf-16-le"):
                        expected = outcome(lambda: text.encode(encoding, name))
                        self.assertEqual(outcome(lambda: runecast.encode(text, encoding, name)), expected, (encoding, name))
            finally:
                codecs.register_error(name, own)


class ShortCalls(BothWays):
    def test_buffers(self):
        for text, length in itertools.product(STRETCHES, itertools.chain(range(40), range(40, 1200, 61))):
            for encoding in ENCODINGS:
                data = (text * 40)[:length].encode(encoding, "ignore")
                expected = outcome(lambda: data.decode(encoding))
                for kind in (bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data))):
                    self.assertEqual(outcome(lambda: runecast.decode(kind(data), encoding)), expected, (data, encoding))
        self.same(runecast.decode(memoryview(bytearray(b"abc\xe9d"))[1:4], "latin-1"), "bc\xe9")

    def test_a_copy_is_what_is_kept(self):
        data = bytearray(b"caf\xe9")
        view = memoryview(data)
        text = runecast.decode(data, "latin-1"), runecast.decode(view, "latin-1")
        data[:] = b"xxxx"
        self.assertEqual(text, ("caf\xe9", "caf\xe9"))
        view.release()
        data.extend(b"y")  # No buffer is held any more.
        self.assertRaises(ValueError, runecast.decode, view)
        self.assertRaises(BufferError, runecast.decode, memoryview(b"abcd")[::2])

    def test_arguments_by_name(self):
        for errors in (None, "strict", "replace"):
            for work in (
                lambda: runecast.decode(b"caf\xc3\xa9", encoding="utf-8", errors=errors),
                lambda: runecast.decode(data=b"caf\xe9", errors=errors, encoding="latin-1"),
                lambda: runecast.decode(b"caf\xc3\xa9", errors=errors),
                lambda: runecast.decode(b"caf\xe9", "latin-1", errors=errors),
                lambda: runecast.decode(**{"".join(["da", "ta"]): b"caf\xc3\xa9"}),
            ):
                self.same(work(), "caf\xe9")
            self.assertEqual(runecast.encode(text="caf\xe9", encoding="latin-1", errors=errors), b"caf\xe9")
            self.assertEqual(runecast.encode("caf\xe9", errors=errors), b"caf\xc3\xa9")
        wrong = [((), {}), ((b"a", "utf-8", "strict", 1), {}), ((), {"encoding": "utf-8"})]
        wrong += [((b"a",), {name: b"b"}) for name in ("data", "text", "enc")]
        for arguments, named in wrong:
            self.assertRaises(TypeError, runecast.decode, *arguments, **named)
        for arguments, named in (((b"a",), {}), (("a",), {"text": "b"}), (("a",), {"data": "b"}), ((), {"errors": "strict"})):
            self.assertRaises(TypeError, runecast.encode, *arguments, **named)

    def test_names_that_are_other_objects_each_time(self):
        names = ["utf-8", "utf8", "UTF-8", "utf_8", "UTF8", "latin-1", "latin1", "latin_1", "iso-8859-1", "ISO-8859-1", "iso8859-1"]
        names += ["ascii", "us-ascii", "US-ASCII", "ASCII"]
        names += [form.format(*which) for form in ("utf-{}-{}e", "utf-{}{}e", "utf_{}_{}e") for which in itertools.product((16, 32), "lb")]
        names += [name.upper() for name in names]
        for name in names:
            expected = codecs.lookup(name).name
            data = "a\x80".encode(name, "ignore")
            for _ in range(3):
                copy = "".join(list(name))
                self.assertEqual(codecs.lookup(runecast.lookup(copy).name).name, expected, name)
                self.same(runecast.decode(data, copy), data.decode(name), name)
                self.assertEqual(runecast.encode("a\u20ac", copy, "".join(["re", "place"])), "a\u20ac".encode(name, "replace"), name)
        for name in ("utf-81", "utf-88", "latin-1x", "asci", "\udc80"):
            self.assertRaises(LookupError, runecast.decode, b"", name)

    def test_many_names(self):
        """More than are remembered."""
        names = [name for name in runecast.ENCODINGS] + ["".join(letters) for letters in itertools.product("uU", "tT", "fF", "-_", "8")]
        for _ in range(3):
            for name in names:
                self.same(runecast.decode(runecast.encode("ab", name), name), "ab")

    def test_the_name_that_codecs_have(self):
        for name, own in (("runecast-utf-8", "utf-8"), ("runecast_latin1", "latin-1"), ("Runecast-UTF-16", "utf-16")):
            for work in (lambda: runecast.decode(b"", name), lambda: runecast.encode("", name), lambda: runecast.IncrementalDecoder(name)):
                with self.assertRaisesRegex(LookupError, f'here it is "{own}".*register') as caught:
                    work()
                self.assertNotIn("corrected", str(caught.exception))
        with self.assertRaisesRegex(LookupError, 'did you mean "utf-8"'):
            runecast.decode(b"", "runecast-utf-9")
        for name in ("runecast.strict", "runecast.replace", "runecast.backslashreplace"):
            self.assertRaises(LookupError, runecast.decode, b"", errors=name)


class Chunks(BothWays):
    def results(self, decoder, chunks):
        found = []
        for index, chunk in enumerate(chunks):
            try:
                found.append(decoder.decode(chunk, index == len(chunks) - 1))
            except UnicodeDecodeError as error:
                found.append((error.start, error.end, error.object))
                break
            found.append(decoder.getstate()[0])
        return found

    def test_every_handler_in_chunks(self):
        dice = random.Random(25)
        pieces = [b"\xd8\x00", b"\x00\xd8", b"\xdc\x80", b"\x80\xdc", b"a\0", b"\0a", b"\0\0", b"\xff\xfe", b"\xfe\xff", b"\0", b"\xff"]
        for encoding, handler in itertools.product([*ENCODINGS, "utf-8-sig", "utf-16", "utf-32"], HANDLERS[:6]):
            for _ in range(250):
                if "utf-8" in encoding or encoding in ("ascii", "latin-1"):
                    data = bytes(dice.choices(BOUNDARY, k=dice.randrange(9)))
                else:
                    data = b"".join(dice.choices(pieces, k=dice.randrange(7)))
                    # Without a mark the exceptions have no place in Python before 3.13.
                    data = (data and codecs.lookup(encoding).encode("", "strict")[0]) + data
                cuts = sorted(dice.choices(range(len(data) + 1), k=dice.randrange(5)))
                chunks = [data[begin:end] for begin, end in itertools.pairwise([0, *cuts, len(data)])] + [b""]
                if encoding == "utf-8-sig" and data and codecs.BOM_UTF8.startswith(data):
                    continue  # Python's decoder drops what is nothing but the beginning of a mark.
                ours = self.results(runecast.IncrementalDecoder(encoding, handler), chunks)
                theirs = self.results(codecs.getincrementaldecoder(encoding)(handler), chunks)
                if ours != theirs and "utf-8" in encoding and handler != "surrogatepass":
                    # Python waits for the third byte of a surrogate, which nothing can make right: all in all it is the same.
                    waits = next(at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other)
                    seen = b"".join(chunks[: waits // 2 + 1])
                    self.assertTrue(seen[-2:-1] == b"\xed" and seen[-1] >= 0xA0, (data, chunks, ours, theirs))
                    if handler != "strict":
                        self.assertEqual("".join(ours[::2]), "".join(theirs[::2]), (data, chunks))
                    continue
                self.assertEqual(ours, theirs, (encoding, handler, chunks))

    def test_a_surrogate_does_not_wait_for_its_other_half(self):
        decoder = runecast.IncrementalDecoder("utf-8", "surrogatepass")
        self.same(decoder.decode(b"a\xed\xa0\x80"), "a\ud800")
        self.same(decoder.decode(b"\xed\xb0"), "")
        self.same(decoder.decode(b"\x80"), "\udc00")


if __name__ == "__main__":
    unittest.main()
