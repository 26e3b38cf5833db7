"""Handlers of `codecs`, wherever a name of one is taken: each of Python's works as in Python, or is refused by its name."""

import codecs
import copy
import io
import itertools
import os
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

import runecast
from common import BOUNDARY, BothWays

HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "xmlcharrefreplace", "namereplace"]


def outcome(work):
    """What comes out, or the kind of exception and its place."""
    try:
        return work()
    except UnicodeError as error:
        return (isinstance(error, UnicodeDecodeError), error.start, error.end)
    except TypeError:
        return TypeError


class FromBytesToBytes(BothWays):
    def test_every_handler_of_python(self):
        dice = random.Random(11)
        texts = [b"caf\xe9 \xe2\x82\xac", "\u20ac\U0001faa8".encode(), b"\xed\xa0\x80", b"\xff", b"plain"]
        texts += [bytes(dice.choices(BOUNDARY, k=dice.randrange(6))) for _ in range(400)]
        for handler, target in itertools.product(HANDLERS, ("utf-8", "latin-1", "ascii", "utf-16-le", "utf-16")):
            for data in texts:
                expected = outcome(lambda: data.decode("utf-8", handler).encode(target, handler))
                found = outcome(lambda: runecast.transcode(data, "utf-8", target, handler))
                if handler == "strict" and isinstance(expected, tuple):
                    # What has no form is an error of the source there, by its place in the source.
                    self.assertIsInstance(found, tuple)
                elif handler == "replace" and target in ("utf-8", "utf-16", "utf-16-le") or isinstance(expected, (bytes, type)):
                    self.assertEqual(found, expected, (data, handler, target))
                else:
                    self.assertIsInstance(found, tuple, (data, handler, target))

    def test_every_handler_of_python_where_python_lacks_the_encodings(self):
        """By what the two steps are here: surrogates, and C1 controls, which Corrected UTF-8 has no form for."""
        dice = random.Random(12)
        texts = [b"a\xed\xa0\x80b", b"a\xc2\x80b", b"\xed\xa0\xbe\xff\xed\xba\xa8", b"a\0\x3e\xd8\xa8\xdeb\0\0\xd8\0", b"a\xfe\x80\x80b\xff"]
        texts += [b"\xf9\x80\x80\x80\x80", b"\0\xd8", b"a\0\0\xd8", b"\0\xdc\0\xd8a\0"]
        texts += [bytes(dice.choices(BOUNDARY, k=dice.randrange(7))) for _ in range(60)]
        sources = ("utf-8", "wtf-8", "wtf-16-le", "generalized-utf-8", "wobbly-cesu-8", "cesu-8", "corrected-utf-8", "utf-16-le", "utf-32-be", "ascii")
        targets = ("utf-8", "wtf-8", "wtf-16-be", "generalized-utf-8", "wobbly-mutf-8", "mutf-8", "corrected-utf-8", "utf-16-be", "utf-32-le", "latin-1")
        for handler, source, target in itertools.product(HANDLERS[1:], sources, targets):
            if source == target == "corrected-utf-8":
                continue  # It may have more characters than a `str`.
            for data in texts:
                expected = outcome(lambda: runecast.encode(runecast.decode(data, source, handler), target, handler))
                found = outcome(lambda: runecast.transcode(data, source, target, handler))
                self.assertEqual(found, expected, (data, source, target, handler))
        # What a `str` cannot hold is kept where it is.
        self.assertEqual(runecast.repair(b"\xf9\x80\x80\x80\x80\xfe", "ignore", "corrected-utf-8"), b"\xf9\x80\x80\x80\x80")
        self.assertEqual(runecast.repair(b"\xed\xa0\xbe\xff", "replace", "wtf-8"), b"\xed\xa0\xbe\xef\xbf\xbd")

    def test_no_handler_silently_writes_something_else(self):
        self.assertEqual(runecast.transcode(b"a\xffb", "utf-8", "utf-8", "surrogateescape"), b"a\xffb")
        self.assertEqual(runecast.transcode(b"a\xffb", "utf-8", "latin-1", "backslashreplace"), b"a\\xffb")
        self.assertEqual(runecast.transcode("\u20ac".encode(), "utf-8", "ascii", "xmlcharrefreplace"), b"&#8364;")
        self.assertEqual(runecast.transcode("\u20ac".encode(), "utf-8", "ascii", "namereplace"), b"\\N{EURO SIGN}")
        self.assertEqual(runecast.transcode(b"\xed\xa0\x80", "utf-8", "utf-16-le", "surrogatepass"), b"\0\xd8")
        self.assertEqual(runecast.transcode(b"a\xed\xa0\x80b", "wtf-8", "utf-8", "ignore"), b"ab")
        self.assertEqual(runecast.transcode(b"a\xed\xa0\x80b", "wtf-8", "utf-8", "replace"), b"a?b")
        self.assertEqual(runecast.transcode(b"a\xc2\x80b", "utf-8", "corrected-utf-8", "ignore"), b"ab")
        self.assertEqual(runecast.transcode(b"a\xc2\x80b", "utf-8", "corrected-utf-8", "replace"), b"a?b")

    def test_repair(self):
        self.assertEqual(runecast.repair(b"a\xffb", "backslashreplace"), b"a\\xffb")
        self.assertEqual(runecast.repair(b"\xff\xfea\0\0\xd8", "backslashreplace", "utf-16"), "\ufeffa\\x00\\xd8".encode("utf-16-le"))
        self.assertEqual(runecast.repair(b"\xfe\xff\0a\xd8\0", "backslashreplace", "utf-16"), "\ufeffa\\xd8\\x00".encode("utf-16-be"))
        codecs.register_error("runecast-test.stars", lambda error: ("*" * (error.end - error.start), error.end))
        self.assertEqual(runecast.repair(b"a\xe2\x82b", "runecast-test.stars"), b"a**b")
        for handler in ("surrogateescape", "surrogatepass"):
            with self.assertRaises(ValueError) as caught:
                runecast.repair(b"a", handler)
            for name in (handler, "whatwg", "backslashreplace"):
                self.assertIn(name, str(caught.exception))
        # Whatever it is called, what it writes is looked at.
        codecs.register_error("runecast-test.pass", codecs.lookup_error("surrogateescape"))
        self.assertRaises(ValueError, runecast.repair, b"a\xff", "runecast-test.pass")

    def test_the_target_is_named(self):
        for work in (
            lambda: runecast.transcode("\u20ac".encode(), "utf-8", "latin-1"),
            lambda: runecast.encode("\u20ac", "latin-1"),
        ):
            with self.assertRaises(UnicodeError) as caught:
                work()
            self.assertIn("latin-1 has no form for U+20AC", str(caught.exception))


