// The keys of the editor, in a dialog.

import { h } from "./dom.js";
import { t } from "./words.js";

const KEYS = {
  spans: [
    [["←", "→", "↑", "↓"], "move"], [["Home", "End"], "edges"], [["Ctrl ←", "Ctrl →"], "word"],
    [["Shift ←", "Shift →"], "extend"], [["N", "P"], "run"], [["Shift N"], "reach"],
    [["1", "…", "9"], "label"], [["/"], "palette"], [["Space"], "tap"], [["Delete"], "remove"],
    [["[", "]"], "end"], [["Shift [", "Shift ]"], "start"], [["Esc"], "escape"],
  ],
  choices: [[["↑", "↓"], "question"], [["0", "…", "9"], "choice"]],
  all: [[["Ctrl Z"], "undo"], [["Ctrl Shift Z", "Ctrl Y"], "redo"], [["?"], "help"]],
};

/** Return a dialog with the keys; `more` are those of the page: [[keys], text]. */
export function helpDialog(kind, more = []) {
  const own = [...KEYS[kind], ...KEYS.all].map(([keys, name]) => [keys, t(`editor.key_${name}`)]);
  const rows = [...own, ...more].map(([keys, text]) => {
    const shown = keys.flatMap((key, k) => [k ? " " : "", h("kbd", {}, key)]);
    return h("tr", {}, h("th", { scope: "row" }, ...shown), h("td", {}, text));
  });
  const close = h("button", { type: "button", class: "primary" }, t("shared.close"));
  const dialog = h("dialog", { class: "editor-help stack", "aria-labelledby": "editor-help-title" },
    h("h2", { id: "editor-help-title" }, t("editor.keys")),
    h("p", { class: "quiet small" }, t(`editor.how_${kind}`)),
    h("table", {}, h("tbody", {}, rows)),
    close);
  close.addEventListener("click", () => dialog.close());
  // Keys in the dialog are not meant for the page below it.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  return dialog;
}
