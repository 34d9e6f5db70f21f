// Giving a sentence back, and why.

import { h } from "./dom.js";
import { t } from "./words.js";

const REASONS = ["unclear", "language", "broken", "unwell"];
const LONGEST = 500;

/** Ask for a reason and give it; nothing happens if it is cancelled. */
export function askWhy(skip) {
  const radios = [...REASONS, "other"].map((name) => h("label", { class: "line" },
    h("input", { type: "radio", name: "reason", value: name, required: true }), t(`work.skip_${name}`)));
  const text = h("input", { maxlength: LONGEST, "aria-label": t("work.skip_text"), placeholder: t("work.skip_text") });
  const cancel = h("button", { type: "button" }, t("shared.cancel"));
  const form = h("form", { class: "stack" },
    h("h2", { id: "skip-title" }, t("work.skip_title")),
    h("p", { class: "quiet small" }, t("work.skip_more")),
    h("fieldset", { class: "stack", "aria-labelledby": "skip-title" }, radios), text,
    h("div", { class: "row" }, h("button", { class: "primary" }, t("work.skip")), cancel));
  const dialog = h("dialog", { "aria-labelledby": "skip-title" }, form);
  // Words without a reason are a reason of their own.
  text.addEventListener("input", () => {
    if (text.value && !new FormData(form).get("reason")) radios.at(-1).control.checked = true;
  });
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = new FormData(form).get("reason");
    dialog.close();
    skip(reason(name, text.value));
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** The admin reads the reason in the journal: its short name, and the worker's own words. */
function reason(name, text) {
  const own = text.replace(/[\u0000-\u001f\u007f]/g, " ").trim();
  return own ? `${name}: ${own}` : name;
}
