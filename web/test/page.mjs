// The page in a browser without a window: node web/test/page.mjs [SCREENSHOTS]
//
// Needs what crates/wasm/build.sh makes, Chromium (its path in CHROMIUM, /usr/bin/chromium unless said), and the package
// playwright-core, which brings no browser. Exit status 77 if one of these is not there. With a directory it leaves
// pictures there, for people to look at.

import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const pictures = process.argv[2];

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

if (!existsSync(join(root, "pkg/runecast.simd128.wasm"))) skip("web/pkg is not built (crates/wasm/build.sh)");
if (!existsSync(executablePath)) skip(`there is no Chromium at ${executablePath}`);
let chromium;
try {
  // From beside this file, or from NODE_PATH.
  const found = createRequire(import.meta.url).resolve("playwright-core", {
    paths: [root, ...(process.env.NODE_PATH ?? "").split(":").filter(Boolean)],
  });
  const playwright = await import(pathToFileURL(found));
  chromium = playwright.chromium ?? playwright.default.chromium;
} catch {
  skip("playwright-core is not installed");
}

const TYPES = {
  ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

const asked = [];
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  asked.push(path);
  try {
    const name = normalize(join(root, path.endsWith("/") ? `${path}index.html` : path));
    if (!name.startsWith(root)) throw new Error("outside");
    const body = await readFile(name);
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
if (pictures) await mkdir(pictures, { recursive: true });

/** A page of some size; whatever it complains about fails the test. */
async function open({ width = 1400, height = 900, colorScheme = "light", hash = "" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.complaints.push(message.text());
  });
  await page.goto(address + hash);
  await page.waitForSelector("#verdict.fine, #verdict.wrong");
  return page;
}

const verdict = (page) => page.locator("#verdict").innerText();
const texts = (page, selector) => page.locator(selector).allInnerTexts();
const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

async function paste(page, mode, text) {
  await page.locator(`input[name=mode][value=${mode}]`).check({ force: true });
  await page.locator("#input").fill(text);
}

/** Nothing sticks out at the side. */
async function fits(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${content} pixels in a window of ${window}`);
}

async function hexIsExplained() {
  const page = await open();
  await paste(page, "hex", "F0 80 80 41");
  assert.match(await verdict(page), /Ill-formed: 3 errors in 4 bytes\.\s+The first is at byte 0: overlong\./);
  const cells = (await texts(page, "#bytes .byte")).map(lines);
  assert.deepEqual(cells.map((cell) => cell.filter((line) => /lead|continuation|ASCII|expected/.test(line))), [
    ["lead of 4"], ["unexpected continuation", "expected 90..BF"],
    ["unexpected continuation", "expected 00..7F C2..F4"], ["ASCII"],
  ]);
  const rules = await texts(page, "#error-list .rule");
  assert.deepEqual(rules, [
    "Table 3-7, row 7: U+10000..U+3FFFF = F0 90..BF 80..BF 80..BF",
    "Table 3-7: no row begins with 80", "Table 3-7: no row begins with 80",
  ]);
  const rows = await page.locator("#behaviours tbody tr").evaluateAll((rows) =>
    rows.map((row) => [row.querySelector("code").innerText, Number(row.querySelector(".number").innerText)]));
  assert.deepEqual(rows, [
    ["whatwg", 3], ["per-byte", 3], ["win32", 2], ["openjdk8", 3], ["python2", 1], ["perl5", 3], ["icu55", 1],
  ]);
  // By the keyboard from an error to its byte.
  await page.locator("#error-list .place").nth(1).focus();
  await page.keyboard.press("Enter");
  assert.equal(new URL(page.url()).hash, "#byte-1");
  assert.equal(await page.locator("#byte-1:target").count(), 1);
  assert.match(await verdict(page), /3 errors/);
  await fits(page);
  return page;
}

async function otherInputs(page) {
  await paste(page, "hex", "xyz");
  assert.match(await page.locator("#complaint").innerText(), /no hexadecimal digit/);
  for (const [hex, answer] of [
    ["", /Nothing, which is well-formed/], ["\\xC0\\xAF", /2 errors in 2 bytes/], ["0xED,0xA0,0x80", /3 errors/],
    ["%E2%82%AC", /Well-formed UTF-8: 3 bytes, 1 character\./], ["f09f92", /1 error in 3 bytes\.\s+.* incomplete\./],
  ]) {
    await paste(page, "hex", hex);
    assert.match(await verdict(page), answer, hex);
    assert.equal(await page.locator("#complaint").innerText(), "");
  }
  assert.deepEqual(await texts(page, "#bytes .byte.end .expected"), ["expected 80..BF"]);
  await paste(page, "text", "rūna ᚱ 🪨");
  assert.match(await verdict(page), /Well-formed UTF-8: 14 bytes, 8 characters\./);
  assert.equal(await page.locator("#errors").isVisible(), false);
  // The same bytes in hex, and back.
  await page.locator("input[name=mode][value=hex]").check({ force: true });
  assert.equal(await page.locator("#input").inputValue(), "72 C5 AB 6E 61 20 E1 9A B1 20 F0 9F AA A8");
  // Markup in a text is text.
  await paste(page, "text", "<img src=x onerror=alert(1)>\u202E");
  assert.equal(await page.locator("#stretches img").count(), 0);
  for (const button of await page.locator(".examples button").all()) {
    await button.click();
    assert.match(await verdict(page), /formed/);
  }
  // What is in the address is shown.
  const linked = await open({ hash: "#hex=EDA080" });
  assert.match(await verdict(linked), /at byte 0: surrogate/);
  assert.equal(await linked.locator("#input").inputValue(), "ED A0 80");
  assert.deepEqual(linked.complaints, []);
}

async function filesAreDropped(page) {
  const drop = (name, size, at) => page.evaluate(([name, size, at]) => {
    const bytes = new Uint8Array(size).fill(0x61);
    if (at !== undefined) bytes.set([0xE9, 0x20], at);
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name));
    for (const kind of ["dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, [name, size, at]);
  await drop("big.txt", 3_000_000, 2_500_000);
  await page.waitForFunction(() => document.getElementById("verdict").innerText.includes("big.txt"));
  assert.match(await verdict(page), /big\.txt: Ill-formed: 1 error in 3,000,000 bytes\.\s+.* at byte 2,500,000: truncated\./);
  assert.match((await texts(page, "#stretches h3"))[0], /Bytes 2,499,992 to 2,500,008/);
  assert.equal(await page.locator("#drop").isVisible(), false);
  assert.match(await page.locator("#input").getAttribute("placeholder"), /big\.txt/);
  await drop("fine.txt", 1000);
  await page.waitForFunction(() => document.getElementById("verdict").innerText.includes("fine.txt"));
  assert.match(await verdict(page), /fine\.txt: Well-formed UTF-8: 1,000 bytes, 1,000 characters\./);
  await page.locator("#file").setInputFiles({ name: "chosen.bin", mimeType: "", buffer: Buffer.from([0xFF]) });
  await page.waitForFunction(() => document.getElementById("verdict").innerText.includes("chosen.bin"));
  assert.match(await verdict(page), /invalid lead/);
}

async function itMeasures(page) {
  await page.locator("#measure").click();
  await page.waitForFunction(() => /Done|could not/.test(document.getElementById("progress").innerText), null, {
    timeout: 90_000,
  });
  assert.equal(await page.locator("#progress").innerText(), "Done.");
  const rows = await page.locator("#measured tbody tr").evaluateAll((rows) => rows.map((row) => row.innerText.split(/\s*\t\s*/)));
  assert.equal(rows.length, 9);
  for (const [name, ...numbers] of rows) {
    assert.equal(numbers.length, 4, name);
    assert.ok(numbers.every((number) => Number.parseFloat(number) > 0), `${name}: ${numbers}`);
  }
  console.log(rows.map((row) => row.join("\t")).join("\n"));
}

async function itWorksOffline() {
  const page = await open();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active.state);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const before = asked.length;
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("#verdict.wrong");
  assert.match(await verdict(page), /Ill-formed: 3 errors/);
  assert.equal(asked.length, before, "the network was there");
}

async function picturesAreTaken() {
  if (!pictures) return;
  const take = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1400, 400]) {
      const page = await open({ width, colorScheme });
      await take(page, `${colorScheme}-${width}`);
      await paste(page, "text", "naïve 漢字, ᚱ and 🪨");
      await fits(page);
      if (width === 1400 && colorScheme === "light") await take(page, "well-formed");
      if (width === 400) await take(page, `well-formed-${colorScheme}-${width}`);
    }
  }
}

try {
  const page = await hexIsExplained();
  await otherInputs(page);
  await filesAreDropped(page);
  await itMeasures(page);
  await fits(page);
  if (pictures) await page.screenshot({ path: join(pictures, "measured.png"), fullPage: true });
  assert.deepEqual(page.complaints, []);
  const narrow = await open({ width: 400, height: 800 });
  await fits(narrow);
  assert.deepEqual(narrow.complaints, []);
  await itWorksOffline();
  await picturesAreTaken();
  assert.deepEqual(asked.filter((path) => !/^\/($|index\.html|[a-z]+\.(css|js|svg)$|pkg\/)/.test(path)), []);
  console.log("the page is in order");
} finally {
  await browser.close();
  server.close();
}
