// Keeps the page for later visits without a network: what is here is shown at once, and what is new
// is fetched for the next time.
const KEPT = "unstuck";

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(
    caches.open(KEPT).then(async (cache) => {
      const kept = await cache.match(event.request);
      const fresh = fetch(event.request).then((response) => {
        if (response.ok) cache.put(event.request, response.clone());
        return response;
      });
      if (kept === undefined) return fresh;
      event.waitUntil(fresh.catch(() => undefined));
      return kept;
    }),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
