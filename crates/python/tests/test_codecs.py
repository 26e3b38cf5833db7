"""The protocol of `codecs`: chunks cut anywhere, states, files; encodings and handlers that are registered."""

import codecs
import io
import os
import random
import tempfile
import unittest

import runecast
from common import BOUNDARY, TEXTS, BothWays

ENCODINGS = [name for name in runecast.ENCODINGS if name not in ("latin-1", "ascii")]


def texts_for(encoding):
    for text in TEXTS:
        try:
            runecast.encode(text, encoding)
        except UnicodeEncodeError:
            continue
        yield text


class Chunks(BothWays):
    def test_all_cuts(self):
        for encoding in ENCODINGS:
            for text in texts_for(encoding):
                data = runecast.encode(text, encoding)
                for first in range(len(data) + 1):
                    for second in {first, min(first + 1, len(data)), min(first + 2, len(data)), len(data)}:
                        decoder = runecast.IncrementalDecoder(encoding)
                        parts = [decoder.decode(data[:first]), decoder.decode(data[first:second]), decoder.decode(data[second:], True)]
                        self.same("".join(parts), text, (encoding, first, second))

    def test_byte_by_byte_with_every_behaviour(self):
        dice = random.Random(1)
        for behaviour in [*runecast.BEHAVIOURS, "replace", "ignore", "backslashreplace", "surrogateescape"]:
            for _ in range(300):
                data = bytes(dice.choices(BOUNDARY, k=8)) + dice.choice([b"", b"ab", "\u16b1".encode()])
                whole = runecast.decode(data, errors=behaviour)
                decoder = runecast.IncrementalDecoder("utf-8", behaviour)
                parts = [decoder.decode(data[at : at + 1]) for at in range(len(data))]
                parts.append(decoder.decode(b"", True))
                self.same("".join(parts), whole, (data, behaviour))

    def test_python_waits_for_the_same_bytes(self):
        for text in TEXTS:
            for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-16", "utf-32"):
                theirs = codecs.getincrementaldecoder(encoding)()
                ours = runecast.IncrementalDecoder(encoding)
                for at, byte in enumerate(text.encode(encoding)):
                    self.assertEqual(ours.decode(bytes([byte])), theirs.decode(bytes([byte])), (encoding, at))

    def test_states(self):
        for encoding in ENCODINGS:
            text = "a\u16b1\U0001faa8b"
            data = runecast.encode(text, encoding)
            for cut in range(len(data) + 1):
                decoder = runecast.IncrementalDecoder(encoding)
                begin = decoder.decode(data[:cut])
                state = decoder.getstate()
                self.assertIsInstance(state[0], bytes)
                self.assertIsInstance(state[1], int)
                decoder.decode(data[cut : cut + 1])
                decoder.setstate(state)
                self.same(begin + decoder.decode(data[cut:], True), text, encoding)
                other = runecast.IncrementalDecoder(encoding)
                other.setstate(state)
                self.same(begin + other.decode(data[cut:], True), text, encoding)
                decoder.reset()
                self.same(decoder.decode(data, True), text, encoding)
            self.assertEqual(runecast.IncrementalDecoder(encoding).getstate(), (b"", 0))

    def test_an_end_in_the_middle(self):
        decoder = runecast.IncrementalDecoder()
        self.assertEqual(decoder.decode(b"a\xe2\x82"), "a")
        self.assertRaises(UnicodeDecodeError, decoder.decode, b"", True)
        # The end of nothing is not the beginning of what is written there later.
        for encoding, mark, text in [
            ("utf-16", b"\xfe\xff", b"\0a"),
            ("utf-32", b"\xff\xfe\0\0", b"a\0\0\0"),
            ("utf-8-sig", b"\xef\xbb\xbf", b"a"),
        ]:
            ours, theirs = runecast.IncrementalDecoder(encoding), codecs.getincrementaldecoder(encoding)()
            for decoder in (ours, theirs):
                self.assertEqual(decoder.decode(b"", True), "")
                self.assertEqual(decoder.decode(mark + text), "a", decoder)
        decoder = runecast.IncrementalDecoder("utf-16")
        self.assertEqual(decoder.decode(b"\xff"), "")
        self.assertRaises(UnicodeDecodeError, decoder.decode, b"", True)

    def test_encoders(self):
        for encoding in runecast.ENCODINGS:
            for text in texts_for(encoding):
                whole = runecast.encode(text, encoding)
                for cut in range(len(text) + 1):
                    encoder = runecast.IncrementalEncoder(encoding)
                    first = encoder.encode(text[:cut])
                    state = encoder.getstate()
                    encoder.encode("x")
                    encoder.setstate(state)
                    self.assertEqual(first + encoder.encode(text[cut:], True), whole, (encoding, cut))

    def test_an_encoder_joins_halves(self):
        encoder = runecast.IncrementalEncoder("wtf-8")
        self.assertEqual(encoder.encode("a\ud83e"), b"a")
        self.assertNotEqual(encoder.getstate(), 0)
        self.assertEqual(encoder.encode("\udea8"), "\U0001faa8".encode())
        self.assertEqual(encoder.encode("\ud83e"), b"")
        self.assertEqual(encoder.encode("", True), b"\xed\xa0\xbe")


