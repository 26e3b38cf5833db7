// Keeps the page for the times without a network. What the network has goes first, so that a new version is seen at
// once.

const STORE = "runecast";
const FILES = [
  "./", "index.html", "style.css", "icon.svg", "app.js", "show.js", "hex.js", "bench.js",
  "pkg/runecast.js", "pkg/errors.js", "pkg/stream.js", "pkg/strings.js",
  "pkg/runecast.simd128.wasm", "pkg/runecast.scalar.wasm", "pkg/runecast.texts.wasm",
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
