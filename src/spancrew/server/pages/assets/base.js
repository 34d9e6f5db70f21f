// What every page has: the menu with language, colours and the way out. It runs after the page's
// own script, and then lets people in: what they click or write before would be lost.

import { call } from "./api.js";
import { $ } from "./dom.js";

const YEAR = 31536000;

function remember(name, value) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `spancrew_${name}=${value}; path=/; max-age=${value ? YEAR : 0}; SameSite=Lax${secure}`;
}

$("#language").addEventListener("change", (event) => {
  remember("language", event.target.value);
  location.reload();
});

$("#theme").addEventListener("change", (event) => {
  remember("theme", event.target.value);
  if (event.target.value) document.documentElement.dataset.theme = event.target.value;
  else delete document.documentElement.dataset.theme;
});

$("#sign-out")?.addEventListener("click", async () => {
  await call("DELETE", "/session").catch(() => {});
  forget();
  location.assign("/sign-in");
});

/** Leave nothing for the next person at this device but answers that were not sent. */
function forget() {
  globalThis.caches?.delete("spancrew-work").catch(() => {});
  for (const key of Object.keys(globalThis.localStorage ?? {})) if (key.includes(".kept.")) localStorage.removeItem(key);
}

const menu = $("#menu");
document.addEventListener("click", (event) => {
  if (menu.open && !menu.contains(event.target)) menu.open = false;
});
menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  menu.open = false;
  $("summary", menu).focus();
});

document.body.inert = false;
