"""Unicode text at the speed of memory: is it well-formed, and if not, where and why? And what is it in another encoding?

>>> import runecast
>>> runecast.decode(b"caf\\xc3\\xa9")
'café'
>>> runecast.decode(b"caf\\xe9 noir", errors="whatwg")
'caf\ufffd noir'
>>> print(runecast.validate(b"caf\\xe9 noir"))
ill-formed at byte 3: E9 begins a character of 3 bytes, but 20 follows, which is no continuation byte
>>> runecast.transcode("rūna".encode(), "utf-8", "utf-16-le")
b'r\\x00k\\x01n\\x00a\\x00'

Importing changes nothing elsewhere. `register()` makes the encodings that Python lacks known to `codecs`, and the error
handlers.
"""

import json as _json

from ._codecs import (
    IncrementalDecoder,
    IncrementalEncoder,
    StreamReader,
    StreamWriter,
    lookup,
    register,
    unregister,
)
from ._core import (
    DecodeError,
    Detection,
    EncodeError,
    IllFormed,
    __version__,
    behaviours as _behaviours,
    count,
    decode,
    detect,
    encode,
    encodings as _encodings,
    explain_json as _explain_json,
    is_valid,
    repair,
    transcode,
    validate,
    well_formed,
)

#: The names of all encodings; each has more, such as `utf8`.
ENCODINGS = tuple(_encodings())

#: The names for `errors` that are the library's own. (Those of `codecs` are taken too.)
BEHAVIOURS = tuple(_behaviours())


def explain(data, stretches=16):
    """Why bytes are not UTF-8, byte by byte, and what other software makes of them.

    A list of stretches, each around one error or several that are close to one another, as dictionaries: those that
    `runecast explain --format json` prints. Of a well-formed text there is one, its beginning.
    """
    return _json.loads(_explain_json(data, stretches))


__all__ = [
    "BEHAVIOURS",
    "DecodeError",
    "Detection",
    "ENCODINGS",
    "EncodeError",
    "IllFormed",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "StreamReader",
    "StreamWriter",
    "count",
    "decode",
    "detect",
    "encode",
    "explain",
    "is_valid",
    "lookup",
    "register",
    "repair",
    "transcode",
    "unregister",
    "validate",
    "well_formed",
]
