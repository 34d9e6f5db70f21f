// What a campaign says about the work: instructions and examples.

import { h } from "./dom.js";
import { marked } from "./marks.js";
import { prose } from "./prose.js";
import { t } from "./words.js";

/** Return an element with instructions and examples. */
export function guideText(guide, labels) {
  const examples = guide.examples.map(({ sentence, spans, note }) => h("li", { class: "example" },
    marked(sentence, spans, labels), note && h("p", { class: "quiet small", dir: "auto" }, note)));
  return h("div", { class: "stack" },
    prose(guide.instructions),
    examples.length > 0 && h("h3", {}, t("work.examples")),
    examples.length > 0 && h("ul", { class: "examples stack" }, examples));
}

let dialog = null;

/** Show the guide in a dialog. */
export function showGuide(guide, labels) {
  dialog ??= frame(guide, labels);
  dialog.showModal();
  dialog.scrollTop = 0;
}

function frame(guide, labels) {
  const close = h("button", { type: "button", class: "primary" }, t("shared.close"));
  const title = h("h2", { id: "guide-title" }, t("work.instructions"));
  const made = h("dialog", { class: "guide", "aria-labelledby": "guide-title" },
    h("div", { class: "stack" }, title, guideText(guide, labels), close));
  close.addEventListener("click", () => made.close());
  made.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(made);
  return made;
}

/** Show the guide before the first sentence; return when the worker goes on. */
export function readGuide(stage, guide, labels, goOn) {
  return new Promise((done) => {
    const button = h("button", { type: "button", class: "primary", on: { click: done } }, goOn);
    stage.replaceChildren(h("section", { class: "card stack" },
      h("h2", {}, t("work.instructions")), guideText(guide, labels), h("div", { class: "row" }, button)));
    button.focus({ preventScroll: true });
  });
}
