// The package as it is published, in bundlers, in runtimes, and under TypeScript.
//
// The package is packed by npm, and unpacked as an installed one into a folder of its own. Each bundler builds the same program
// from it, which is then run in Chromium. Needs crates/wasm/build.sh, and what package.json beside this file names; what is not
// installed is skipped, and so is the browser: then what was built is only looked at.
//
//     (cd crates/wasm/test/bundlers && npm install --no-package-lock) && node --test crates/wasm/test/bundlers

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const pkg = fileURLToPath(new URL(`${process.env.RUNECAST_PKG ?? "../../../../web/pkg"}/`, import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
const web = fileURLToPath(new URL("../../../../web/", import.meta.url));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** A tool, or undefined: from beside this file, or from a directory of NODE_PATH. */
async function tool(name) {
  try {
    const paths = [here, web, ...(process.env.NODE_PATH ?? "").split(":").filter(Boolean)];
    return await import(pathToFileURL(createRequire(import.meta.url).resolve(name, { paths })));
  } catch {
    return undefined;
  }
}

/** A program that an installed package brings, or undefined. */
function program(name) {
  const places = [here, ...(process.env.NODE_PATH ?? "").split(":").filter(Boolean).map((path) => join(path, ".."))];
  return places.map((place) => join(place, "node_modules/.bin", name)).find(existsSync);
}

const bytes = "Uint8Array.of(0x63, 0x61, 0x66, 0xE9, 0x20, 0xE6, 0xBC, 0xA2)";
/** What every host has to say about the same bytes. */
const USE = `
const bytes = ${bytes};
const [runecast, utf8] = await Promise.all([load(), loadUtf8()]);
const answer = [
  runecast.validate(bytes).at, runecast.decode(bytes, { errors: "whatwg" }), runecast.isUtf8(bytes), runecast.isa,
  utf8.validate(bytes).kind, new TextDecoder().decode(utf8.repair(bytes)),
];
`;
const ANSWER = [3, "caf\uFFFD 漢", false, "simd128", "truncated", "caf\uFFFD 漢"];
const IMPORTS = `import { load } from "runecast";\nimport { load as loadUtf8 } from "runecast/utf8";\n`;
const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>`;

let root, packed, browser;

before(async () => {
  root = await mkdtemp(join(tmpdir(), "runecast-bundlers-"));
  const [{ filename, files }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", root, pkg], { encoding: "utf8" }));
  packed = files.map(({ path }) => path);
  await mkdir(join(root, "node_modules/runecast"), { recursive: true });
  execFileSync("tar", ["xzf", join(root, filename), "-C", join(root, "node_modules/runecast"), "--strip-components=1"]);
  await writeFile(join(root, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(root, "main.js"), `${IMPORTS}${USE}globalThis.answer = answer;\n`);
  await writeFile(join(root, "print.mjs"), `${IMPORTS}${USE}console.log(JSON.stringify(answer));\n`);
  await writeFile(join(root, "index.html"), PAGE);
  const playwright = existsSync(executablePath) ? await tool("playwright-core") : undefined;
  const chromium = playwright?.chromium ?? playwright?.default.chromium;
  browser = await chromium?.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
});

after(async () => {
  await browser?.close();
  await rm(root, { recursive: true, force: true });
});

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves what was built, and runs it. */
async function run(directory, context) {
  const files = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith(".js"));
  for (const name of files) {
    assert.doesNotMatch(await readFile(join(directory, name), "utf8"), /["']node:/, `${name} names a module of node`);
  }
  if (browser === undefined) {
    context.diagnostic("built, and not run: there is no browser");
    return;
  }
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      const name = normalize(join(directory, path === "/" ? "index.html" : path));
      assert.ok(name.startsWith(directory));
      const body = await readFile(name);
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await ask(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
  }
}

/** Opens what is served, and compares its answer. */
async function ask(address) {
  const page = await browser.newPage();
  try {
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(String(error)));
    await page.goto(address);
    await page.waitForFunction(() => globalThis.answer !== undefined, null, { timeout: 10_000 })
      .catch(() => assert.fail(`no answer: ${wrong}`));
    assert.deepEqual(await page.evaluate(() => globalThis.answer), ANSWER);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

/** The modules beside a bundle, for bundlers that leave URLs as they are. */
async function copyModules(to) {
  for (const name of packed.filter((path) => path.endsWith(".wasm"))) {
    await copyFile(join(root, "node_modules/runecast", name), join(to, name));
  }
  await writeFile(join(to, "index.html"), PAGE);
}

test("the package has what packages have", async () => {
  for (const name of [
    "README.md", "LICENSE-APACHE", "LICENSE-MIT", "runecast.d.ts", "utf8.d.ts", "runecast.js", "node.js",
    "runecast.simd128.wasm", "runecast.scalar.wasm", "runecast.utf8.wasm",
  ]) {
    assert.ok(packed.includes(name), `${name} is missing`);
  }
  assert.ok(!packed.some((name) => /texts|page|test/.test(name)), `${packed}`);
  const { repository, keywords, license, exports } = JSON.parse(await readFile(join(pkg, "package.json"), "utf8"));
  assert.ok(repository.url && keywords.length > 3 && license);
  for (const conditions of [exports["."], exports["./utf8"]]) {
    for (const name of Object.values(conditions)) assert.ok(packed.includes(name.slice(2)), name);
  }
});

test("vite", async (context) => {
  const vite = await tool("vite");
  if (vite === undefined) return context.skip("vite is not installed");
  const dist = join(root, "vite");
  await vite.build({ root, logLevel: "error", build: { outDir: dist, target: "esnext", assetsInlineLimit: 0 } });
  await run(dist, context);
});

test("vite, its development server", async (context) => {
  const vite = await tool("vite");
  if (vite === undefined || browser === undefined) return context.skip("vite is not installed, or there is no browser");
  // As the README says.
  const server = await vite.createServer({
    root, logLevel: "error", cacheDir: join(root, "vite-cache"), optimizeDeps: { exclude: ["runecast"] },
    server: { host: "127.0.0.1", port: 0, ws: false, hmr: false, watch: null },
  });
  try {
    await server.listen();
    await ask(`http://127.0.0.1:${server.httpServer.address().port}/`);
  } finally {
    await server.close();
  }
});

