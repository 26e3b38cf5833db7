"""Runs a WASI program and counts its instructions: `.ci/wasi-meter.py PROGRAM ARGUMENT…`.

What .ci/wasi.mjs is for the other tests, with wasmtime (from PyPI) in the place of node: it can be told to count. It calls
that fuel; nearly every instruction of WebAssembly takes one unit, and those that are only brackets for others (`block`,
`loop`, `end`) none. The program learns how much it has used from the import that tests/instructions/meter.rs declares.
"""

import os
import sys

from wasmtime import Config, Engine, ExitTrap, FuncType, Linker, Module, Store, ValType, WasiConfig

FUEL = 2**62

config = Config()
config.consume_fuel = True
engine = Engine(config)
store = Store(engine)
store.set_fuel(FUEL)

wasi = WasiConfig()
wasi.argv = sys.argv[1:]
wasi.env = list(os.environ.items())
wasi.inherit_stdout()
wasi.inherit_stderr()
wasi.preopen_dir(".", ".")
store.set_wasi(wasi)

linker = Linker(engine)
linker.define_wasi()
linker.define_func("env", "runecast_instructions", FuncType([], [ValType.i64()]), lambda: FUEL - store.get_fuel())
# The two functions of a thread library, of which there is none.
for name in ("pthread_join", "pthread_detach"):
    arguments = [ValType.i32()] * (2 if name == "pthread_join" else 1)
    linker.define_func("env", name, FuncType(arguments, [ValType.i32()]), lambda *_: 58)

instance = linker.instantiate(store, Module.from_file(engine, sys.argv[1]))
try:
    instance.exports(store)["_start"](store)
except ExitTrap as exit:
    sys.exit(exit.code)