class Raised(BothWays):
    """What raises leaves everything as it was, as Python's codecs do."""

    def test_a_mark_is_written_before_what_is_written_first(self):
        for encoding in ("utf-16", "utf-32"):
            theirs = codecs.getincrementalencoder(encoding)()
            for encoder in (theirs, runecast.IncrementalEncoder(encoding), runecast.lookup(encoding).incrementalencoder()):
                self.assertRaises(UnicodeEncodeError, encoder.encode, "\ud800")
                self.assertEqual(encoder.encode("abc") + encoder.encode("d"), "abcd".encode(encoding), encoder)
        encoder = runecast.IncrementalEncoder("utf-8-sig")
        self.assertRaises(UnicodeEncodeError, encoder.encode, "\ud800")
        self.assertEqual(encoder.encode("abc"), "abc".encode("utf-8-sig"))

    def test_what_waits_is_kept(self):
        encoder = runecast.IncrementalEncoder("wtf-8")
        encoder.encode("\ud83e")
        encoder.errors = "no such handler"
        self.assertRaises(LookupError, encoder.encode, "a")
        encoder.errors = "strict"
        self.assertEqual(encoder.encode("\udea8"), "\U0001faa8".encode())

    def test_a_line_before_an_error_is_read(self):
        for encoding, mark, wrong in (("utf-16", "utf-16-le", b"\x00\xdc"), ("utf-16", "utf-16-be", b"\xdc\x00"), ("utf-32", "utf-32-le", b"\0\xd8\0\0")):
            data = "\ufeffa\nbc".encode(mark) + wrong
            found = []
            for reader in (codecs.getreader(encoding), runecast.lookup(encoding).streamreader):
                stream = reader(io.BytesIO(data))
                # As `readline` reads, which in some versions goes on until there is no more.
                line = stream.read(100, 2, True)
                with self.assertRaises(UnicodeDecodeError) as caught:
                    stream.readline()
                error = caught.exception
                found.append((line, error.object, error.start, error.end))
            self.assertEqual(found[0], found[1], encoding)
            self.assertEqual(found[0][0], "a\n")
        # Python's own loses its place there.
        reader = runecast.StreamReader(io.BytesIO(b"\xef\xbb\xbfa\nbc\xff"), encoding="utf-8-sig")
        self.assertEqual(reader.read(100, 2, True), "a\n")

    def test_places_count_the_mark(self):
        for encoding, data in (
            ("utf-16", b"\xff\xfea\0\0\xdc"),
            ("utf-16", b"\xfe\xff\0a\xdc\0b\0"),
            ("utf-32", b"\xff\xfe\0\0a\0\0\0\0\xd8\0\0"),
        ):
            found = []
            for decoder in (codecs.getincrementaldecoder(encoding)(), runecast.IncrementalDecoder(encoding)):
                with self.assertRaises(UnicodeDecodeError) as caught:
                    decoder.decode(data)
                error = caught.exception
                found.append((error.encoding, error.object, error.start, error.end, decoder.getstate()[0]))
                # It is still at the beginning.
                self.assertRaises(UnicodeError, decoder.decode, b"a\0a\0")
                decoder.reset()
                self.assertEqual(decoder.decode(data[:4] * (encoding == "utf-32") or data[:2]), "")
            self.assertEqual(found[0], found[1])

    def test_handlers_see_the_mark(self):
        seen = []

        def handler(error):
            seen.append((error.object, error.start, error.end))
            return ("?", error.end)

        codecs.register_error("runecast-test.seen", handler)
        data = b"\xff\xfea\0\0\xdcb\0"
        for decoder in (codecs.getincrementaldecoder("utf-16"), runecast.lookup("utf-16").incrementaldecoder):
            self.same(decoder("runecast-test.seen").decode(data), "a?b")
        self.assertEqual(seen[0], seen[1])


