// What an admin can do with one worker: pause, cap, ban.

import { callHere } from "./api.js";
import { asked } from "./ask.js";
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
  const cap = button("small", async () => change(await newCap()));
  const ban = button("small danger", async () => change(await reason()));

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

  async function newCap() {
    const input = h(
      "input",
      { name: "cap", type: "number", min: "1", step: "1", inputmode: "numeric", value: row.standing.cap ?? "" },
    );
    const field = h(
      "label",
      {},
      t("dashboard.cap_label"),
      input,
      h("span", { class: "hint" }, t("dashboard.cap_hint")),
    );
    const found = await asked(
      { title: t("dashboard.cap_title", { worker: name() }), fields: [field], yes: t("dashboard.save") },
    );
    return found && { cap: found.cap === "" ? null : Number(found.cap) };
  }

  async function reason() {
    const input = h("input", { name: "reason", maxlength: "500" });
    const field = h("label", {}, t("dashboard.ban_reason"), input);
    const words = {
      title: t("dashboard.ban_title", { worker: name() }),
      text: t("dashboard.ban_text"),
      yes: t("dashboard.ban"),
      danger: true,
    };
    const found = await asked({ ...words, fields: [field] });
    return found && { state: "banned", reason: found.reason };
  }
}
