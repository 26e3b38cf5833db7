"""What the tests have in common: texts, tables, and both ways to make strings."""

import itertools
import pathlib
import random
import unittest

from runecast import _core

DATA = pathlib.Path(__file__).resolve().parents[3] / "tests" / "data"

#: Bytes at the limits of the rows of Table 3-7 of the Unicode Standard, and some within.
BOUNDARY = bytes.fromhex("00417F808F909FA0BFC0C1C2DFE0E1ECEDEEEFF0F1F3F4F5F7F8FBFCFDFEFF")

#: All characters.
SCALARS = "".join(map(chr, itertools.chain(range(0xD800), range(0xE000, 0x110000))))

#: All code points.
POINTS = "".join(map(chr, range(0x110000)))

#: One of each width, and of the characters at their limits.
TEXTS = [
    "",
    "a",
    "plain, and no more",
    "caf\xe9 \x80\xff",
    "\u0100\u16b1\ufffd\uffff r\u016bna",
    "\U00010000 \U0001faa8 \U0010ffff",
    "a\x00b",
    "\ufeffmark",
]


def table(name):
    """The rows of a table of tab-separated text, cut into columns, without its head."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return rows[1:]


def long_texts(size=300_000):
    """Long texts of each width, longer than what releases the GIL."""
    dice = random.Random(9)
    for last in (0x7F, 0xFF, 0xFFFF, 0x10FFFF):
        some = [point for point in (dice.randrange(last + 1) for _ in range(1000)) if not 0xD800 <= point < 0xE000]
        text = "".join(map(chr, some + [last]))
        yield text * (size // len(text))


class BothWays(unittest.TestCase):
    """Runs each test twice: with strings made in place, where that is known to work, and by the stable ABI only."""

    def run(self, result=None):
        known = _core.use_layout()
        if known:
            super().run(result)
        _core.use_layout(False)
        try:
            super().run(result)
        finally:
            _core.use_layout(True)

    def same(self, found, expected, note=None):
        """Equal, and of one form: strings of different widths are never equal, and ASCII is marked as such."""
        if found != expected or hash(found) != hash(expected) or found.isascii() != expected.isascii():
            self.fail(f"{note}: {ascii(found)[:100]} is not {ascii(expected)[:100]}")
