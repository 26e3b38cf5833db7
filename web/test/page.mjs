// The page in a browser without a window: node web/test/page.mjs [SCREENSHOTS]
//
// Needs what crates/wasm/build.sh makes, Chromium (its path in CHROMIUM, /usr/bin/chromium unless said), and the package
// playwright-core, which brings no browser. Exit status 77 if one of these is not there. With a directory it leaves
// pictures there, for people to look at.

import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
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
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  page.on("console", (message) => {
    if (message.type() === "error") page.complaints.push(message.text());
  });
  await page.goto(address + hash);
  await page.waitForSelector("#verdict.fine, #verdict.wrong, #verdict.unclear");
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
  // By the keyboard from an error to its byte; the address stays that of the text.
  await page.locator("#error-list .place").nth(1).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "byte-1");
  assert.equal(await page.locator("#byte-1.target").count(), 1);
  await page.waitForFunction(() => location.hash === "#hex=F0808041");
  await page.reload();
  await page.waitForSelector("#verdict.wrong");
  assert.match(await verdict(page), /Ill-formed: 3 errors in 4 bytes/);
  await paste(page, "hex", "F0 80 80 41");
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
    if (await button.getAttribute("data-copy") !== null) continue;
    await button.click();
    assert.match(await verdict(page), /formed/);
  }
  // What is in the address is shown.
  const linked = await open({ hash: "#hex=EDA080" });
  assert.match(await verdict(linked), /at byte 0: surrogate/);
  assert.equal(await linked.locator("#input").inputValue(), "ED A0 80");
  assert.deepEqual(linked.complaints, []);
}

/** The bytes of the page, whatever the field shows. */
async function bytesOf(page) {
  await page.locator("input[name=mode][value=hex]").check({ force: true });
  return page.locator("#input").inputValue();
}

/** What was given is never lost, and never answered for by what was there before. */
async function nothingIsLost() {
  // An address that holds no bytes.
  const broken = await open({ hash: "#hex=zz" });
  assert.equal(await broken.locator("#verdict.unclear").count(), 1);
  assert.match(await broken.locator("#complaint").innerText(), /“z” is no hexadecimal digit/);
  // Bad input has no verdict, and not the one before either.
  const page = await open();
  await paste(page, "hex", "C3 A9");
  assert.match(await verdict(page), /Well-formed/);
  await paste(page, "hex", "C3 A9 x");
  assert.equal(await page.locator("#verdict.unclear").count(), 1);
  assert.doesNotMatch(await verdict(page), /formed/);
  for (const section of ["bytes", "errors", "characters", "behaviours", "repair"]) {
    assert.equal(await page.locator(`#${section}`).isVisible(), false, section);
  }
  await page.waitForFunction(() => location.hash.includes("hex=C3+A9+x"));
  await page.reload();
  await page.waitForSelector("#verdict.unclear");
  assert.equal(await page.locator("#input").inputValue(), "C3 A9 x");
  // Nor does the way past the field for those without a mouse.
  await paste(page, "hex", "C3 A9");
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "verdict");
  await page.waitForFunction(() => location.hash === "#hex=C3A9");
  // Hex to text and back: E9 is no text, and stays.
  await paste(page, "hex", "63 E9 21");
  await page.locator("input[name=mode][value=text]").check({ force: true });
  assert.match(await page.locator("#note").innerText(), /kept as they are/);
  assert.match(await verdict(page), /1 error in 3 bytes/);
  assert.equal(await bytesOf(page), "63 E9 21");
  // Surrogates without a partner, by a link and back.
  await page.locator("input[name=mode][value=text]").check({ force: true });
  await page.locator("#input").evaluate((field) => {
    field.value = "a\uD83D";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  assert.match(await verdict(page), /Ill-formed: 3 errors in 4 bytes/);
  await page.waitForFunction(() => location.hash.includes("61EDA0BD"));
  await page.reload();
  await page.waitForSelector("#verdict.wrong");
  assert.match(await verdict(page), /Ill-formed: 3 errors in 4 bytes/);
  assert.equal(await bytesOf(page), "61 ED A0 BD");
  // Longer than fits into an address as it is.
  const long = "F0 9F AA A8 E9 0D 0A ".repeat(400).trim();
  await paste(page, "hex", long);
  await page.waitForFunction(() => location.hash.startsWith("#deflate="));
  await page.reload();
  await page.waitForSelector("#verdict.wrong");
  assert.equal(await bytesOf(page), long);
  // Line ends: kept where they were pasted, and by choice.
  await paste(page, "hex", "61 0D 0A 62");
  await page.locator("input[name=mode][value=text]").check({ force: true });
  assert.equal(await page.locator("#line-ends").inputValue(), "crlf");
  await page.locator("#input").fill("a\nbc");
  assert.equal(await bytesOf(page), "61 0D 0A 62 63");
  await page.locator("input[name=mode][value=text]").check({ force: true });
  await page.locator("#line-ends").selectOption("lf");
  assert.equal(await bytesOf(page), "61 0A 62 63");
  assert.deepEqual([...broken.complaints, ...page.complaints], []);
}

/** However much is wrong, and however long it is, the page stays small. */
async function muchIsWrong() {
  const page = await open();
  const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
  await paste(page, "hex", "FF".repeat(20_000));
  assert.match(await verdict(page), /20,000 errors in 20,000 bytes/);
  assert.ok(await nodes() < 12_000, `${await nodes()} elements`);
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(2 << 20).fill(0xFF)], "bad.bin"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.getElementById("verdict").innerText.includes("2,097,152 errors"));
  assert.ok(await nodes() < 12_000, `${await nodes()} elements`);
  // Typing goes on meanwhile.
  await paste(page, "hex", "41");
  assert.match(await verdict(page), /Well-formed UTF-8: 1 byte/);
  assert.equal(await page.locator("#input").getAttribute("placeholder"), "");
  await page.locator("#input").fill("");
  assert.match(await verdict(page), /^\S*\s*Nothing/);
  assert.deepEqual(page.complaints, []);
}