class Answers(BothWays):
    def test_a_handler_that_puts_other_bytes_into_the_exception(self):
        calls = []

        def exchange(error):
            calls.append(error.start)
            if len(calls) > 10:
                raise error
            error.object = b"ab\xffc" if len(calls) == 1 else b"end"
            return ("<", 0 if len(calls) == 1 else 1)

        codecs.register_error("runecast-test.exchange", exchange)
        for decode in (runecast.decode, bytes.decode):
            calls.clear()
            self.same(decode(b"x\xffy", "utf-8", "runecast-test.exchange"), "x<ab<nd", decode)
            self.assertEqual(calls, [1, 2])

        def wrong(error):
            error.object = "a str"
            return ("", error.end)

        codecs.register_error("runecast-test.wrong", wrong)
        self.assertRaises(TypeError, runecast.decode, b"\xff", "utf-8", "runecast-test.wrong")

    def test_a_handler_that_goes_on_within_what_waits(self):
        codecs.register_error("runecast-test.all", lambda error: ("!", len(error.object)))
        decoder = runecast.IncrementalDecoder("utf-8", "runecast-test.all")
        self.same(decoder.decode(b"a\xffb\xe2\x82") + decoder.decode(b"c", True), "a!c")

    def test_bytes_that_stand_for_themselves_come_first(self):
        for encoding in ("utf-8", "ascii", "latin-1"):
            for text in ("[\udc80\ud800\udfff]", "\udcff\udc80a", "\ud800\udc80", "\udc80\udc7f"):
                expected = outcome(lambda: text.encode(encoding, "surrogateescape"))
                self.assertEqual(outcome(lambda: runecast.encode(text, encoding, "surrogateescape")), expected, (encoding, ascii(text)))


