# The compiled half. What is not in `runecast` or `runecast.arrow` is for these two, and may change.

from typing import Any

from typing_extensions import Buffer

from . import DecodeError as DecodeError
from . import Detection as Detection
from . import EncodeError as EncodeError
from . import IllFormed as IllFormed
from . import count as count
from . import decode as decode
from . import detect as detect
from . import encode as encode
from . import is_valid as is_valid
from . import repair as repair
from . import transcode as transcode
from . import validate as validate
from . import well_formed as well_formed
from .arrow import ChunkedColumn as ChunkedColumn
from .arrow import Column as Column
from .arrow import RowError as RowError

__version__: str
__all__ = [
    "ChunkedColumn",
    "Column",
    "DecodeError",
    "Detection",
    "EncodeError",
    "IllFormed",
    "RowError",
    "__version__",
    "arrow_char_count",
    "arrow_check",
    "arrow_decode",
    "arrow_detect",
    "arrow_errors",
    "arrow_import",
    "arrow_is_valid",
    "arrow_transcode",
    "behaviours",
    "canonical",
    "count",
    "decode",
    "decode_chunk",
    "detect",
    "detection",
    "encode",
    "encodings",
    "explain_json",
    "ill_formed",
    "is_valid",
    "known",
    "recognize",
    "repair",
    "repair_run",
    "transcode",
    "use_layout",
    "validate",
    "well_formed",
]

def decode_chunk(data: Buffer, encoding: str, errors: str, last: bool, begin: int = 0) -> tuple[str, int]: ...
def repair_run(data: bytes, start: int, behaviour: str) -> tuple[str, int]: ...
def explain_json(data: Buffer, stretches: int) -> str: ...
def use_layout(wanted: bool | None = None) -> bool: ...
def canonical(encoding: str) -> str: ...
def recognize(encoding: str, head: bytes) -> tuple[str, int]: ...
def behaviours() -> list[str]: ...
def encodings() -> list[str]: ...
def arrow_check(array: Any) -> Column | ChunkedColumn: ...
def arrow_is_valid(array: Any) -> Column | ChunkedColumn: ...
def arrow_errors(array: Any) -> Column | ChunkedColumn: ...
def arrow_decode(array: Any, encoding: str, errors: str | None) -> Column | ChunkedColumn: ...
def arrow_transcode(array: Any, source: str | None, target: str, errors: str | None) -> Column | ChunkedColumn: ...
def arrow_char_count(array: Any) -> Column | ChunkedColumn: ...
def arrow_detect(array: Any) -> Column | ChunkedColumn: ...
def arrow_import(array: Any) -> Column | ChunkedColumn: ...
def known(encoding: str) -> str | None: ...
def ill_formed(encoding: str, bytes: bytes, offset: int, length: int) -> IllFormed: ...
def detection(content: str, confidence: int, evidence: str, scheme: str | None, numbers: list[int]) -> Detection: ...
