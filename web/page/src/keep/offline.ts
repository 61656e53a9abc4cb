// Visits without a network: what keeps the page, and word of a newer one.

import { signal } from "@preact/signals";

/** The newer version that waits, if there is one. */
export const waiting = signal<ServiceWorker | null>(null);

export async function keepForOffline() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  const kept = await navigator.serviceWorker.register("offline.js");
  const look = () => {
    if (kept.waiting && navigator.serviceWorker.controller) waiting.value = kept.waiting;
  };
  look();
  kept.addEventListener("updatefound", () => kept.installing?.addEventListener("statechange", look));
}

/** Goes on with the newer version. */
export function takeOver() {
  navigator.serviceWorker.addEventListener("controllerchange", () => window.location.reload());
  waiting.value?.postMessage("take over");
}