test("webpack", async (context) => {
  const webpack = (await tool("webpack"))?.default;
  if (webpack === undefined) return context.skip("webpack is not installed");
  const dist = join(root, "webpack");
  const stats = await new Promise((resolve, reject) => {
    const compiler = webpack({
      mode: "production", context: root, entry: "./main.js", target: "web",
      output: { path: dist, filename: "main.js", publicPath: "auto" }, performance: { hints: false },
    });
    compiler.run((error, stats) => compiler.close(() => (error ? reject(error) : resolve(stats))));
  });
  assert.equal(stats.hasErrors(), false, stats.toString({ all: false, errors: true }));
  assert.equal(stats.hasWarnings(), false, stats.toString({ all: false, warnings: true }));
  await writeFile(join(dist, "index.html"), PAGE);
  await run(dist, context);
});

test("esbuild", async (context) => {
  const esbuild = await tool("esbuild");
  if (esbuild === undefined) return context.skip("esbuild is not installed");
  const dist = join(root, "esbuild");
  const { warnings } = await esbuild.build({
    absWorkingDir: root, entryPoints: ["main.js"], bundle: true, format: "esm", outdir: dist, logLevel: "silent",
  });
  assert.deepEqual(warnings, []);
  await copyModules(dist);
  await run(dist, context);
});

test("esbuild, with the module in the bundle", async (context) => {
  const esbuild = await tool("esbuild");
  if (esbuild === undefined) return context.skip("esbuild is not installed");
  const dist = join(root, "esbuild-inline");
  await writeFile(join(root, "inline.js"), `
    import { load } from "runecast";
    import bytes128 from "runecast/runecast.simd128.wasm";
    import { load as loadSmall } from "runecast/utf8";
    import bytes8 from "runecast/runecast.utf8.wasm";
    const loadUtf8 = () => loadSmall({ bytes: bytes8 });
    ${USE.replace("load()", "load({ bytes: bytes128 })")}globalThis.answer = answer;`);
  await esbuild.build({
    absWorkingDir: root, entryPoints: { main: "inline.js" }, bundle: true, format: "esm", outdir: dist, logLevel: "silent",
    loader: { ".wasm": "binary" },
  });
  await writeFile(join(dist, "index.html"), PAGE);
  await run(dist, context);
});

test("rollup", async (context) => {
  const rollup = await tool("rollup");
  if (rollup === undefined) return context.skip("rollup is not installed");
  const dist = join(root, "rollup");
  // What the usual plugin for packages does, for one package.
  const resolve = {
    name: "resolve",
    resolveId: (id) => ({ runecast: "runecast.js", "runecast/utf8": "utf8.js" })[id]
      && join(root, "node_modules/runecast", { runecast: "runecast.js", "runecast/utf8": "utf8.js" }[id]),
  };
  const warnings = [];
  const bundle = await rollup.rollup({
    input: join(root, "main.js"), plugins: [resolve], onwarn: ({ message }) => warnings.push(message),
  });
  await bundle.write({ dir: dist, format: "es" });
  await bundle.close();
  assert.deepEqual(warnings, []);
  await copyModules(dist);
  await run(dist, context);
});

for (const [name, ...options] of [["node"], ["deno", "run", "--allow-read", "--no-lock", "--quiet"], ["bun"]]) {
  test(name, (context) => {
    const path = name === "node" ? process.execPath : program(name);
    if (path === undefined) return context.skip(`${name} is not installed`);
    const env = { ...process.env, DENO_DIR: join(root, "deno"), DENO_NO_UPDATE_CHECK: "1" };
    const said = execFileSync(path, [...options, "print.mjs"], { cwd: root, encoding: "utf8", env });
    assert.deepEqual(JSON.parse(said), ANSWER);
  });
}

test("typescript", async (context) => {
  const tsc = program("tsc");
  if (tsc === undefined) return context.skip("typescript is not installed");
  await cp(join(here, "use.ts"), join(root, "use.ts"));
  await writeFile(join(root, "tsconfig.json"), JSON.stringify({
    compilerOptions: {
      strict: true, noEmit: true, target: "es2022", module: "nodenext", lib: ["es2023", "dom"], types: [],
      exactOptionalPropertyTypes: true, skipLibCheck: false,
    },
    files: ["use.ts"],
  }));
  try {
    execFileSync(tsc, ["-p", root], { encoding: "utf8" });
  } catch (error) {
    assert.fail(error.stdout);
  }
});
