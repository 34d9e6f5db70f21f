// What a worker says of a sentence beside their answer: a note to the expert, or what is wrong with it.

import { h } from "./dom.js";
import { t } from "./words.js";

const FLAGS = ["broken", "language", "guide", "unsuitable", "other"];
const LONGEST = 500;

/** Ask for a note and a flag, and give what was said; nothing happens if it is cancelled. */
export function askRemark({ note, flag }, give) {
  const text = h("textarea", { id: "remark-note", rows: "3", maxlength: LONGEST, dir: "auto" });
  text.value = note;
  const radios = ["", ...FLAGS].map((name) => h("label", { class: "line" },
    h("input", { type: "radio", name: "flag", value: name, checked: name === flag }), t(name ? `work.flag_${name}` : "work.flag_none")));
  const cancel = h("button", { type: "button" }, t("shared.cancel"));
  const form = h("form", { class: "stack" },
    h("h2", { id: "remark-title" }, t("work.remark_title")),
    h("p", { class: "quiet small" }, t("work.remark_more")),
    h("label", { for: "remark-note" }, t("work.note")), text,
    h("fieldset", { class: "stack" }, h("legend", {}, t("work.flag")), radios),
    h("div", { class: "row" }, h("button", { class: "primary" }, t("work.remark_save")), cancel));
  const dialog = h("dialog", { class: "remark", "aria-labelledby": "remark-title" }, form);
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = text.value.replace(/[\u0000-\u001f\u007f]/g, " ").trim();
    dialog.close();
    give({ note: said, flag: new FormData(form).get("flag") ?? "" });
  });
  document.body.append(dialog);
  dialog.showModal();
  text.focus();
}
