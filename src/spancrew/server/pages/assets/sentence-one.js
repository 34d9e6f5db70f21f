// One sentence: its labels, all answers word under word, votes, who was asked and why, and its events.

import { callHere } from "./api.js";
import { asked } from "./ask.js";
import { h, say } from "./dom.js";
import { covered } from "./editor-text.js";
import { marked } from "./marks.js";
import { chipsOf } from "./sentence-chips.js";
import { language, percent, t } from "./words.js";

const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
const plain = ({ start, end, label }) => ({ start, end, label });

/** Shows a sentence in an element; `again` shows it once more after a change, `told` tells of trouble. */
export class Sentence {
  constructor(element, found, { again, told }) {
    Object.assign(this, { element, found, again, told });
    const { hit, labels_offered: labels } = found;
    const back = h("a", { href: location.pathname, on: { click: (event) => this.#back(event) } }, t("sentences.back"));
    this.title = h("h1", { dir: "auto", tabindex: "-1" }, hit.sentence.id);
    this.place = h("div", { class: "stack" }, marked(hit.sentence, hit.labels, labels));
    const card = h("section", { class: "card stack", "aria-label": t("sentences.labels_now") },
      h("div", { class: "facts" }, ...chipsOf(hit)), this.place, this.#actions());
    element.replaceChildren(h("p", {}, back), this.title, card, this.#votes(), this.#answers(), this.#asked(), this.#events());
    this.title.focus();
  }

  #back(event) {
    if (history.length < 2 || !document.referrer.startsWith(location.origin + location.pathname)) return;
    event.preventDefault();
    history.back();
  }

  #card(name, ...children) {
    return h("section", { class: "card stack", "aria-labelledby": `${name}-title` },
      h("h2", { id: `${name}-title` }, t(`sentences.${name}`)), ...children);
  }

  #actions() {
    if (!this.found.may_correct) return null;
    const button = (name, act) => h("button", { type: "button", on: { click: act } }, t(`sentences.${name}`));
    return (this.buttons = h("div", { class: "actions-row" },
      button("overrule", () => this.#edit()), button("reopen", () => this.#reopen())));
  }

  /** Let an admin change the labels where they stand. */
  async #edit() {
    const { Editor, ready } = await import("./editor.js");
    const { hit, labels_offered: labels, kind } = this.found;
    const board = h("div");
    const note = h("input", { name: "note", maxlength: "2000" });
    const send = h("button", { type: "button", class: "primary", on: { click: () => this.#overrule(editor, note.value) } }, t("sentences.save"));
    const cancel = h("button", { type: "button", on: { click: () => this.again() } }, t("shared.cancel"));
    await ready(kind);
    const editor = new Editor(board, { labels, kind });
    this.place.replaceChildren(board, h("label", {}, t("sentences.note"), " ", note), h("div", { class: "actions-row" }, send, cancel));
    this.buttons.hidden = true;
    editor.show(hit.sentence, hit.labels.map(plain));
    editor.focus();
  }

  async #overrule(editor, note) {
    const isEmpty = editor.spans.length === 0;
    const question = { title: t("sentences.sure"), text: t(isEmpty ? "sentences.sure_empty" : "sentences.sure_more"), yes: t("sentences.save") };
    if (await asked(question)) await this.#send("overrule", { spans: editor.spans.map(plain), note }, t("sentences.overruled"));
  }

  async #reopen() {
    const field = h("label", {}, t("sentences.note"), " ", h("input", { name: "note", maxlength: "2000" }));
    const given = await asked({ title: t("sentences.reopen"), text: t("sentences.reopen_more"), fields: [field], yes: t("sentences.reopen") });
    if (given) await this.#send("reopen", given, t("sentences.reopened"));
  }

  async #send(what, body, words) {
    try {
      await callHere("POST", `/sentences/${this.found.hit.number}/${what}`, body);
      await this.again();
      say(words);
    } catch (error) {
      this.told(error);
    }
  }

  #votes() {
    const { hit } = this.found;
    if (!hit.labels.length) return this.#card("votes", h("p", { class: "quiet" }, t("sentences.nothing_marked")));
    const rows = hit.labels.map((label) => h("tr", {},
      h("td", { dir: "auto" }, covered(hit.sentence, label)), h("td", {}, label.label),
      h("td", {}, label.confidence == null ? "–" : percent(label.confidence)), h("td", {}, label.voters.join(", ") || "–")));
    return this.#card("votes", table("votes", ["span", "label", "probability", "voters"], rows));
  }

  #answers() {
    const { answers, hit, labels_offered: labels } = this.found;
    if (!answers.length) return this.#card("answers", h("p", { class: "quiet" }, t("sentences.no_answers")));
    const rows = answers.map((given) => h("li", {},
      h("a", { href: `${location.pathname}?worker=${given.worker}`, dir: "auto" }, given.name ?? given.worker,
        given.counted ? null : h("span", { class: "quiet small" }, ` ${t("sentences.surplus")}`)),
      marked(hit.sentence, given.spans, labels, { compact: true }),
      h("span", { class: "figure", title: t("sentences.score") }, given.reward == null ? "–" : given.reward.toFixed(2))));
    return this.#card("answers", h("ul", { class: "said" }, ...rows));
  }

  #asked() {
    const { assignments } = this.found;
    if (!assignments.length) return null;
    const rows = assignments.map(({ worker, name, at, purpose, reason }) => h("tr", {},
      h("td", { dir: "auto" }, name ?? worker), h("td", {}, times.format(at * 1000)),
      h("td", {}, t(`sentences.purpose_${purpose.replace("-", "_")}`)), h("td", {}, reasonOf(reason))));
    return this.#card("asked", table("asked", ["worker", "when", "purpose", "reason"], rows));
  }

  #events() {
    const { events } = this.found;
    if (!events.length) return null;
    const rows = events.map(({ kind, at, body }) => h("li", {}, h("time", { class: "quiet small" }, times.format(at * 1000)),
      h("details", {}, h("summary", {}, t(`sentences.kind_${kind}`)), h("pre", {}, JSON.stringify(body, null, 1)))));
    return this.#card("events", h("ol", { class: "happened" }, ...rows));
  }
}

function table(name, columns, rows) {
  const heads = columns.map((each) => h("th", { scope: "col" }, t(`sentences.${each}`)));
  return h("table", { class: name, "aria-labelledby": `${name}-title` }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows));
}

const reasonOf = ({ rank, crew, mean, scored }) =>
  [
    rank == null ? null : t("sentences.rank", { rank, crew }),
    scored ? t("sentences.mean", { score: mean?.toFixed(2) ?? "–", n: Math.round(scored) }) : t("sentences.no_score"),
  ].filter(Boolean).join(" · ");
