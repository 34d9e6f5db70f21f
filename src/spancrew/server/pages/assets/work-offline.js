// The page without a connection: the browser keeps it, so that it can even be reloaded.

const LATER = [
  "choices.css", "choices.js", "copy.js", "editor-help.js", "markdown.js", "marks.js", "prose.js", "sheet-body.js", "work-back.js", "work-end.js",
  "work-guide.js", "work-refused.js", "work-remark.js", "work-skip.js",
];

/** Let the browser keep the page and all its parts; where it cannot, the page works as long as it is open. */
export async function keepPage() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("/offline-worker.js", { scope: "/work" });
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("/assets/"));
    const later = LATER.map((name) => new URL(name, import.meta.url).href);
    active?.postMessage([...new Set([...loaded, ...later])]);
  } catch {
    // A browser that keeps nothing (private windows, plain http) has only what is open.
  }
}
