"""How fast, beside `bytes.decode`, `str.encode` and `codecs`: in one run, interleaved, the minimum of many rounds.

    python bench.py [DIRECTORY]

The texts are generated, or read from the files `*.txt` of a directory. Calls are made as a program makes them, with a
local name for the function and for the data. What an empty loop takes is subtracted.
"""

import codecs
import pathlib
import sys
import time
from functools import partial

import runecast
from runecast import _core

ROUNDS = 25

SCRIPTS = {
    "ASCII": "plain old words, and some more of them ",
    "French": "l\u2019\xe9t\xe9 o\xf9 la for\xeat gla\xe7ait nos c\u0153urs ",
    "German": "gr\xfc\xdfe aus der k\xfcche \xfcber die stra\xdfe ",
    "Russian": "\u0431\u044b\u043b\u043e \u0434\u0435\u043b\u043e \u0432 \u0433\u043e\u0440\u043e\u0434\u0435 \u043d\u043e\u0447\u044c\u044e, ",
    "Greek": "\u03ba\u03b1\u03bb\u03b7\u03bc\u03ad\u03c1\u03b1 \u03c3\u03b5 \u03cc\u03bb\u03bf\u03c5\u03c2 \u03c3\u03b1\u03c2, ",
    "Arabic": "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645 ",
    "Hindi": "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e ",
    "Chinese": "\u5929\u5730\u7384\u9ec4\u5b87\u5b99\u6d2a\u8352\u3002",
    "Japanese": "\u3044\u308d\u306f\u306b\u307b\u3078\u3068\u6f22\u5b57\u3082\u3001",
    "Korean": "\ub3d9\ud574\ubb3c\uacfc \ubc31\ub450\uc0b0\uc774 ",
    "emoji": "\U0001faa8\U0001f600\U0001f680 ",
    "English with emoji": "words with a smile \U0001f600 now and then ",
}


