// The guide as workers see it.

import { $, h } from "./dom.js";
import { marked } from "./marks.js";
import { prose } from "./prose.js";
import { t } from "./words.js";

/** Show the guide as workers see it, in a dialog. */
export function showAsWorkers(draft, plan) {
  const dialog = $("#as-workers");
  const examples = draft.examples.map((lesson) => example(lesson, plan));
  dialog.replaceChildren(
    h(
      "div",
      { class: "stack" },
      h("h2", { id: "as-workers-title" }, t("guide.show_title")),
      draft.instructions.trim() ? prose(draft.instructions) : h("p", { class: "quiet" }, t("guide.no_instructions")),
      examples.length > 0 && h("h3", {}, t("guide.part_examples")),
      h("div", {}, ...examples),
      h("p", { class: "notice" }, after(draft.practice.length)),
      h("form", { method: "dialog", class: "row" }, h("button", { class: "primary" }, t("shared.close"))),
    ),
  );
  dialog.showModal();
}

function example({ sentence, spans, note }, { labels }) {
  return h(
    "div",
    { class: "lesson" },
    marked(sentence, spans, labels),
    spans.length === 0 && h("p", { class: "quiet small" }, t("guide.nothing_marked")),
    note && h("p", { class: "lesson-note small", dir: "auto" }, note),
  );
}

const after = (n) => (n ? t("guide.training_then", { n }) : t("guide.training_none"));
