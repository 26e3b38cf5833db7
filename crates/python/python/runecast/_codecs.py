"""The library's encodings for Python's `codecs`, and its behaviours as error handlers.

A decoder of chunks is Python's own `BufferedIncrementalDecoder`, which keeps the bytes that wait; how many these are,
`decode_chunk` says. So a decoder has no state but these bytes and, where a byte order mark tells, the order.
"""

import codecs
import functools
import sys

from . import _core

#: Bytes of the byte order mark that tells the order, of the encodings where one does.
_PLAIN = {"utf-16": 2, "utf-32": 4, "wtf-16": 2}

#: The mark that a text in `utf-8-sig` may begin with.
_SIGNATURE = codecs.BOM_UTF8

#: The order as a decoder's state has it; 0 is not known yet.
_ORDERS = ("", "-le", "-be")

#: The encodings that are written after a byte order mark.
_MARKED = frozenset([*_PLAIN, "utf-8-sig"])

#: The encodings that Python lacks.
_LACKING = frozenset(
    name for name in _core.encodings() if name.startswith(("wtf-", "cesu-", "mutf-", "wobbly-", "generalized-", "corrected-"))
)

_PREFIX = "runecast_"


class IncrementalDecoder(codecs.BufferedIncrementalDecoder):
    """Decodes a text that comes in chunks, cut anywhere."""

    def __init__(self, encoding="utf-8", errors="strict"):
        super().__init__(errors)
        self.encoding = _core.canonical(encoding)
        self._mark = _PLAIN.get(self.encoding, 0)
        self._order = 0

    def _buffer_decode(self, input, errors, final):
        if self._mark:
            return self._decode_marked(input, errors, final)
        if self.encoding == "utf-8-sig":
            return self._decode_signed(input, errors, final)
        return _core.decode_chunk(input, self.encoding, errors, final)

    def _decode_marked(self, input, errors, final):
        begin, order = 0, self._order
        if not order:
            # Nothing at all tells nothing, though it be the end.
            if len(input) < self._mark and not (final and input):
                return "", 0
            scheme, begin = _core.recognize(self.encoding, bytes(input[: self._mark]))
            if not begin and len(input) >= self._mark and self.encoding != "wtf-16":
                # As Python's decoders of chunks have it, other than `bytes.decode`.
                error = _core.DecodeError(self.encoding, bytes(input), 0, self._mark, "Stream does not start with BOM")
                error.kind = "no byte order mark"
                raise error
            order = _ORDERS.index(scheme[-3:])
        text, read = _core.decode_chunk(input, self.encoding + _ORDERS[order], errors, final, begin)
        # What raises leaves all as it was: `codecs.StreamReader` decodes what is before the error again, and there is the mark.
        self._order = order
        return text, read

    def _decode_signed(self, input, errors, final):
        begin = 0
        if not self._order:
            head = bytes(input[:3])
            if not (final and head) and len(head) < 3 and _SIGNATURE.startswith(head):
                return "", 0
            begin = 3 if head == _SIGNATURE else 0
        text, read = _core.decode_chunk(input, "utf-8", errors, final, begin)
        self._order = 1
        return text, read

    def reset(self):
        super().reset()
        self._order = 0

    def getstate(self):
        return (self.buffer, self._order)

    def setstate(self, state):
        self.buffer, self._order = state


class IncrementalEncoder(codecs.IncrementalEncoder):
    """Encodes a text that comes in chunks.

    In WTF-8 a high surrogate at the end of a chunk waits, for with a low one it is a character.
    """

    #: Whether one waits.
    _joins = True

    def __init__(self, encoding="utf-8", errors="strict"):
        super().__init__(errors)
        self.encoding = _core.canonical(encoding)
        self.reset()

    def encode(self, input, final=False):
        held, encoding = 0, self.encoding
        if self._held:
            input = chr(self._held) + input
        if self._joins and encoding == "wtf-8" and not final and "\ud800" <= input[-1:] <= "\udbff":
            held = ord(input[-1])
            input = input[:-1]
        if encoding in _MARKED:
            if not self._marked and not input and not final:
                return b""
            if self._marked:
                encoding = _target(encoding)
        data = _core.encode(input, encoding, self.errors)
        # What raises writes nothing, and so no mark either.
        self._held, self._marked = held, True
        return data

    def reset(self):
        self._held = 0
        # 0 as a state must mean that the mark is written: `io.TextIOWrapper` sets it to append to a file.
        self._marked = self.encoding not in _MARKED

    def getstate(self):
        return self._held << 1 | (not self._marked)

    def setstate(self, state):
        self._held, unmarked = state >> 1, state & 1
        self._marked = not unmarked


