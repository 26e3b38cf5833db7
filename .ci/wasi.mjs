// Runs a WASI program in node: `node --no-warnings .ci/wasi.mjs PROGRAM ARGUMENT…`.
//
// Cargo calls it as the runner of wasm32-wasip1. The program sees this process's arguments and
// environment and the current directory; its exit code becomes ours. There are no threads, so the
// two functions of a thread library that Rust's std names, and a C library built without threads
// lacks, answer "not supported". Whatever else were missing would fail here, by its name.
import { readFile } from 'node:fs/promises';
import { argv, env, exit } from 'node:process';
import { WASI } from 'node:wasi';

const args = argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env, preopens: { '.': '.' }, returnOnExit: true });
const notSupported = () => 58;
const threads = { pthread_join: notSupported, pthread_detach: notSupported };
// For tests/instructions: there is no meter here.
const meter = { runecast_instructions: () => -1n };
const module = await WebAssembly.compile(await readFile(args[0]));
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), env: { ...threads, ...meter } });
// At once: node 20 has crashed while it took apart a program that had ended well.
exit(wasi.start(instance));
