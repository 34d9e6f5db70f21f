// The card with all answers: the consensus on top, a row for each worker, each can be taken over whole.

import { h } from "./dom.js";
import { same } from "./editor-spans.js";
import { compared } from "./expert-spans.js";
import { choiceRow, legend, remarkOf, shownTokens, spanRow } from "./expert-rows.js";
import { t } from "./words.js";

/** Rows of answers; `take` is called with one span, `takeAll` with all of a row and whose they are. */
export class Answers {
  constructor(sheet, { take, takeAll }) {
    this.rows = [];
    const row = (spans, given) => this.#row(sheet, spans, given, { take, takeAll, shown });
    const shown = shownTokens(sheet);
    const kinds = new Set(sheet.answers.flatMap(({ spans }) => compared(spans, sheet.crowd).map(({ kind }) => kind)));
    const signs = ["differs", "extra", "missing"].filter((kind) => kinds.has(kind) && (sheet.kind === "spans" || kind === "differs"));
    this.element = h("section", { class: "card stack", "aria-labelledby": "answers-title" },
      h("div", { class: "row between" }, h("h2", { id: "answers-title" }, t("expert.answers")), signs.length > 0 && legend(signs)),
      h("ul", { class: "answers" }, row(sheet.crowd, null), sheet.answers.map((given) => row(given.spans, given))));
  }

  #row(sheet, spans, given, { take, takeAll, shown }) {
    const body = sheet.kind === "choices" ? choiceRow(sheet, spans, { take }) : spanRow(sheet, spans, { shown, take, unsure: given?.unsure });
    const whose = given ? t("expert.take_answer", { who: given.initials }) : t("expert.take_consensus");
    const button = h("button", { type: "button", class: "small", on: { click: () => takeAll(spans, given) } },
      t("expert.take"), h("span", { class: "sr-only" }, ` ${whose}`));
    this.rows.push({ spans, button });
    return h("li", { class: given ? "answer" : "answer consensus" }, h("div", { class: "answer-who" }, ...who(given)),
      h("div", { class: "answer-body" }, ...body, ...(given ? remarkOf(given) : [])), button);
  }

  /** Show which rows are the same as the labels now. */
  draw(labels) {
    for (const { spans, button } of this.rows) button.setAttribute("aria-pressed", String(same(sorted(spans), labels)));
  }
}

const sorted = (spans) => [...spans].sort((one, other) => one.start - other.start);

function who(given) {
  if (!given) return [h("strong", {}, t("expert.consensus"))];
  const isNamed = given.initials !== given.worker;
  return [h("span", { class: "initials" }, given.initials), isNamed && h("span", { class: "quiet small" }, ` ${given.worker}`)];
}
