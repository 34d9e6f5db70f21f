// Dialogs before a worker gets a cap or is banned.

import { asked } from "./ask.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** Ask for the most answers that a worker may give; return the change, or null. */
export async function newCap(worker, before) {
  const input = h(
    "input",
    { name: "cap", type: "number", min: "1", step: "1", inputmode: "numeric", value: before ?? "" },
  );
  const hint = h("span", { class: "hint" }, t("dashboard.cap_hint"));
  const field = h("label", {}, t("dashboard.cap_label"), input, hint);
  const found = await asked({ title: t("dashboard.cap_title", { worker }), fields: [field], yes: t("dashboard.save") });
  return found && { cap: found.cap === "" ? null : Number(found.cap) };
}

/** Ask why a worker is banned; return the change, or null. */
export async function ban(worker) {
  const input = h("input", { name: "reason", maxlength: "500" });
  const field = h("label", {}, t("dashboard.ban_reason"), input);
  const words = {
    title: t("dashboard.ban_title", { worker }),
    text: t("dashboard.ban_text"),
    yes: t("dashboard.ban"),
    danger: true,
  };
  const found = await asked({ ...words, fields: [field] });
  return found && { state: "banned", reason: found.reason };
}