class _FileEncoder(IncrementalEncoder):
    """What `codecs` gives to whoever asks it. Nothing waits: `io.TextIOWrapper`, and so `open`, never says that a text is at its
    end, and what waits would be lost."""

    _joins = False


class StreamReader(codecs.StreamReader):
    """Reads text from a stream of bytes."""

    def __init__(self, stream, errors="strict", encoding="utf-8"):
        self._decoder = IncrementalDecoder(encoding, errors)
        super().__init__(stream, errors)

    def decode(self, input, errors="strict"):
        return self._decoder._buffer_decode(input, errors, False)

    def reset(self):
        super().reset()
        self._decoder.reset()


class StreamWriter(codecs.StreamWriter):
    """Writes text to a stream of bytes. Each piece is encoded by itself, and nothing waits."""

    def __init__(self, stream, errors="strict", encoding="utf-8"):
        self._encoder = IncrementalEncoder(encoding, errors)
        super().__init__(stream, errors)

    def encode(self, input, errors="strict"):
        self._encoder.errors = errors
        return self._encoder.encode(input, True), len(input)

    def reset(self):
        super().reset()
        self._encoder.reset()


def _decode_all(encoding, data, errors="strict"):
    return _core.decode(data, encoding, errors), len(data)


def _encode_all(encoding, text, errors="strict"):
    return _core.encode(text, encoding, errors), len(text)


def lookup(encoding, name=None):
    """The `codecs.CodecInfo` of an encoding, registered or not."""
    encoding = _core.canonical(encoding)
    return codecs.CodecInfo(
        name=name or encoding,
        encode=functools.partial(_encode_all, encoding),
        decode=functools.partial(_decode_all, encoding),
        incrementalencoder=functools.partial(_FileEncoder, encoding),
        incrementaldecoder=functools.partial(IncrementalDecoder, encoding),
        streamreader=functools.partial(StreamReader, encoding=encoding),
        streamwriter=functools.partial(StreamWriter, encoding=encoding),
    )


def _search(name):
    """What `codecs` asks: the encodings that Python lacks, and any with the prefix runecast."""
    own = name.startswith(_PREFIX)
    encoding = _core.known(name[len(_PREFIX) :] if own else name)
    if encoding is None:
        return None
    if own:
        return lookup(encoding, "runecast-" + encoding)
    return lookup(encoding) if encoding in _LACKING else None


def _target(encoding):
    """The encoding in an exception, without a byte order mark: CPython calls that of the machine utf-16."""
    encoding = _core.canonical(encoding)
    if encoding == "utf-8-sig":
        return "utf-8"
    return encoding + _ORDERS[1 if sys.byteorder == "little" else 2] if encoding in _PLAIN else encoding


def _handle(behaviour, error):
    if isinstance(error, UnicodeDecodeError):
        try:
            encoding = _target(error.encoding)
        except LookupError:
            return "\ufffd", error.end
        if encoding == "utf-8":
            return _core.repair_run(error.object, error.start, behaviour)
        return _core.decode(error.object[error.start : error.end], encoding, behaviour), error.end
    if isinstance(error, UnicodeEncodeError):
        text = error.object[error.start : error.end]
        try:
            return _core.encode(text, _target(error.encoding), behaviour), error.end
        except LookupError:
            return "?" * len(text), error.end
    raise error


_registered = False


def register():
    """Makes the encodings that Python lacks known to `codecs`, and so to `bytes.decode`, `str.encode` and `open`; all
    others under their names with the prefix `runecast-`; and the behaviours as error handlers, `runecast.whatwg` and so on.
    They are also `whatwg` and so on, unless a handler of that name is there already: `open(path, errors="whatwg")` asks `codecs`
    for it at once in Python's development mode, whatever the encoding.

    Once is enough; more do no harm. For the whole process, so that it is up to the program and not to a library.
    """
    global _registered
    if _registered:
        return
    for behaviour in _core.behaviours():
        handler = functools.partial(_handle, behaviour)
        codecs.register_error("runecast." + behaviour, handler)
        try:
            codecs.lookup_error(behaviour)
        except LookupError:
            codecs.register_error(behaviour, handler)
    codecs.register(_search)
    _registered = True


def unregister():
    """Takes the encodings out of `codecs` again. The error handlers stay: Python forgets none."""
    global _registered
    if _registered:
        codecs.unregister(_search)
        _registered = False
