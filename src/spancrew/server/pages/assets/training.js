// A short training: sentences whose labels are known, and what was right after each.

import { callHere } from "./api.js";
import { h, notice, say, styled } from "./dom.js";
import { Editor } from "./editor.js";
import { colour, covered } from "./editor-text.js";
import { marked } from "./marks.js";
import { t } from "./words.js";

/** A training in an element; `run` returns when each sentence was answered. */
export class Training {
  constructor(stage, { labels, kind, of, showGuide }) {
    Object.assign(this, { stage, labels, of });
    this.check = h("button", { type: "button", class: "primary", on: { click: () => this.#check() } }, t("work.check"));
    this.told = h("div", { class: "stack", id: "told" });
    this.title = h("h2", {});
    this.track = h("i");
    const board = h("div");
    const plain = { type: "button", class: "plain small push", on: { click: showGuide } };
    const guide = showGuide && h("button", plain, t("work.instructions"));
    this.editor = new Editor(board, { labels, kind, actions: [this.check] });
    board.addEventListener("keydown", (event) => this.#key(event));
    this.element = h("section", { class: "card stack training" },
      h("div", { class: "row" }, this.title, guide), h("div", { class: "track", "aria-hidden": "true" }, this.track),
      h("p", { class: "quiet small" }, t("work.training_more")), board, this.told);
  }

  /** Go through all sentences. */
  async run() {
    await styled("training.css");
    this.stage.replaceChildren(this.element);
    for (let n = 0; n < this.of; n++) await this.#one(n);
  }

  async #one(n) {
    const { sentence } = await callHere("GET", `/training/${n}`);
    Object.assign(this, { n, sentence });
    this.title.textContent = t("work.training", { n: n + 1, of: this.of });
    this.track.style.width = `${(100 * n) / this.of}%`;
    this.#again([]);
    say(`${this.title.textContent}. ${sentence.text}`);
    return new Promise((done) => (this.done = done));
  }

  #again(spans) {
    this.editor.lock(false);
    this.editor.show(this.sentence, spans);
    this.told.replaceChildren();
    this.editor.bar.hidden = this.check.hidden = false;
    this.editor.focus();
  }

  #key(event) {
    if (event.key !== "Enter" || event.repeat || event.target.closest("button, input, dialog")) return;
    event.preventDefault();
    if (!this.check.hidden) this.#check();
  }

  async #check() {
    if (!this.editor.isComplete) {
      this.told.replaceChildren(notice("info", t("work.all_questions")));
      return;
    }
    const { spans } = this.editor;
    try {
      const found = await callHere("POST", `/training/${this.n}`, { spans });
      this.#tell(found, spans);
    } catch (error) {
      this.told.replaceChildren(notice("bad", error.text));
    }
  }

  #tell(found, spans) {
    this.editor.lock(true);
    this.editor.bar.hidden = this.check.hidden = true;
    const [kind, text] = found.perfect ? ["good", t("work.perfect")] : ["warn", t("work.not_yet")];
    const goOn = h("button", { type: "button", class: "primary", on: { click: () => this.done() } },
      this.n + 1 < this.of ? t("work.go_on") : t("work.start_work"));
    const again = h("button", { type: "button", on: { click: () => this.#again(spans) } }, t("work.try_again"));
    this.told.replaceChildren(
      notice(kind, text),
      this.#list("right", found.right), this.#list("missing", found.missing), this.#list("extra", found.extra),
      found.perfect ? "" : h("h3", {}, t("work.right_answer")),
      found.perfect ? "" : marked(this.sentence, [...found.right, ...found.missing], this.labels),
      found.note ? h("p", { dir: "auto" }, found.note) : "",
      h("div", { class: "row" }, goOn, found.perfect ? "" : again));
    say([text, ...Object.keys(KINDS).map((name) => this.#said(name, found[name]))].filter(Boolean).join(" "));
    goOn.focus({ preventScroll: true });
    this.told.scrollIntoView({ block: "nearest" });
  }

  #said(name, spans) {
    const texts = spans.map((span) => `${covered(this.sentence, span)} ${span.label}`);
    return texts.length ? `${t(`work.told_${name}`)}: ${texts.join(", ")}.` : "";
  }

  #list(name, spans) {
    if (!spans.length) return "";
    const chips = spans.map((span) => {
      const properties = { class: `told ${name}`, data: { colour: colour(this.labels, span.label) } };
      const text = h("bdi", {}, covered(this.sentence, span));
      return h("span", properties, h("bdi", { class: "mark-tag" }, span.label), " ", text);
    });
    const kind = h("span", { class: `chip ${KINDS[name]}` }, t(`work.told_${name}`));
    return h("div", { class: "row told-row" }, kind, chips);
  }
}

const KINDS = { right: "good", missing: "warn", extra: "bad" };