class Names(BothWays):
    def test_all_names_of_python(self):
        import encodings.aliases

        ours = {name.replace("-", "_") for name in runecast.ENCODINGS}
        known = 0
        for alias, module in encodings.aliases.aliases.items():
            if module in ours:
                known += 1
                self.assertEqual(runecast.lookup(alias).name.replace("-", "_"), module, alias)
        self.assertGreater(known, 35)
        self.assertEqual(runecast.lookup("U8").name, "utf-8")
        self.assertEqual(runecast.lookup("ANSI_X3.4-1968").name, "ascii")
        self.assertEqual(runecast.lookup("iso-ir-100").name, "latin-1")
        self.assertRaises(LookupError, runecast.lookup, "utf-7")
        self.assertRaises(LookupError, runecast.lookup, "\ud800")

    def test_a_name_that_is_nearly_right(self):
        for name, meant in (("utf-9", "utf-8"), ("utf-16-lee", "utf-16-le"), ("Latin-11", "latin-1")):
            with self.assertRaisesRegex(LookupError, f'did you mean "{meant}"'):
                runecast.decode(b"", name)
        with self.assertRaisesRegex(LookupError, 'did you mean "whatwg"'):
            runecast.decode(b"", errors="whatvg")
        with self.assertRaisesRegex(LookupError, "there are utf-8, utf-16"):
            runecast.decode(b"", "x-user-defined")

    def test_a_name_that_python_has(self):
        """Another name that looks like it means something else."""
        for name in ("koi8-r", "windows-1252", "cp1252", "utf-7", "latin9", "Shift_JIS", "gbk"):
            with self.assertRaisesRegex(LookupError, f"'{name}'; Python has a codec of that name"):
                runecast.decode(b"", name)
            with self.assertRaisesRegex(LookupError, "Python has a codec of that name"):
                runecast.transcode(b"", name, "utf-8")
        # Of bytes, and of ours.
        for name in ("hex", "zip", "rot13", "runecast-utf-9"):
            with self.assertRaisesRegex(LookupError, "there are utf-8|did you mean"):
                runecast.decode(b"", name)

    def test_how_long_an_error_is_where_surrogates_pass(self):
        for data in (b"\xdc\x9f\xed\xa0\xe0", b"\xed\xa0\x80\xed\xa0", b"\xed\xb0a", b"\xed\xa0\x80\xff", b"a\xe2\x82", b"\xf0\x90\x80"):
            with self.assertRaises(UnicodeDecodeError) as theirs:
                data.decode("utf-8", "surrogatepass")
            for given in (data, bytearray(data)):
                with self.assertRaises(UnicodeDecodeError) as ours:
                    runecast.decode(given, "utf-8", "surrogatepass")
                self.assertEqual((ours.exception.start, ours.exception.end), (theirs.exception.start, theirs.exception.end), data)

    def test_a_signature(self):
        for text in ("", "a", "\u16b1\U0001faa8", "\ufeffa"):
            data = text.encode("utf-8-sig")
            self.assertEqual(runecast.encode(text, "utf-8-sig"), data)
            self.same(runecast.decode(data, "utf_8_sig"), text)
            self.same(runecast.decode(text.encode(), "utf-8-sig"), text.encode().decode("utf-8-sig"))
            self.assertEqual(runecast.transcode(text.encode("utf-16-le"), "utf-16-le", "utf-8-sig"), data)
        with self.assertRaises(UnicodeDecodeError) as caught:
            runecast.decode(b"\xef\xbb\xbfa\xff", "utf-8-sig")
        self.assertEqual((caught.exception.start, caught.exception.encoding), (4, "utf-8-sig"))


