// The instructions of the campaign in a dialog; read when they are wanted.

import { callHere } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

let dialog = null;

/** Show the instructions and examples; `labels` are those of the campaign. */
export async function showGuide(labels) {
  dialog ??= frame();
  dialog.showModal();
  try {
    const guide = await callHere("GET", "/guide");
    dialog.lastChild.replaceChildren(...(await contents(guide, labels)));
  } catch (error) {
    dialog.lastChild.replaceChildren(h("p", { class: "quiet" }, error.status === 404 ? t("expert.no_instructions") : error.text));
  }
}

function frame() {
  const close = h("button", { type: "button", class: "small", on: { click: () => made.close() } }, t("shared.close"));
  const made = h("dialog", { class: "guide-dialog", "aria-labelledby": "guide-title" },
    h("div", { class: "row between" }, h("h2", { id: "guide-title" }, t("expert.instructions")), close), h("div", { class: "stack" }));
  document.body.append(made);
  return made;
}

async function contents({ instructions, examples }, labels) {
  if (!instructions && !examples.length) return [h("p", { class: "quiet" }, t("expert.no_instructions"))];
  const [{ prose }, { marked }] = await Promise.all([import("./prose.js"), import("./marks.js")]);
  const found = examples.map(({ sentence, spans, note }) =>
    h("li", {}, marked(sentence, spans, labels, { compact: true }), note && h("p", { class: "small quiet", dir: "auto" }, note)));
  return [prose(instructions), found.length > 0 && h("h3", {}, t("expert.examples")), found.length > 0 && h("ul", { class: "stack" }, found)].filter(Boolean);
}