def cut(text, size):
    """So many bytes of UTF-8, or a few less; at least a character, unless the size is 0."""
    data = (text * (size // len(text.encode()) + 1)).encode()[:size]
    return data.decode("utf-8", "ignore") or text[: min(size, 1)]


def loop(function, arguments, number):
    """The time of so many calls in ns each."""
    calls = range(number)
    clock = time.perf_counter_ns
    match arguments:
        case (a,):
            begin = clock()
            for _ in calls:
                function(a)
        case (a, b):
            begin = clock()
            for _ in calls:
                function(a, b)
        case (a, b, c):
            begin = clock()
            for _ in calls:
                function(a, b, c)
    return (clock() - begin) / number


def method(call, name, arguments, number):
    """The same for a method, looked up as programs do."""
    calls = range(number)
    clock = time.perf_counter_ns
    if name == "decode":
        match arguments:
            case ():
                begin = clock()
                for _ in calls:
                    call.decode()
            case (a,):
                begin = clock()
                for _ in calls:
                    call.decode(a)
            case (a, b):
                begin = clock()
                for _ in calls:
                    call.decode(a, b)
    else:
        match arguments:
            case ():
                begin = clock()
                for _ in calls:
                    call.encode()
            case (a,):
                begin = clock()
                for _ in calls:
                    call.encode(a)
            case (a, b):
                begin = clock()
                for _ in calls:
                    call.encode(a, b)
    return (clock() - begin) / number


def compare(*contestants, size):
    """The least times of functions that make loops, in turns."""
    number = max(1, min(2000, 2_000_000 // (size + 100)))
    best = [float("inf")] * len(contestants)
    for _ in range(ROUNDS):
        for index, contestant in enumerate(contestants):
            best[index] = min(best[index], contestant(number))
    return best


def empty(number):
    calls = range(number)
    begin = time.perf_counter_ns()
    for _ in calls:
        pass
    return (time.perf_counter_ns() - begin) / number


def shown(theirs, ours):
    """Both times, in ns, from 10 µs on in µs, and from 1 ms on in ms."""
    if max(theirs, ours) < 10_000:
        return f"{theirs:.0f} → {ours:.0f}"
    if max(theirs, ours) < 1_000_000:
        return f"{theirs / 1000:.1f} → {ours / 1000:.1f} µs"
    return f"{theirs / 1_000_000:.2f} → {ours / 1_000_000:.2f} ms"


def named(size):
    """A size at the head of a column."""
    if size < 10_000:
        return str(size)
    return f"{size // 1024} KiB" if size % 1024 == 0 else f"{size // 1_000_000} MB"


SIZES = (0, 1, 15, 50, 100, 1000, 65_536, 1_000_000, 10_000_000)


def cell(theirs, ours, size):
    nothing, theirs, ours = compare(empty, theirs, ours, size=size)
    return shown(theirs - nothing, ours - nothing)


def decoding(text, size):
    data = cut(text, size).encode()
    return cell(lambda n: method(data, "decode", (), n), lambda n: loop(runecast.decode, (data,), n), size)


def encoding(text, size):
    part = cut(text, size)
    return cell(lambda n: method(part, "encode", (), n), lambda n: loop(runecast.encode, (part,), n), size)


def from_utf16(text, size):
    data = cut(text, size).encode("utf-16-le")
    name = "utf-16-le"
    return cell(lambda n: method(data, "decode", (name,), n), lambda n: loop(runecast.decode, (data, name), n), size)


def to_utf16(text, size):
    part = cut(text, size)
    name = "utf-16-le"
    return cell(lambda n: method(part, "encode", (name,), n), lambda n: loop(runecast.encode, (part, name), n), size)


def broken(text, size):
    data = cut(text, size).encode()
    data = b"\xff".join(data[at : at + 500] for at in range(0, len(data), 500)) + b"\xff"
    names = ("utf-8", "replace")
    return cell(lambda n: method(data, "decode", names, n), lambda n: loop(runecast.decode, (data, *names), n), size)


def chunks(text, size):
    data = cut(text, size).encode()
    pieces = [data[at : at + 4096] for at in range(0, len(data), 4096)]

    def stream(make):
        def run(number):
            begin = time.perf_counter_ns()
            for _ in range(number):
                decoder = make()
                for piece in pieces:
                    decoder.decode(piece)
                decoder.decode(b"", True)
            return (time.perf_counter_ns() - begin) / number

        return run

    return cell(stream(codecs.getincrementaldecoder("utf-8")), stream(runecast.IncrementalDecoder), size)


def main():
    scripts = SCRIPTS
    if len(sys.argv) > 1:
        files = sorted(pathlib.Path(sys.argv[1]).glob("*.txt"))
        scripts = {file.stem: file.read_text(encoding="utf-8") for file in files}
    print(f"Python {sys.version.split()[0]}, strings in place: {_core.use_layout()}")
    tables = [
        ("bytes.decode() → runecast.decode", decoding, SIZES),
        ("str.encode() → runecast.encode", encoding, SIZES),
    ]
    for title, contest, sizes in tables:
        heads = [named(size) for size in sizes]
        print(f"\n| {title} | {' | '.join(heads)} |\n|---|{'--:|' * len(sizes)}")
        for name, text in scripts.items():
            print(f"| {name} | {' | '.join(contest(text, size) for size in sizes)} |", flush=True)
    others = [
        ("from UTF-16LE", from_utf16),
        ("to UTF-16LE", to_utf16),
        ("broken every 500 bytes, `replace`", broken),
        ("in chunks of 4096", chunks),
    ]
    print(f"\n| 64 KiB | {' | '.join(title for title, _ in others)} |\n|---|{'--:|' * len(others)}")
    for name, text in scripts.items():
        print(f"| {name} | {' | '.join(contest(text, 65_536) for _, contest in others)} |", flush=True)
    errors(scripts)
    short()
    columns(scripts)


def errors(scripts):
    """64 KiB with one thing that is ill-formed or has no form, or one behind every 40 characters, by Python's own handlers."""
    print("\n| 64 KiB of UTF-8 | decode, 1 error | every 40 | encode, 1 error | every 40 |\n|---|--:|--:|--:|--:|")
    for handler in ("replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"):
        for name in ("ASCII", "Russian"):
            text = cut(scripts.get(name, SCRIPTS[name]), 65_536)
            cells = []
            for method_of, bad in (("decode", b"\xed\xa0\x80" if handler == "surrogatepass" else b"\xff"), ("encode", "\udcff")):
                for every in (len(text) // 2 + 1, 40):
                    pieces = [text[at : at + every] for at in range(0, len(text), every)]
                    data = bad.join(piece.encode() for piece in pieces) if method_of == "decode" else bad.join(pieces)
                    ours = runecast.decode if method_of == "decode" else runecast.encode
                    arguments = ("utf-8", handler)
                    cells.append(cell(partial(method, data, method_of, arguments), partial(loop, ours, (data, *arguments)), 65_536))
            print(f"| `{handler}`, {name} | {' | '.join(cells)} |", flush=True)


def short():
    """Short texts in encodings of one byte a character, in bytes and in buffers that others may write to."""
    sizes = (1, 16, 64)
    print(f"\n| short texts | {' | '.join(str(size) for size in sizes)} |\n|---|{'--:|' * len(sizes)}")
    for encoding, text in (("latin-1", SCRIPTS["German"]), ("ascii", SCRIPTS["ASCII"]), ("utf-8", SCRIPTS["German"])):
        for kind in (bytes, bytearray, memoryview):
            cells = []
            for size in sizes:
                data = kind((text * 3)[:size].encode(encoding))
                # A memoryview has no such method.
                theirs = partial(loop, str, (data, encoding)) if kind is memoryview else partial(method, data, "decode", (encoding,))
                cells.append(cell(theirs, partial(loop, runecast.decode, (data, encoding)), size))
            print(f"| `{kind.__name__}` from {encoding} | {' | '.join(cells)} |", flush=True)


def columns(scripts):
    """A million short values, beside pyarrow's own cast, which checks UTF-8 as well. Times are of the whole array."""
    try:
        import pyarrow

        import runecast.arrow
    except ImportError:
        print("\nno pyarrow: columns are left out")
        return
    print("\n| binary to text, 10^6 values | bytes each | pyarrow's `cast`, ms | `runecast.arrow.check`, ms |\n|---|--:|--:|--:|")
    for name, text in list(scripts.items())[::3]:
        value = cut(text, 24).encode()
        array = pyarrow.array([value] * 1_000_000)
        best = [float("inf")] * 2
        for _ in range(11):
            for index, work in enumerate((lambda: array.cast(pyarrow.string()), lambda: runecast.arrow.check(array))):
                begin = time.perf_counter_ns()
                work()
                best[index] = min(best[index], (time.perf_counter_ns() - begin) / 1e6)
        print(f"| {name} | {len(value)} | {best[0]:.1f} | {best[1]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