class Chunks(BothWays):
    def test_errors_are_raised_with_the_first_byte_that_makes_them_certain(self):
        """As by Python; but Python waits for the third byte of a surrogate, which nothing can make right."""
        for length in (1, 2, 3):
            for data in map(bytes, itertools.product(BOUNDARY, repeat=length)):
                found = []
                for decoder in (runecast.IncrementalDecoder(), codecs.getincrementaldecoder("utf-8")()):
                    try:
                        for at in range(len(data)):
                            decoder.decode(data[at : at + 1])
                        found.append(None)
                    except UnicodeDecodeError:
                        found.append(at)
                if found[0] != found[1]:
                    at = found[0]
                    self.assertTrue(data[at - 1] == 0xED and data[at] >= 0xA0, (data, found))

    def test_what_waits_can_be_the_beginning_of_a_text(self):
        points = [0x00, 0x41, 0x80, 0x7FF, 0x800, 0x1000, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x40000, 0x10FFFF]
        for encoding in runecast.ENCODINGS:
            # Those with a mark wait for all of it, and UTF-32, as in Python, for all of a unit.
            if encoding in ("utf-16", "utf-32", "wtf-16", "utf-8-sig", "corrected-utf-8", "utf-32-le", "utf-32-be"):
                continue
            wobbly = [0xD800, 0xDBFF, 0xDC00, 0xDFFF]
            beginnings = set()
            for point in points + wobbly:
                try:
                    data = runecast.encode(chr(point), encoding)
                except UnicodeEncodeError:
                    continue
                beginnings |= {data[:end] for end in range(len(data) + 1)}
            width = max(map(len, beginnings))
            pool = BOUNDARY if width < 7 else BOUNDARY[::3]
            for data in map(bytes, itertools.product(pool, repeat=2)):
                decoder = runecast.IncrementalDecoder(encoding)
                try:
                    decoder.decode(data)
                except UnicodeDecodeError:
                    continue
                waits = decoder.getstate()[0]
                if not waits:
                    continue
                # Of a surrogate on its own they wait for all three bytes, to name it as one.
                if waits[0] == 0xED and waits[1:2] >= b"\xb0" and encoding in ("cesu-8", "mutf-8"):
                    continue
                # One that ends it must be there: any of the ends of characters.
                ends = {known[len(beginning) :] for beginning in beginnings for known in beginnings}
                ends |= {bytes(some) for size in (1, 2, 3) for some in itertools.product(b"\x00\x80\x8f\x90\xa0\xb0\xbf\xd8\xdc", repeat=size)}
                self.assertTrue(any(runecast.is_valid(waits + end, encoding) for end in ends), (encoding, data, waits))

    def test_what_a_handler_leaves_of_a_unit(self):
        # In chunks as Python's codecs at once: a handler goes on behind one byte of a unit, and the units are others then.
        codecs.register_error("runecast-test.one", lambda error: ("?", error.start + 1))
        pool = b"\x00a\x9f\xa0\xd8\xdc"
        for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            for errors in ("surrogateescape", "runecast-test.one", "ignore", "replace"):
                for data in map(bytes, itertools.product(pool, repeat=5)):
                    try:
                        expected = data.decode(encoding, errors)
                    except UnicodeDecodeError as error:
                        expected = error.start
                    for cuts in ((1,), (2,), (3,), (4,), (1, 2), (2, 3), (1, 2, 3, 4)):
                        decoder, parts = runecast.IncrementalDecoder(encoding, errors), []
                        try:
                            for begin, end in zip((0, *cuts), (*cuts, len(data))):
                                parts.append(decoder.decode(data[begin:end], end == len(data)))
                            found = "".join(parts)
                        except UnicodeDecodeError:
                            found = expected if isinstance(expected, int) else "an error"
                        self.assertEqual(found, expected, (encoding, errors, data, cuts))

    def test_a_name_with_nul_is_none(self):
        for name in ("utf-8\0", "latin1\0", "\0"):
            self.assertRaises(LookupError, runecast.decode, b"a", name)

    def test_a_stream_of_utf16_begins_with_a_mark(self):
        for encoding in ("utf-16", "utf-32"):
            for decoder in (runecast.IncrementalDecoder(encoding), codecs.getincrementaldecoder(encoding)()):
                self.assertRaises(UnicodeError, decoder.decode, b"a\0\0\0")
            reader = runecast.StreamReader(io.BytesIO(b"a\0\0\0"), encoding=encoding)
            self.assertRaises(UnicodeError, reader.read)

    def test_errors_in_files_in_development_mode(self):
        path = os.path.join(tempfile.mkdtemp(), "text")
        with open(path, "wb") as file:
            file.write(b"caf\xe9 ")
        program = (
            "import runecast, sys; runecast.register()\n"
            "for name in runecast.BEHAVIOURS:\n"
            "    with open(sys.argv[1], encoding='runecast-utf-8', errors=name) as file:\n"
            "        assert file.read() == runecast.decode(b'caf\\xe9 ', errors=name), name\n"
        )
        subprocess.run([sys.executable, "-X", "dev", "-c", program, path], check=True)