class Registered(BothWays):
    @classmethod
    def setUpClass(cls):
        runecast.register()
        runecast.register()

    @classmethod
    def tearDownClass(cls):
        runecast.unregister()

    def test_encodings_that_python_lacks(self):
        for name in ("wtf-8", "WTF8", "cesu-8", "mutf-8", "modified utf-8", "generalized-utf-8", "corrected_utf_8", "wobbly-cesu-8"):
            self.same(("a\u16b1\U0001faa8".encode(name)).decode(name), "a\u16b1\U0001faa8", name)
        self.assertEqual("\U0001faa8".encode("cesu-8"), b"\xed\xa0\xbe\xed\xba\xa8")
        self.same(b"\xed\xa0\xbe".decode("wtf-8"), "\ud83e")
        self.assertEqual(codecs.lookup("wtf8").name, "wtf-8")
        self.assertRaises(LookupError, codecs.lookup, "utf-9")
        self.assertRaises(UnicodeDecodeError, b"\xed\xa0\xbe".decode, "cesu-8")

    def test_others_are_left_alone(self):
        for name in ("utf-8", "utf-16", "latin-1", "ascii"):
            self.assertFalse(codecs.lookup(name).name.startswith("runecast"))
        self.assertEqual(codecs.lookup("runecast-utf-8").name, "runecast-utf-8")
        self.same(b"caf\xe9 ".decode("runecast-utf-8", "perl5"), "caf\ufffd ")

    def test_files(self):
        text = "a\u16b1\n\U0001faa8b\r\nc\n" * 2000
        path = os.path.join(tempfile.mkdtemp(), "text")
        for encoding in ("wtf-8", "cesu-8", "mutf-8", "runecast-utf-8", "runecast-utf-16", "runecast-utf-32-be", "corrected-utf-8"):
            with open(path, "w", encoding=encoding, newline="") as file:
                file.write(text[:777])
                file.write(text[777:])
            with open(path, encoding=encoding, newline="") as file:
                self.same(file.read(), text, encoding)
                file.seek(0)
                self.same(file.read(5), text[:5], encoding)
                place = file.tell()
                line = file.readline()
                file.seek(place)
                self.assertEqual(file.readline(), line)
                self.same(file.read(), text[5 + len(line) :], encoding)
            with open(path, "a", encoding=encoding, newline="") as file:
                file.write("\u16b1")
            with open(path, "rb") as file:
                self.assertEqual(file.read(), (text + "\u16b1").encode(encoding))
            with codecs.open(path, encoding=encoding) as file:
                self.same("".join(iter(lambda: file.read(7), "")), text + "\u16b1", encoding)
            with codecs.open(path, "w", encoding=encoding) as file:
                file.write(text)
                file.writelines(["b", "\u16b1"])
            with open(path, "rb") as file:
                self.assertEqual(file.read(), (text + "b\u16b1").encode(encoding))

    def test_a_file_has_all_that_was_written(self):
        path = os.path.join(tempfile.mkdtemp(), "text")
        for encoding in ("wtf-8", "runecast-wtf-8"):
            with open(path, "w", encoding=encoding) as file:
                file.write("a\ud83e")
            with open(path, "rb") as file:
                self.assertEqual(file.read(), b"a\xed\xa0\xbe")
            # Within a piece halves are joined.
            with open(path, "w", encoding=encoding) as file:
                file.write("a\ud83e\udea8")
            with open(path, encoding=encoding) as file:
                self.same(file.read(), "a\U0001faa8")
        with open(path, "w", encoding="runecast-utf-16") as file:
            self.assertRaises(UnicodeEncodeError, file.write, "\ud800")
            file.write("abc")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), "abc".encode("utf-16"))

    def test_handlers_in_pythons_own_codecs(self):
        dice = random.Random(3)
        for behaviour in runecast.BEHAVIOURS:
            if behaviour == "perl5":
                continue  # It replaces noncharacters, of which Python does not ask.
            for _ in range(2000):
                data = bytes(dice.choices(BOUNDARY, k=dice.randrange(8)))
                expected = runecast.decode(data, errors=behaviour)
                self.same(data.decode("utf-8", "runecast." + behaviour), expected, (data, behaviour))
        self.same(b"a\xfe\x80\x80b".decode("utf-8", "runecast.perl5"), "a\ufffd\ufffd\ufffdb")
        self.same(b"a\xed\xa0\x80b".decode("utf-8", "runecast.perl5"), "a\ufffdb")
        self.same(b"a\xffb".decode("ascii", "runecast.whatwg"), "a\ufffdb")
        self.same(b"a\0\0\xd8b\0".decode("utf-16-le", "runecast.go"), "a\ufffdb")
        self.same(b"a\x81".decode("cp1252", "runecast.whatwg"), "a\ufffd")

    def test_handlers_for_encoders(self):
        for encoding in ("utf-8", "utf-16", "utf-16-be", "utf-32"):
            self.assertEqual("a\ud800b".encode(encoding, "runecast.whatwg"), "a\ufffdb".encode(encoding))
        self.assertEqual("a\u16b1".encode("ascii", "runecast.whatwg"), b"a?")
        self.assertEqual("a\u16b1\xe9".encode("cp1252", "runecast.go"), b"a?\xe9")

    def test_streams(self):
        for encoding in ("wtf-8", "runecast-utf-16"):
            data = "a\u16b1\U0001faa8".encode(encoding)
            reader = codecs.getreader(encoding)(io.BytesIO(data))
            self.same(reader.read(), "a\u16b1\U0001faa8")
            out = io.BytesIO()
            writer = codecs.getwriter(encoding)(out)
            writer.write("a\u16b1")
            writer.write("\U0001faa8")
            self.assertEqual(out.getvalue(), data)


if __name__ == "__main__":
    unittest.main()
