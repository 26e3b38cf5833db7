from typing import Any, Protocol, final

__all__ = [
    "Column",
    "RowError",
    "check",
    "count",
    "decode",
    "detect",
    "encode",
    "errors",
    "is_valid",
    "repair",
    "transcode",
]

class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _Chunked(Protocol):
    @property
    def chunks(self) -> Any: ...

@final
class Column:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

class RowError(ValueError):
    row: int
    offset: int | None
    kind: str | None

# What comes back is a pyarrow.Array, a pyarrow.ChunkedArray of one, or a Column where there is no pyarrow.

def check(array: _Array | _Chunked) -> Any: ...
def is_valid(array: _Array | _Chunked) -> Any: ...
def errors(array: _Array | _Chunked) -> Any: ...
def repair(array: _Array | _Chunked, errors: str = "whatwg") -> Any: ...
def decode(array: _Array | _Chunked, encoding: str = "utf-8", errors: str = "strict") -> Any: ...
def encode(array: _Array | _Chunked, encoding: str = "utf-8", errors: str = "strict") -> Any: ...
def transcode(array: _Array | _Chunked, source: str, target: str, errors: str = "strict") -> Any: ...
def count(array: _Array | _Chunked) -> Any: ...
def detect(array: _Array | _Chunked) -> Any: ...
