"""CPython's own tests of codecs and strings, with this library in the place of CPython's codecs.

    python tests/cpython.py            all of them; what differs must be what `DIFFERENT` lists, each with its reason
    python tests/cpython.py -v NAME    the tests whose names contain NAME, with their tracebacks

The tests are those that the interpreter has installed (`test.test_codecs`, `test.test_codeccallbacks`, and `test.test_str`,
which was `test.test_unicode` before Python 3.13). They call methods of `bytes` and `str`, and these cannot be exchanged. So their
sources are read and rewritten before they are compiled: `data.decode(…)` becomes `_decode(data, …)`, `text.encode(…)` becomes
`_encode(text, …)`, and `str(data, …)` becomes `_str(data, …)`. These three call this library for each encoding that both
have, and what was there before for all others. `codecs.lookup` finds this library's codecs first, and so do
`codecs.getincrementaldecoder`, `codecs.open` and all that begin with it; functions such as `codecs.utf_8_decode` are
exchanged. Errors that the tests expect are so expected of this library.

The exit status is 77 where the interpreter has come without its tests.
"""

import ast
import codecs
import encodings
import functools
import importlib.util
import io
import sys
import time
import unittest

import runecast
from runecast import _core

_OTHER_WORDS = "the reason in the exception is one of this library, which says which byte breaks which rule"

#: Tests that fail, by their name: a part of the message of each failure, and why that is right.
DIFFERENT = {
    "test_invalid_cb_for_2bytes_seq": ("'invalid continuation byte' not found in", _OTHER_WORDS),
    "test_invalid_cb_for_3bytes_seq": ("'invalid continuation byte' not found in", _OTHER_WORDS),
    "test_invalid_cb_for_4bytes_seq": ("'invalid continuation byte' not found in", _OTHER_WORDS),
    "test_invalid_start_byte": ("'invalid start byte' not found in", _OTHER_WORDS),
    "test_unexpected_end_of_data": ("'unexpected end of data' not found in", _OTHER_WORDS),
    "test_encode_odd_bytes_replacement": ("!= 'surrogates not allowed'", _OTHER_WORDS),
    "test_str_invalid_call": ("must be a str, not", _OTHER_WORDS),
    "test_pickle": ("CodecInfo object", "codecs are made with `functools.partial`, of which no two are equal"),
    "test_deepcopy": ("CodecInfo object", "codecs are made with `functools.partial`, of which no two are equal"),
    "test_encode_nonascii_replacement": (
        "UnicodeEncodeError not raised",
        "a replacement that a handler returns is encoded, whatever characters it has; the UTF encoders of CPython take ASCII only",
    ),
}