class Answered(unittest.TestCase):
    def test_pickled_and_copied(self):
        dice = random.Random(5)
        seen = set()
        for encoding in runecast.ENCODINGS:
            for _ in range(600):
                data = bytes(dice.choices(BOUNDARY + b"\xd8\xdc\x00", k=dice.randrange(1, 12)))
                found = runecast.validate(b"a" * 16 + data if encoding.endswith(("8", "1", "ascii")) else data, encoding)
                if found is None:
                    continue
                seen.add(found.kind)
                for other in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
                    self.assertEqual(other, found)
                    self.assertEqual((str(other), other.bytes, other.length), (str(found), found.bytes, found.length))
                    self.assertEqual(hash(other), hash(found))
        self.assertGreaterEqual(len(seen), 13)

    def test_detections(self):
        samples = {
            "empty": b"",
            "mark": b"\xff\xfea\0",
            "magic": runecast.encode("\u16b1", "corrected-utf-8"),
            "ascii": b"abc",
            "utf-8": "r\u00fana".encode(),
            "units": "runes and more".encode("utf-16-le"),
            "single": b"caf\xe9 \xe0 la cr\xe8me",
            "two": "caf\u00e9 ".encode() + b"caf\xe9 cr\xe8me",
            "damage": "\u16b1\u16a2\u16be".encode() * 20 + b"\xe1\x9a" + "\u16b1".encode() * 9,
            "nul": b"abc\0def" + bytes(range(256)),
            "controls": b"\x01\x02\x03\x04\x05abc\x06\x07\x0e",
            "foreign": bytes(range(0x80, 0xA0)) * 9,
        }
        dice = random.Random(6)
        texts = [*samples.values(), *(bytes(dice.choices(range(256), k=dice.randrange(64))) for _ in range(300))]
        texts += [text[:at] for text in samples.values() for at in range(1, len(text), 3)]
        seen = set()
        for text in texts:
            for whole in (True, False):
                found = runecast.detect(text, whole)
                seen.add(found.__reduce__()[1][2])
                for other in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
                    self.assertEqual((other, str(other), hash(other)), (found, str(found), hash(found)))
        self.assertGreaterEqual(len(seen), 11, seen)

    def test_exceptions(self):
        for work, kind in (
            (lambda: runecast.decode(b"\xc3("), runecast.DecodeError),
            (lambda: runecast.encode("\ud800"), runecast.EncodeError),
        ):
            with self.assertRaises(kind) as caught:
                work()
            error = pickle.loads(pickle.dumps(caught.exception))
            self.assertIs(type(error), kind)
            self.assertEqual((error.kind, str(error)), (caught.exception.kind, str(caught.exception)))

    def test_types(self):
        try:
            from mypy import api
        except ImportError:
            self.skipTest("no mypy")
        path = os.path.join(tempfile.mkdtemp(), "program.py")
        with open(path, "w") as file:
            file.write(
                "import runecast\n"
                "def f(data: bytes) -> str:\n"
                "    error = runecast.validate(data)\n"
                "    if error is not None:\n"
                "        return error.kind\n"
                "    try:\n"
                "        return runecast.decode(data)\n"
                "    except runecast.DecodeError as wrong:\n"
                "        return wrong.kind\n"
            )
        out, err, status = api.run(["--strict", "--no-incremental", path])
        self.assertEqual(status, 0, out + err)

    def test_the_layout_is_turned_off(self):
        program = "import runecast; print(runecast._core.use_layout(), runecast.decode(b'r\\xc3\\xba'))"
        environment = dict(os.environ, RUNECAST_STRING_LAYOUT="off", PYTHONIOENCODING="utf-8")
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
        self.assertEqual(done.stdout.decode().split(), ["False", "r\u00fa"])


if __name__ == "__main__":
    unittest.main()
