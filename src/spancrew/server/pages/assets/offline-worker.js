// Keeps the page of a worker in the browser: its parts never change, and the page itself is asked for anew where that is possible.

const NAME = "spancrew-work";
const PAGE = "/work";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => event.waitUntil(keep(event.data)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(part(request));
});

/** Keep these parts and the page, and no older ones. */
async function keep(addresses) {
  const cache = await caches.open(NAME);
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname !== PAGE && !addresses.includes(request.url)) await cache.delete(request);
  }
  const known = (await cache.keys()).map(({ url }) => url);
  await cache.addAll([PAGE, ...addresses.filter((each) => !known.includes(each))]);
}

async function page(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(PAGE, answer.clone());
    return answer;
  } catch (error) {
    return (await cache.match(PAGE)) ?? Promise.reject(error);
  }
}

async function part(request) {
  return (await caches.match(request.url, { cacheName: NAME })) ?? fetch(request);
}