#: The encodings of Python that this library has, by the names of Python's modules, and its names.
SHARED = {
    name: name.replace("_", "-")
    for name in ("utf_8", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_32_le", "utf_32_be", "utf_8_sig", "ascii")
} | {"latin_1": "latin-1", "iso8859_1": "latin-1"}

calls = 0


def shared(encoding):
    """This library's name of an encoding that both have."""
    if type(encoding) is not str or "\0" in encoding or not encoding.isascii():
        return None
    name = encodings.normalize_encoding(encoding).lower()
    return SHARED.get(encodings.aliases.aliases.get(name, name))


def _method(kinds, method, function):
    def call(data, *arguments, **named):
        global calls
        if isinstance(data, kinds):
            names = dict(zip(("encoding", "errors"), arguments, strict=False)) | named
            encoding = shared(names.pop("encoding", "utf-8"))
            if encoding and len(arguments) + len(named) < 3 and set(names) <= {"errors"}:
                calls += 1
                return function(data, encoding, **names)
        return getattr(data, method)(*arguments, **named)

    return call


_decode = _method((bytes, bytearray), "decode", runecast.decode)
_encode = _method(str, "encode", runecast.encode)


class _Str(type):
    """In the place of `str` where that is called with an encoding."""

    def __call__(cls, *arguments, **named):
        global calls
        data = arguments[0] if arguments else named.get("object", "")
        names = dict(zip(("encoding", "errors"), arguments[1:], strict=False)) | named
        if (len(arguments) > 1 or named) and names.keys() <= {"encoding", "errors"} and isinstance(data, (bytes, bytearray, memoryview)):
            encoding = shared(names.pop("encoding", "utf-8"))
            if encoding:
                calls += 1
                return runecast.decode(data, encoding, **names)
        return str(*arguments, **named)


class _str(metaclass=_Str):
    pass


class Rewriter(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        function = node.func
        by_name = {"decode": "_decode", "encode": "_encode"}
        if isinstance(function, ast.Attribute) and function.attr in by_name:
            if not (isinstance(function.value, ast.Name) and function.value.id == "codecs"):
                node.args.insert(0, function.value)
                node.func = ast.copy_location(ast.Name(by_name[function.attr], ast.Load()), function)
        elif isinstance(function, ast.Name) and function.id == "str" and len(node.args) + len(node.keywords) > 1:
            node.func = ast.copy_location(ast.Name("_str", ast.Load()), function)
        return node


def search(name):
    encoding = shared(name)
    if not encoding:
        return encodings.search_function(name)
    theirs = encodings.search_function(name)
    info = runecast.lookup(encoding, theirs.name)

    return codecs.CodecInfo(
        name=theirs.name,
        encode=info.encode,
        decode=info.decode,
        incrementalencoder=info.incrementalencoder,
        incrementaldecoder=info.incrementaldecoder,
        streamreader=info.streamreader,
        streamwriter=info.streamwriter,
    )


class Builtin:
    """A function that does not become a method where it is in a class."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments, **named):
        return self.function(*arguments, **named)


def functions():
    """`codecs.utf_8_decode` and the like."""

    def decoder(encoding):
        def decode(data, errors=None, final=False):
            global calls
            calls += 1
            return _core.decode_chunk(data, encoding, errors or "strict", bool(final))

        return decode

    def encoder(encoding):
        def encode(text, errors=None):
            global calls
            calls += 1
            return runecast.encode(text, encoding, errors), len(text)

        return encode

    for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "latin-1", "ascii"):
        name = encoding.replace("-", "_")
        setattr(codecs, name + "_encode", Builtin(encoder(encoding)))
        if encoding not in ("latin-1", "ascii"):
            setattr(codecs, name + "_decode", Builtin(decoder(encoding)))
        else:
            setattr(codecs, name + "_decode", Builtin(functools.partial(whole, encoding)))


def whole(encoding, data, errors=None):
    global calls
    calls += 1
    return _core.decode_chunk(data, encoding, errors or "strict", True)


def load(name):
    spec = importlib.util.find_spec("test." + name)
    if spec is None:
        return None
    with open(spec.origin, encoding="utf-8") as file:
        tree = ast.parse(file.read(), spec.origin)
    tree = ast.fix_missing_locations(Rewriter().visit(tree))
    module = importlib.util.module_from_spec(spec)
    sys.modules["test." + name] = module
    vars(module).update(_decode=_decode, _encode=_encode, _str=_str)
    exec(compile(tree, spec.origin, "exec"), vars(module))
    return module


class Result(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        self.begin = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        took = time.monotonic() - self.begin
        if took > 5:
            print(f"{took:.1f} s: {test.id()}")


def main():
    wanted = sys.argv[2:] if sys.argv[1:2] == ["-v"] else []
    names = ["test_codecs", "test_codeccallbacks", "test_str" if importlib.util.find_spec("test.test_str") else "test_unicode"]
    if not all(importlib.util.find_spec("test") and importlib.util.find_spec("test." + name) for name in names):
        print("skipped: this interpreter has come without its tests")
        sys.exit(77)
    sys.stdout.reconfigure(errors="backslashreplace")
    codecs.unregister(encodings.search_function)
    codecs.register(search)
    functions()
    failed, seen, there = 0, set(), set()
    for name in names:
        suite = unittest.TestSuite()
        for test in every(unittest.defaultTestLoader.loadTestsFromModule(load(name))):
            there.add(test.id().rpartition(".")[2])
            if not wanted or any(part in test.id() for part in wanted):
                suite.addTest(test)
        stream = sys.stdout if wanted else io.StringIO()
        result = unittest.TextTestRunner(stream=stream, resultclass=Result, verbosity=2 if wanted else 0).run(suite)
        other, differ = 0, set()
        # A test with parts is there once for each.
        for test, message in [*result.failures, *result.errors]:
            name_of = getattr(test, "test_case", test).id()
            key = name_of.rpartition(".")[2]
            if key in DIFFERENT and DIFFERENT[key][0] in message:
                differ.add(key)
            else:
                other += 1
                print(f"FAILED {name_of}: {ascii(message.strip().splitlines()[-1][:300])}")
        seen |= differ
        failed += other
        print(f"{name}: {result.testsRun} tests, {len(result.skipped)} skipped, {len(differ)} differ as listed, {other} failed")
    print(f"{calls} calls of this library")
    if not wanted:
        # These ask for less before Python 3.13.
        for key in (DIFFERENT.keys() & there) - seen - {"test_str_invalid_call", "test_pickle", "test_deepcopy"}:
            print(f"FAILED {key}: it is listed as different, and passes")
            failed += 1
    sys.exit(failed > 0 or (not wanted and calls < 10_000))


def every(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from every(test)
        else:
            yield test


if __name__ == "__main__":
    main()