async function otherNotations() {
  const page = await open();
  for (const [mode, value, bytes] of [
    ["escapes", "caf\\xE9", "63 61 66 E9"], ["escapes", "b'\\xf0\\x9f\\xaa\\xa8\\n'", "F0 9F AA A8 0A"],
    ["escapes", '"\\uD83E\\uDEA8"', "F0 9F AA A8"], ["escapes", 'u8"\\U0001FAA8\\0"', "F0 9F AA A8 00"],
    ["escapes", "\\u{1FAA8}\\t\\\\", "F0 9F AA A8 09 5C"], ["escapes", "\\uD83E", "ED A0 BE"], ["escapes", "\\342\\202\\254", "E2 82 AC"],
    ["units", "0072 016B D83E DEA8", "72 C5 AB F0 9F AA A8"], ["units", "\\uDEA8", "ED BA A8"],
  ]) {
    await paste(page, mode, value);
    assert.equal(await bytesOf(page), bytes, `${mode} ${value}`);
  }
  await paste(page, "escapes", "\\q");
  assert.match(await page.locator("#complaint").innerText(), /no escape/);
  await paste(page, "units", "12345");
  assert.match(await page.locator("#complaint").innerText(), /no unit/);
  // Bytes as escapes, and as units.
  await paste(page, "hex", "22 E9 0A 41");
  await page.locator("input[name=mode][value=escapes]").check({ force: true });
  assert.equal(await page.locator("#input").inputValue(), '\\"\\xE9\\nA');
  await paste(page, "hex", "F0 9F AA A8");
  await page.locator("input[name=mode][value=units]").check({ force: true });
  assert.equal(await page.locator("#input").inputValue(), "D83E DEA8");
  assert.deepEqual(page.complaints, []);
}

async function otherEncodings() {
  const page = await open({ hash: "#hex=72006B016E006100" });
  assert.match(await page.locator("#looks").innerText(), /looks like UTF-16LE/);
  await page.locator("#looks button").click();
  assert.match(await verdict(page), /Well-formed UTF-16LE: 8 bytes, 4 characters\./);
  assert.deepEqual((await texts(page, "#stretches .point")).slice(0, 2), ["U+0072", "U+016B"]);
  await page.waitForFunction(() => location.hash.includes("encoding=utf-16le"));
  assert.equal(await page.locator("#repaired").innerText(), "rūna");
  // Half a pair.
  await paste(page, "hex", "3D D8 41 00");
  assert.match(await verdict(page), /Ill-formed UTF-16LE: 1 error in 4 bytes\.\s+.* byte 0: unpaired high surrogate/);
  // What only the browser knows.
  await page.locator("#encoding").selectOption("utf-8");
  await paste(page, "hex", "63 61 66 E9 20 93 61 94 20 73 74 61 79 73 20 E0 20 6C 61");
  await page.locator("#encoding").selectOption("windows-1252");
  assert.equal(await page.locator("#repaired").innerText(), "café “a” stays à la");
  assert.match(await verdict(page), /Well-formed windows-1252/);
  await page.locator("#encoding").selectOption("shift_jis");
  await paste(page, "hex", "8A BF 8E 9A");
  assert.deepEqual(await texts(page, "#stretches .point"), ["U+6F22", "U+5B57"]);
  for (const [encoding, hex, repaired] of [["cesu-8", "ED A0 BE ED BA A8", "🪨"], ["modified utf-8", "C0 80", "\0"], ["wtf-8", "F0 9F AA A8", "🪨"],
    ["corrected utf-8", "E7 AA 89", "\u8329"], ["utf-16be", "D8 3E DE A8", "🪨"], ["utf-32le", "A8 FA 01 00", "🪨"]]) {
    await page.locator("#encoding").selectOption(encoding);
    await paste(page, "hex", hex);
    assert.equal(await page.locator("#repaired").evaluate((view) => view.textContent), repaired, encoding);
  }
  assert.deepEqual(page.complaints, []);
}

