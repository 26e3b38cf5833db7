"""Columns of 10^6 values: this library, the cast of arrow-rs, that of pyarrow; and polars, as a plugin and by calls of Python.

    pip install pyarrow polars arro3-core arro3-compute runecast
    python bench_columns.py

prints the tables of README.md anew. arro3 is Python's way to arrow-rs, with that crate's own kernels. Values are of 0 to 40 bytes, whole
characters, from texts of one kind, one million in an array, and the same array for all ways, which run in turns; the least time of many
rounds counts. Pin it to a core: `taskset -c 1`. A cast of arrow-rs replaces ill-formed values by null, unless told otherwise, which
Python cannot: on well-formed text, as here, it does the same work.
"""

import os
import random
import sys
import time

os.environ.setdefault("POLARS_MAX_THREADS", "1")

import arro3.compute
import arro3.core
import polars
import pyarrow
import runecast.arrow
import runecast.polars

ROWS = 1_000_000
LONGEST = 40
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15

TEXTS = {
    "ASCII": "The quick brown fox jumps over the lazy dog, and does so again. ",
    "French": "Tout à coup, l'été s'en va : où étaient les forêts, et le cœur ? ",
    "Russian": "Съешь же ещё этих мягких французских булок, да выпей чаю. ",
    "Hindi": "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश। ",
    "Chinese": "天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。寒來暑往，秋收冬藏。",
    "emoji": "🦀🐍🎉🌍🚀👀🙈🔥💡🎈",
}


def values(text):
    """Pieces of the text."""
    chance = random.Random(1)
    text *= 40
    pieces = []
    for _ in range(10_000):
        start = chance.randrange(len(text) - LONGEST)
        room = chance.randrange(LONGEST + 1)
        pieces.append(text[start : start + room].encode()[:room].decode(errors="ignore").encode())
    return pieces * (ROWS // len(pieces))


def race(ways):
    best = [float("inf")] * len(ways)
    for _ in range(ROUNDS):
        for index, way in enumerate(ways):
            begin = time.perf_counter()
            result = way()
            best[index] = min(best[index], time.perf_counter() - begin)
            del result
    return best


def row(name, times):
    cells = [f"{1e3 * time:.1f}" for time in times]
    ratios = [f"{other / times[0]:.1f}" for other in times[1:]]
    print(f"| {name} | {' | '.join(cells)} | {' | '.join(ratios)} |", flush=True)


print("| binary to text, ms for 10^6 | runecast | arrow-rs | pyarrow | ÷ arrow-rs | ÷ pyarrow |")
print("|---|--:|--:|--:|--:|--:|")
for kind, source, target, arro3_target in [
    ("Binary", pyarrow.binary(), pyarrow.string(), arro3.core.DataType.utf8()),
    ("BinaryView", pyarrow.binary_view(), pyarrow.string_view(), arro3.core.DataType.string_view()),
]:
    for name, text in TEXTS.items():
        array = pyarrow.array(values(text), source)
        other = arro3.core.Array.from_arrow(array)
        assert runecast.arrow.check(array).equals(array.cast(target))
        assert pyarrow.array(arro3.compute.cast(other, arro3_target)).equals(array.cast(target))
        times = race([
            lambda: runecast.arrow.check(array),
            lambda: arro3.compute.cast(other, arro3_target),
            lambda: array.cast(target),
        ])
        row(f"{kind}, {name}", times)

print("\n| polars, one thread, ms for 10^6 | plugin | `map_batches` | `cast` | ÷ `map_batches` | ÷ `cast` |")
print("|---|--:|--:|--:|--:|--:|")
for name, text in TEXTS.items():
    lazy = polars.DataFrame({"raw": polars.Series(values(text), dtype=polars.Binary)}).lazy()
    raw = polars.col("raw")
    by_python = raw.map_batches(runecast.arrow.repair, return_dtype=polars.String, is_elementwise=True)
    plans = [lazy.select(raw.runecast.repair()), lazy.select(by_python), lazy.select(raw.cast(polars.String))]
    times = race([lambda plan=plan: plan.collect(engine="streaming") for plan in plans])
    row(f"repair, {name}", times)
