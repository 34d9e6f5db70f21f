// A dialog that asks before something happens.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Ask; return the values of the fields by name, or null if it was called off. */
export function asked({ title, text, fields = [], yes, danger = false }) {
  return new Promise((settle) => {
    const form = h("form", { method: "dialog", class: "stack" });
    const dialog = h("dialog", { "aria-labelledby": "asked-title" }, form);
    const cancel = h("button", { type: "button", on: { click: () => dialog.close() } }, t("shared.cancel"));
    const go = h("button", { class: danger ? "danger" : "primary", value: "yes" }, yes);
    form.append(
      h("h2", { id: "asked-title", dir: "auto" }, title),
      ...(text ? [h("p", {}, text)] : []),
      ...fields,
      h("div", { class: "row" }, go, cancel),
    );
    dialog.addEventListener("close", () => {
      settle(dialog.returnValue === "yes" ? Object.fromEntries(new FormData(form)) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
