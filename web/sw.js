// Keeps the page for the times without a network. What the network has goes first, so that a new version is seen at
// once.

const STORE = "runecast";
const FILES = [
  "./", "index.html", "style.css", "icon.svg", "app.js", "bench.js", "cells.js", "characters.js", "dom.js", "encodings.js", "hex.js",
  "jobs.js", "link.js", "map.js", "names.js", "notations.js", "repair.js", "schemes.js", "show.js", "warnings.js", "worker.js",
  "pkg/runecast.js", "pkg/bytes.js", "pkg/core.js", "pkg/errors.js", "pkg/fetch.js", "pkg/host.js", "pkg/simd.js", "pkg/stream.js",
  "pkg/strings.js", "pkg/transforms.js",
  "pkg/runecast.simd128.wasm", "pkg/runecast.scalar.wasm", "pkg/runecast.texts.wasm", "pkg/runecast.page.wasm",
];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const store = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok) await store.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await store.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
