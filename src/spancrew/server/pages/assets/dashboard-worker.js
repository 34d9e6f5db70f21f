// What an admin can do with one worker, as a menu: pause, cap, ban.

import { callHere } from "./api.js";
import { ban, newCap } from "./dashboard-worker-ask.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** Open the menu of a row beside its button; it goes away when something else is pressed. */
export function openMenu(row, attempt, onChange) {
  const { opener, standing } = row;
  const name = row.person.name ? `${row.person.name} (${row.id})` : row.id;
  const isPaused = standing.state === "paused";
  const change = async (body) => {
    if (body && (await attempt(() => callHere("PATCH", `/workers/${row.id}`, body)))) onChange();
  };
  const entry = (word, work, kind = "plain") => {
    const press = async () => {
      menu.hidePopover();
      opener.focus();
      await change(await work());
    };
    const text = t(`dashboard.${word}`);
    return h("button", { type: "button", class: kind, "aria-label": `${text}: ${name}`, on: { click: press } }, text);
  };
  const menu = h("div", { popover: "auto", class: "row-menu", role: "group", "aria-label": name },
    entry(isPaused ? "resume" : "pause_worker", () => ({ state: isPaused ? "active" : "paused" })),
    entry("cap", () => newCap(name, standing.cap)),
    entry("ban", () => ban(name), "plain danger"));
  menu.addEventListener("toggle", ({ newState }) => newState === "closed" && menu.remove());
  opener.after(menu);
  menu.showPopover();
  place(menu, opener.getBoundingClientRect());
  menu.firstChild.focus();
}

/** Put the menu below its button, or above it where there is no room. */
function place(menu, { right, top, bottom }) {
  const height = menu.offsetHeight;
  const isLow = bottom + height > innerHeight && top > height;
  menu.style.left = `${Math.max(right - menu.offsetWidth, 8)}px`;
  menu.style.top = `${isLow ? top - height : bottom}px`;
}
