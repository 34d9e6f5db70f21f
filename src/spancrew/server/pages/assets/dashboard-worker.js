// What an admin can do with one worker: pause, cap, ban.

import { callHere } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** Return the buttons of a row; `show(standing)` fits them to the state of the worker. */
export function actions(row, attempt, onChange) {
  const name = () => (row.person?.name ? `${row.person.name} (${row.id})` : row.id);
  const change = async (body) => {
    if (body && (await attempt(() => callHere("PATCH", `/workers/${row.id}`, body)))) onChange();
  };
  const button = (kind, work) => h("button", { type: "button", class: kind, on: { click: work } });
  const halt = button("small", () => change({ state: row.standing.state === "paused" ? "active" : "paused" }));
  const dialogs = () => import("./dashboard-worker-ask.js");
  const cap = button("small", async () => change(await (await dialogs()).newCap(name(), row.standing.cap)));
  const ban = button("small danger", async () => change(await (await dialogs()).ban(name())));

  function show({ state }) {
    const told = `${state} ${row.person.name}`;
    if (told === show.told) return;
    show.told = told;
    const label = (element, word) => {
      element.textContent = t(`dashboard.${word}`);
      element.setAttribute("aria-label", `${t(`dashboard.${word}`)}: ${name()}`);
      element.hidden = state === "banned";
    };
    label(halt, state === "paused" ? "resume" : "pause_worker");
    label(cap, "cap");
    label(ban, "ban");
  }

  return { element: h("div", { class: "row tight" }, halt, cap, ban), show };
}
