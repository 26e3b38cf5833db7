"""From str to bytes, against Python's own codecs."""

import itertools
import random
import unittest

import runecast
from common import BOUNDARY, POINTS, SCALARS, TEXTS, BothWays, long_texts

ENCODINGS = ["utf-8", "utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-32-be", "utf-32", "latin-1", "ascii"]


def outcome(encoder, *arguments):
    """Bytes, or where an exception says the error is."""
    try:
        return encoder(*arguments)
    except UnicodeEncodeError as error:
        return (error.start, error.end, error.object)


def lone(text):
    """The place of the first surrogate that is not one of a pair."""
    at = 0
    while at < len(text):
        if "\ud800" <= text[at] <= "\udbff" and "\udc00" <= text[at + 1 : at + 2] <= "\udfff":
            at += 2
        elif "\ud800" <= text[at] <= "\udfff":
            return at
        else:
            at += 1
    return None


class Encode(BothWays):
    def test_all_characters(self):
        for encoding in ENCODINGS[:7]:
            self.assertEqual(runecast.encode(SCALARS, encoding), SCALARS.encode(encoding))
            for at in range(0, len(SCALARS), 997):
                part = SCALARS[at : at + 997]
                self.assertEqual(runecast.encode(part, encoding), part.encode(encoding), (encoding, at))
        for character in itertools.chain(SCALARS[:0x3000], SCALARS[0xD000:0xE100], SCALARS[0xF000::7]):
            self.assertEqual(runecast.encode(character), character.encode())
            self.assertEqual(runecast.encode(character, "utf-16-le"), character.encode("utf-16-le"))

    def test_texts_and_lengths(self):
        for text in [*TEXTS, *long_texts()]:
            for encoding in ENCODINGS:
                self.assertEqual(outcome(runecast.encode, text, encoding), outcome(str.encode, text, encoding))
        for text in ("a", "\xe9", "\u16b1", "\U0001faa8", "ab\xe9", "ab\u16b1", "ab\U0001faa8"):
            for length in range(200):
                part = (text * length)[:length]
                self.assertEqual(runecast.encode(part), part.encode())

    def test_surrogates_and_what_has_no_form(self):
        dice = random.Random(7)
        points = ["a", "\x85", "\xff", "\u0100", "\ud800", "\udbff", "\udc00", "\udc80", "\udfff", "\uffff", "\U00010000"]
        handlers = ["strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace", "surrogateescape", "surrogatepass"]
        for _ in range(4000):
            text = "".join(dice.choices(points, k=dice.randrange(7)))
            for encoding, handler in itertools.product(ENCODINGS, handlers):
                expected = outcome(str.encode, text, encoding, handler)
                found = outcome(runecast.encode, text, encoding, handler)
                if handler in ("surrogatepass", "surrogateescape") and not isinstance(expected, bytes):
                    # Where they give up, Python's codecs say in several ways.
                    self.assertNotIsInstance(found, bytes, (ascii(text), encoding))
                else:
                    self.assertEqual(found, expected, (ascii(text), encoding, handler))

    def test_replace_and_ignore_call_no_handler(self):
        """Python's codecs for Latin-1 and ASCII write what these mean by themselves, whoever has taken the names, and so do these."""
        import codecs

        def refused(error):
            raise error

        text = "\xe9\u16b1" * 500 + "\ud83d\ude00\U0001f600"
        kept = {name: codecs.lookup_error(name) for name in ("replace", "ignore")}
        try:
            for name in kept:
                codecs.register_error(name, refused)
                for encoding in ("latin-1", "ascii"):
                    expected = text.encode(encoding, name)
                    self.assertEqual(runecast.encode(text, encoding, name), expected, (encoding, name))
        finally:
            for name, handler in kept.items():
                codecs.register_error(name, handler)

    def test_behaviours(self):
        for name in runecast.BEHAVIOURS:
            for text in ("a\ud800b", "\udc00", "\ud83d\ude00!"):
                expected = "".join("\ufffd" if "\ud800" <= c < "\ue000" else c for c in text)
                self.assertEqual(runecast.encode(text, "utf-8", name).decode(), expected, (name, ascii(text)))
        self.assertEqual(runecast.encode("caf\xe9 \u16b1", "ascii", "whatwg"), b"caf? ?")

    def test_all_code_points_where_surrogates_have_a_form(self):
        self.assertEqual(runecast.encode(POINTS, "generalized-utf-8"), POINTS.encode("utf-8", "surrogatepass"))
        for encoding in ("wtf-8", "wobbly-cesu-8", "wobbly-mutf-8", "wtf-16-le", "wtf-16-be"):
            for text in ("\ud800", "a\udfffb", "\udc00\ud800", "\ud800\u16b1\U0001faa8", "\xe9\udc80"):
                data = runecast.encode(text, encoding)
                self.assertEqual(runecast.decode(data, encoding), text, encoding)
            # A pair is a character where it can be one.
            self.assertEqual(runecast.decode(runecast.encode("\ud83e\udea8", encoding), encoding), "\U0001faa8")
        self.assertEqual(runecast.encode("\ud83e\udea8", "wtf-8"), "\U0001faa8".encode())
        pair = "\ud83e\udea8".encode("utf-8", "surrogatepass")
        self.assertEqual(runecast.encode("\ud83e\udea8", "generalized-utf-8"), pair)
        self.assertEqual(runecast.encode("\U0001faa8", "cesu-8"), pair)
        self.assertEqual(runecast.encode("a\0b", "mutf-8"), b"a\xc0\x80b")

    def test_what_an_exception_says(self):
        with self.assertRaises(UnicodeEncodeError) as caught:
            runecast.encode("ab\ud800\ud801c")
        error = caught.exception
        self.assertEqual((error.encoding, error.start, error.end, error.object), ("utf-8", 2, 4, "ab\ud800\ud801c"))
        with self.assertRaises(UnicodeEncodeError) as caught:
            runecast.encode("a\x85", "corrected-utf-8")
        self.assertEqual((caught.exception.start, caught.exception.kind), (1, "unrepresentable"))

    def test_well_formed(self):
        for text in [*TEXTS, *long_texts(), SCALARS]:
            for errors in (*runecast.BEHAVIOURS, "strict", "replace", "ignore", "surrogateescape"):
                self.assertIs(runecast.well_formed(text, errors), text)
        self.same(runecast.well_formed("caf\xe9 \ud83e\udea8 \ud83e."), "caf\xe9 \U0001faa8 \ufffd.")
        self.same(runecast.well_formed("\ud83e\udea8"), "\U0001faa8")
        self.same(runecast.well_formed("a\ud83e", "ignore"), "a")
        self.same(runecast.well_formed("a\ud83e", "drop"), "a")
        self.same(runecast.well_formed("a\udea8\uffff", "backslash"), "a\\uDEA8\uffff")
        self.same(runecast.well_formed("a\udea8\uffff", "perl5"), "a\ufffd\uffff")
        dice = random.Random(8)
        points = ["a", "\xe9", "\u16b1", "\U0001faa8", "\ud83e", "\udea8", "\ud800", "\udc80", "\udfff"]
        for _ in range(4000):
            # With characters beyond U+FFFF, and without.
            some = points if dice.randrange(2) else points[:3] + points[4:]
            text = "".join(dice.choices(some, k=dice.randrange(9)))
            units = text.encode("utf-16-le", "surrogatepass")
            expected = units.decode("utf-16-le", "replace")
            for errors in (None, "whatwg", "replace", "go", "python2", "latin1"):
                self.same(runecast.well_formed(text, errors) if errors else runecast.well_formed(text), expected, ascii(text))
            self.same(runecast.well_formed(text, "ignore"), units.decode("utf-16-le", "ignore"), ascii(text))
            at = lone(text)
            if at is None:
                self.same(runecast.well_formed(text, "strict"), expected, ascii(text))
                continue
            with self.assertRaises(UnicodeEncodeError) as caught:
                runecast.well_formed(text, "strict")
            self.assertEqual((caught.exception.start, caught.exception.end, caught.exception.object), (at, at + 1, text))
        # What `surrogateescape` has made of bytes is what another handler would have made of them.
        for _ in range(4000):
            data = bytes(dice.choices(BOUNDARY, k=dice.randrange(8))) + dice.choice(points[:4]).encode()
            text = data.decode("utf-8", "surrogateescape")
            self.same(runecast.well_formed(text, "surrogateescape"), data.decode("utf-8", "replace"), data)
        self.same(runecast.well_formed("a\udcc3\udca9 \udcff\ud800 \ud83e\udea8", "surrogateescape"), "a\xe9 \ufffd\ufffd \U0001faa8")
        for text in long_texts():
            self.same(runecast.well_formed(text + "\ud83e\udea8\udc80"), text + "\U0001faa8\ufffd")

        class Text(str):
            pass

        text = Text("a\u16b1")
        self.assertIs(runecast.well_formed(text), text)
        self.same(runecast.well_formed(Text("a\ud83e\udea8")), "a\U0001faa8")
        self.assertRaises(TypeError, runecast.well_formed, b"a")
        self.assertRaises(LookupError, runecast.well_formed, "a", "no such thing")
        for errors in ("surrogatepass", "backslashreplace"):
            with self.assertRaisesRegex(ValueError, errors + ".*strict.*whatwg"):
                runecast.well_formed("a", errors)

    def test_subclasses(self):
        class Text(str):
            pass

        for text in TEXTS:
            self.assertEqual(runecast.encode(Text(text)), text.encode())

    def test_what_is_refused(self):
        self.assertRaises(TypeError, runecast.encode, b"bytes")
        self.assertRaises(LookupError, runecast.encode, "", "utf-7")
        self.assertRaises(LookupError, runecast.encode, "", "utf-8", "no such thing")


if __name__ == "__main__":
    unittest.main()
