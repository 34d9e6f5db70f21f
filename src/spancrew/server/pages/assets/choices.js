// A sheet of questions: each token is one, and gets exactly one label.

import { h, say } from "./dom.js";
import { History } from "./editor-history.js";
import { fitted, put, same } from "./editor-spans.js";
import { colour, pieces } from "./editor-text.js";
import { sheetBody } from "./sheet-body.js";
import { t } from "./words.js";

let sheets = 0;

/** Asks for one label for each token, with radio buttons; the same interface as SpanBoard. */
export class ChoiceBoard {
  constructor(labels, { changed, help }) {
    Object.assign(this, { labels, changed, help, isLocked: false, history: new History([]), groups: [] });
    this.palette = null;
    this.element = h("div", { class: "sheet" });
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get spans() {
    return this.history.now.map((span) => ({ ...span }));
  }

  get canRemove() {
    return false;
  }

  get isComplete() {
    return this.history.now.length === this.groups.length;
  }

  show(sentence, spans) {
    const { tokens, gaps } = pieces(sentence);
    sheets += 1;
    this.groups = tokens.map((text, k) => this.#question(text, k));
    this.history = new History(this.#single(spans));
    const context = gaps.map((gap) => gap.trim() && sheetBody(gap));
    this.element.replaceChildren(...this.groups.flatMap((group, k) => [context[k], group]), context.at(-1));
    this.draw();
  }

  #single(spans) {
    return fitted(spans, this.groups.length).filter(({ start, end }) => end === start + 1);
  }

  #question(text, k) {
    const name = `sheet-${sheets}-${k}`;
    const choices = this.labels.map((label, place) => this.#choice(name, k, label, place));
    const legend = h("legend", { dir: "auto" }, h("span", { class: "quiet" }, `${k + 1}. `), text);
    return h("fieldset", { class: "question", data: { k } }, legend, h("div", { class: "row" }, choices));
  }

  #choice(name, k, label, place) {
    const radio = h("input", { type: "radio", name, value: label, on: { change: () => this.#answer(k, label) } });
    const digit = this.#digit(label, place);
    const key = digit && h("kbd", { "aria-hidden": "true" }, digit);
    const properties = { class: "choice line", data: { colour: colour(this.labels, label) } };
    return h("label", properties, radio, key, h("bdi", {}, label));
  }

  /** A rating has its own digit and a tie 0; other labels have the digit of their place. */
  #digit(label, place) {
    if (this.labels.every((each) => /^[0-9]$/.test(each))) return label;
    if (/^tie$/i.test(label)) return "0";
    return place < 9 && String(place + 1);
  }

  #answer(k, label) {
    this.#push(put(this.history.now, { start: k, end: k + 1, label }));
  }

  #push(spans) {
    if (same(spans, this.history.now)) return;
    this.history.push(spans);
    this.#done();
  }

  #done(note) {
    this.draw();
    if (note) say(t(`editor.said_${note}`, { n: this.history.now.length }));
    this.changed();
  }

  set(spans) {
    this.#push(this.#single(spans));
  }

  undo() {
    if (!this.isLocked && this.history.undo()) this.#done("undone");
  }

  redo() {
    if (!this.isLocked && this.history.redo()) this.#done("redone");
  }

  remove() {}

  lock(isLocked) {
    this.isLocked = isLocked;
    for (const radio of this.element.querySelectorAll("input")) radio.disabled = isLocked;
  }

  focus() {
    const open = this.groups.find((_, k) => !this.history.now.some(({ start }) => start === k));
    this.#radio(open ?? this.groups[0])?.focus();
  }

  #radio(group) {
    return group?.querySelector("input:checked") ?? group?.querySelector("input");
  }

  draw() {
    const chosen = new Map(this.history.now.map(({ start, label }) => [start, label]));
    this.groups.forEach((group, k) => {
      group.classList.toggle("answered", chosen.has(k));
      for (const radio of group.querySelectorAll("input")) radio.checked = chosen.get(k) === radio.value;
    });
    this.lock(this.isLocked);
  }

  /** A digit answers the question and goes on to the next one; arrows up and down go between questions. */
  #key(event) {
    const group = event.target.closest(".question");
    if (!group || this.isLocked || event.ctrlKey || event.metaKey || event.altKey) return;
    const k = Number(group.dataset.k);
    const label = this.labels.find((each, place) => this.#digit(each, place) === event.key);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "?") this.help();
    else if (label) this.#answer(k, label);
    else if (!step) return;
    event.preventDefault();
    if (label || step) this.#radio(this.groups[k + (step ?? 1)] ?? (label ? null : group))?.focus();
  }
}