async function charactersHaveNames() {
  const page = await open();
  await paste(page, "text", "a\u202E\u00A0\u0301漢");
  await page.waitForFunction(() => document.querySelector("#character-table .character-name")?.textContent);
  const rows = await page.locator("#character-table tbody tr").evaluateAll((rows) => rows.map((row) => [
    row.querySelector(".point").textContent, row.querySelector(".character-name").textContent,
    [...row.querySelectorAll(".warning")].map((warning) => warning.textContent.split(" ").slice(0, 3).join(" ")),
  ]));
  assert.deepEqual(rows, [
    ["U+0061", "latin small letter a", []], ["U+202E", "right-to-left override", ["turns the direction"]],
    ["U+00A0", "no-break space", ["looks like a"]], ["U+0301", "combining acute accent", ["combining mark with"]],
    ["U+6F22", "cjk unified ideograph-6f22", []],
  ]);
  assert.match(await page.locator("#oddities").innerText(), /3 characters are/);
  // Nothing of the text can turn the page around.
  assert.doesNotMatch(await page.locator("#character-table").innerText(), /[\u202E\u00A0]/);
  assert.deepEqual(page.complaints, []);
}

async function itIsRepaired() {
  const page = await open();
  await paste(page, "hex", "61 F0 80 80 62");
  const repaired = () => page.locator("#repaired").innerText();
  assert.equal(await repaired(), "a\uFFFD\uFFFD\uFFFDb");
  await page.locator("#repair-way").selectOption("icu55");
  await page.waitForFunction(() => document.getElementById("repaired").textContent === "a\uFFFDb");
  await page.locator("#repair-way").selectOption("backslash");
  await page.waitForFunction(() => document.getElementById("repaired").textContent.includes("\\xF0\\x80\\x80"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#repair-download").click()]);
  assert.equal(download.suggestedFilename(), "text.utf-8.txt");
  assert.equal(await readFile(await download.path(), "utf8"), "a\\xF0\\x80\\x80b");
  // What differs from what browsers do is marked, and said.
  const differing = await page.locator("#behaviours tr.differs code").allInnerTexts();
  assert.deepEqual(differing, ["win32", "python2", "icu55"]);
  assert.equal(await page.locator("#behaviours .tag").count(), 3);
  assert.deepEqual(page.complaints, []);
}

/** What a button copies leads to the same bytes. */
async function itIsCopied() {
  const page = await open();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const hex = "63 E9 41 0A F0 9F AA A8";
  await paste(page, "hex", hex);
  await page.waitForFunction(() => location.hash.startsWith("#hex=63E9"));
  const copied = async (button) => {
    await page.evaluate(() => navigator.clipboard.writeText("nothing"));
    await page.locator(button).click();
    await page.waitForFunction(async () => await navigator.clipboard.readText() !== "nothing");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied("[data-copy=hex]"), hex);
  // A digit behind an escape would be part of it in C.
  const c = await copied("[data-copy=c]"), python = await copied("[data-copy=python]");
  assert.match(c, /^".*\\xE9""A.*"$/);
  assert.match(python, /^b".*\\xE9A.*"$/);
  assert.equal(JSON.parse(await copied("[data-copy=json]")), "c\uFFFDA\n🪨");
  const link = await copied("[data-copy=link]");
  assert.equal(await copied("#repair-copy"), "c\uFFFDA\n🪨");
  await paste(page, "escapes", python);
  assert.equal(await bytesOf(page), hex);
  const linked = await open({ hash: new URL(link).hash });
  assert.equal(await bytesOf(linked), hex);
  assert.deepEqual([...page.complaints, ...linked.complaints], []);
}

/** In forced colours, which take backgrounds and shadows away, what is wrong still differs from what is not. */
async function coloursAreForced() {
  const page = await open({ hash: "#hex=41FF41" });
  await page.emulateMedia({ forcedColors: "active" });
  assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
  const style = (selector, property, pseudo) => page.locator(selector).first().evaluate((view, [property, pseudo]) =>
    getComputedStyle(view, pseudo)[property], [property, pseudo]);
  assert.equal(await style(".byte.bad", "borderTopStyle"), "double");
  assert.notEqual(await style(".byte:not(.bad)", "borderTopStyle"), "double");
  const chosen = await style(".modes input:checked + span", "backgroundColor");
  assert.notEqual(chosen, await style(".modes input:not(:checked) + span", "backgroundColor"));
  assert.notEqual(chosen, await style(".modes input:checked + span", "color"));
  await page.locator("#file").setInputFiles({ name: "long.bin", mimeType: "", buffer: Buffer.alloc(100_000, 0x61).fill(0xFF, 70_000, 70_001) });
  await page.waitForFunction(() => document.querySelector("#verdict.wrong")?.innerText.includes("long.bin"));
  assert.notEqual(await style("#map .stripe.bad", "backgroundColor"), await style("#map-bar", "backgroundColor"));
  if (pictures) await page.screenshot({ path: join(pictures, "forced.png"), fullPage: true });
  assert.deepEqual(page.complaints, []);
}

/** From here to the project and its documentation. */
async function thereAreLinks() {
  const page = await open();
  const links = await page.locator("footer a, main a[href^=http], body a[href^=http]").evaluateAll((links) => links.map((link) => link.href));
  for (const end of ["/runecast", "/docs"]) assert.ok(links.some((link) => link.endsWith(end)), `${end} in ${links}`);
}

/** 200 MB: the page reads them piece by piece, and holds next to none. */
async function aLongFile() {
  const page = await open();
  const size = 200_000_000, at = 123_456_789;
  await page.evaluate(([size, at]) => {
    // Of few bytes, so that it is the page that takes memory, if anything does.
    const line = new TextEncoder().encode("naïve 漢字, and so on\n".repeat(10_000));
    const parts = [];
    let left = size;
    const fill = (count) => {
      for (; count > 0; count -= line.length) parts.push(count >= line.length ? line : new Uint8Array(count).fill(0x61));
    };
    fill(at);
    parts.push(Uint8Array.of(0xE9));
    left -= at + 1;
    fill(left);
    const transfer = new DataTransfer();
    transfer.items.add(new File(parts, "long.txt"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [size, at]);
  await page.waitForFunction(() => document.querySelector("#verdict.wrong")?.innerText.includes("long.txt"), null, { timeout: 60_000 });
  assert.match(await verdict(page), /1 error in 200,000,000 bytes\.\s+.* at byte 123,456,789/);
  assert.match(await page.locator("#error-list").innerText(), /line [\d,]+, column [\d,]+/);
  assert.equal(await page.locator("#map .stripe.bad").count(), 1);
  assert.equal(await page.locator("#map-rows .bad.target").innerText(), "E9");
  // Repaired, from the beginning to the end.
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60_000 }), page.locator("#repair-download").click()]);
  assert.equal(download.suggestedFilename(), "long.utf-8.txt");
  assert.equal((await stat(await download.path())).size, size + 2);
  const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
  assert.ok(heap < 30_000_000, `${heap} bytes of memory`);
  // By keys.
  await page.locator("#map-bar").focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#map-rows .row:last-child").innerText.startsWith("0BEBC1F0"));
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector("#map-rows .row").innerText.startsWith("00000000"));
  await page.locator("#map-next").click();
  await page.waitForFunction(() => document.querySelector("#map-rows .bad.target")?.innerText === "E9");
  assert.ok(await page.locator("#map-rows .row").count() <= 20);
  if (pictures) await page.screenshot({ path: join(pictures, "long.png"), fullPage: true });
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

async function schemesAreShown() {
  const page = await open();
  await page.locator("#schemes summary").click();
  await page.waitForSelector("#scheme-forms tbody tr");
  const forms = await page.locator("#scheme-forms tbody tr").evaluateAll((rows) => rows.map((row) => [
    row.querySelector("code").textContent, [...row.querySelectorAll(".form-hex")].map((hex) => hex.textContent).join(" "),
  ]));
  // The table of crates/schemes/README.md.
  assert.deepEqual(forms, [
    ["leb128", "A9 86 02"], ["tagged", "29 86 82"], ["naive", "B9 A2 93 88"], ["start", "A9 E5 DC D1 C8 C1"], ["one", "99 E5 C1 C1"],
    ["unary", "C0 83 29"], ["cleared", "E8 8C A9"], ["rfc2044", "E8 8C A9"], ["utf8", "E8 8C A9"], ["corrected", "E7 AA 89"],
  ]);
  const layout = await page.locator("#scheme-layout tbody tr").evaluateAll((rows) => rows.map((row) => [
    row.querySelector(".point").textContent, [...row.querySelectorAll(".bits")].map((bits) => bits.textContent).join(" "),
  ]));
  assert.deepEqual(layout, [
    ["U+0000 – U+007F", "0xxxxxxx"], ["U+0080 – U+07FF", "110xxxxx 10xxxxxx"], ["U+0800 – U+FFFF", "1110xxxx 10xxxxxx 10xxxxxx"],
    ["U+10000 – U+10FFFF", "11110xxx 10xxxxxx 10xxxxxx 10xxxxxx"],
  ]);
  await page.locator("#scheme-character").fill("U+E9");
  assert.match(await page.locator("#scheme-about").innerText(), /U\+00E9, 233, latin small letter e with acute/);
  await fits(page);
  if (pictures) await page.locator("#schemes").screenshot({ path: join(pictures, "schemes.png") });
  assert.deepEqual(page.complaints, []);
}

/** Without violations of what axe knows, if axe-core is installed. */
async function itIsAccessible() {
  let source;
  try {
    const paths = [root, ...(process.env.NODE_PATH ?? "").split(":").filter(Boolean)];
    source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js", { paths }), "utf8");
  } catch {
    console.log("left out: axe-core is not installed");
    return;
  }
  for (const colorScheme of ["light", "dark"]) {
    for (const hash of ["#hex=F0808041", "#text=pay%E2%80%AEfdp%E2%80%8B", "#hex=zz", "#hex=72006B016E006100"]) {
      const page = await open({ colorScheme, hash });
      await page.locator("#schemes summary").click();
      await page.waitForSelector("#scheme-forms tbody tr");
      await page.evaluate(source);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), [], `${hash} ${colorScheme}`);
      await page.context().close();
    }
  }
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
  await page.waitForFunction(() => document.querySelector("#verdict.fine, #verdict.wrong")?.innerText.includes("big.txt"));
  assert.match(await verdict(page), /big\.txt: Ill-formed: 1 error in 3,000,000 bytes\.\s+.* at byte 2,500,000: truncated\./);
  assert.match((await texts(page, "#stretches h3"))[0], /Bytes 2,499,992 to 2,500,008/);
  assert.equal(await page.locator("#map .stripe.bad").count(), 1);
  assert.equal(await page.locator("#drop").isVisible(), false);
  assert.match(await page.locator("#input").getAttribute("placeholder"), /big\.txt/);
  await drop("fine.txt", 1000);
  await page.waitForFunction(() => document.querySelector("#verdict.fine, #verdict.wrong")?.innerText.includes("fine.txt"));
  assert.match(await verdict(page), /fine\.txt: Well-formed UTF-8: 1,000 bytes, 1,000 characters\./);
  await page.locator("#file").setInputFiles({ name: "chosen.bin", mimeType: "", buffer: Buffer.from([0xFF]) });
  await page.waitForFunction(() => document.querySelector("#verdict.fine, #verdict.wrong")?.innerText.includes("chosen.bin"));
  assert.match(await verdict(page), /invalid lead/);
  // Whatever is written takes the place of the file, and an empty field too.
  await page.locator("#input").fill("41");
  await page.locator("#input").fill("");
  assert.doesNotMatch(await page.locator("#input").getAttribute("placeholder") ?? "", /chosen/);
  assert.match(await verdict(page), /Nothing, which is well-formed/);
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
  // As bars, the longest of which is the fastest.
  const bars = await page.locator("#measured .speed").evaluateAll((bars) => bars.map((bar) => [
    Number.parseFloat(bar.innerText), Number(bar.style.getPropertyValue("--share")), Number.parseFloat(getComputedStyle(bar, "::after").width),
  ]));
  assert.equal(bars.length, 27);
  assert.equal(Math.max(...bars.map(([, share]) => share)), 1);
  for (const [speed, share, width] of bars) assert.ok(share > 0 && share <= 1 && width > 0, `${speed} ${share} ${width}`);
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
  await nothingIsLost();
  await muchIsWrong();
  await otherNotations();
  await otherEncodings();
  await charactersHaveNames();
  await itIsRepaired();
  await itIsCopied();
  await coloursAreForced();
  await thereAreLinks();
  await schemesAreShown();
  await aLongFile();
  await itIsAccessible();
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
