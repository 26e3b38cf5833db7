"""How fast, beside `bytes.decode`, `str.encode` and `codecs`: in one run, interleaved, the minimum of many rounds.

    python bench.py [DIRECTORY]

The texts are generated, or read from the files `*.utf8.txt` of a directory. Calls are made as a program makes them, with a
local name for the function and for the data. What an empty loop takes is subtracted.
"""

import codecs
import pathlib
import sys
import time

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
    """So many bytes of UTF-8, or a few less."""
    data = (text * (size // len(text.encode()) + 1)).encode()[:size]
    return data.decode("utf-8", "ignore")


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


def row(label, size, *contestants):
    nothing, *times = compare(empty, *contestants, size=size)
    times = [spent - nothing for spent in times]
    shown = [f"{spent:.0f}" if spent < 100_000 else f"{spent / 1000:.0f}k" for spent in times]
    print(f"| {label} | {size} | {' | '.join(shown)} | {times[0] / times[1]:.2f} |", flush=True)
    return times


def main():
    scripts = SCRIPTS
    if len(sys.argv) > 1:
        files = sorted(pathlib.Path(sys.argv[1]).glob("*.utf8.txt"))
        scripts = {file.name.removesuffix(".utf8.txt"): file.read_text(encoding="utf-8", errors="ignore") for file in files}
    decode, encode = runecast.decode, runecast.encode
    print(f"Python {sys.version.split()[0]}, strings in place: {_core.use_layout()}\n")
    print("| UTF-8 to str | bytes | bytes.decode | runecast.decode | runecast.decode(…, 'utf-8') | times as fast |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, text in scripts.items():
        for size in (3, 15, 100, 1000, 65_536):
            data = cut(text, size).encode()
            row(
                name,
                len(data),
                lambda n: method(data, "decode", (), n),
                lambda n: loop(decode, (data,), n),
                lambda n: loop(decode, (data, "utf-8"), n),
            )
    print("\n| str to UTF-8 | bytes | str.encode | runecast.encode | times as fast |")
    print("|---|--:|--:|--:|--:|")
    for name, text in scripts.items():
        for size in (3, 15, 100, 1000, 65_536):
            part = cut(text, size)
            row(name, len(part.encode()), lambda n: method(part, "encode", (), n), lambda n: loop(encode, (part,), n))
    print("\n| other | bytes | codecs | runecast | times as fast |")
    print("|---|--:|--:|--:|--:|")
    for name in list(scripts)[:: max(1, len(scripts) // 4)]:
        text = cut(scripts[name], 65_536)
        for encoding in ("utf-16-le", "utf-32-le"):
            data = text.encode(encoding)
            row(
                f"{name}, {encoding} to str",
                len(data),
                lambda n: loop(codecs.decode, (data, encoding), n),
                lambda n: loop(decode, (data, encoding), n),
            )
            row(
                f"{name}, str to {encoding}",
                len(data),
                lambda n: loop(codecs.encode, (text, encoding), n),
                lambda n: loop(encode, (text, encoding), n),
            )
        data = text.encode()
        broken = b"\xff".join(data[at : at + 500] for at in range(0, len(data), 500))
        row(
            f"{name}, broken every 500 bytes, replace",
            len(broken),
            lambda n: method(broken, "decode", ("utf-8", "replace"), n),
            lambda n: loop(decode, (broken, "utf-8", "replace"), n),
        )
        chunks = [data[at : at + 4096] for at in range(0, len(data), 4096)]

        def stream(make):
            def run(number):
                begin = time.perf_counter_ns()
                for _ in range(number):
                    decoder = make()
                    for chunk in chunks:
                        decoder.decode(chunk)
                    decoder.decode(b"", True)
                return (time.perf_counter_ns() - begin) / number

            return run

        row(f"{name}, in chunks of 4096", len(data), stream(codecs.getincrementaldecoder("utf-8")), stream(runecast.IncrementalDecoder))


if __name__ == "__main__":
    main()
