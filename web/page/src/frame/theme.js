// Before the first paint, so that no light flashes in a dark room.
try {
  document.documentElement.dataset.theme = localStorage.getItem("unstuck-theme") ?? "auto";
} catch {
  // A browser that keeps nothing: as the system has it.
}
