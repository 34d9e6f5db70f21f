// A sentence whose spans are marked: the model, its view, and all ways to act on it.

import { h, say } from "./dom.js";
import { runsOf, wordsOf } from "./editor-jumps.js";
import { actOf } from "./editor-keys.js";
import { keysOf } from "./editor-legend.js";
import { Model } from "./editor-model.js";
import { Palette } from "./editor-palette.js";
import { Pointers } from "./editor-pointer.js";
import { SentenceView } from "./editor-sentence.js";
import { spanAt } from "./editor-spans.js";
import { covered } from "./editor-text.js";
import { language, t } from "./words.js";

const TOLD = ["replaced", "cut"];

/** Marks spans in a sentence; calls `changed` after each act, and `help` when somebody asks for it. */
export class SpanBoard {
  constructor(labels, { changed, help, doubts }) {
    Object.assign(this, { changed, help, doubts, isLocked: false, model: new Model(0), keys: keysOf(labels) });
    if (labels.length === 1) [this.model.last] = labels;
    this.view = new SentenceView(labels);
    this.hint = h("p", { class: "editor-hint quiet small" });
    this.element = h("div", { class: "board" }, this.view.element, this.hint);
    this.palette = new Palette(labels, { choose: (label) => this.#choose(label), leave: () => this.#leave() });
    this.pointers = new Pointers(this.view, this.#pointerActs());
    this.view.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get spans() {
    return this.model.spans.map((span) => ({ ...span }));
  }

  get canRemove() {
    const { selection, chosen, spans } = this.model;
    const isIn = ({ start, end }) => start < selection.end && end > selection.start;
    return !this.isLocked && (selection ? spans.some(isIn) : chosen !== null);
  }

  show(sentence, spans) {
    const { brush, last } = this.model;
    this.sentence = sentence;
    this.view.make(sentence);
    const places = { words: wordsOf(sentence, language), runs: runsOf(this.view.texts) };
    this.model = Object.assign(new Model(sentence.tokens.length, spans, places), { brush, last });
    this.draw();
  }

  set(spans) {
    this.model.deselect();
    if (this.model.commit(spans)) this.#done(null);
  }

  focus() {
    this.view.focus(this.model.focus);
  }

  lock(isLocked) {
    this.isLocked = isLocked;
    this.model.deselect();
    this.view.element.classList.toggle("locked", isLocked);
    this.view.element.setAttribute("aria-readonly", String(isLocked));
    this.draw();
  }

  undo() {
    this.#done(this.isLocked ? null : this.model.undo());
  }

  redo() {
    this.#done(this.isLocked ? null : this.model.redo());
  }

  remove() {
    this.#done(this.isLocked ? null : this.model.remove());
  }

  /** Say that the chosen span may be wrong, or take that back. */
  doubt() {
    this.#done(this.isLocked ? null : this.model.doubt());
  }

  get isUnsure() {
    return Boolean(spanAt(this.model.spans, this.model.focus)?.unsure);
  }

  get canDoubt() {
    return !this.isLocked && this.model.chosen !== null;
  }

  draw() {
    const { model } = this;
    this.view.draw(model);
    const inForce = model.asked ?? (model.selection ? null : (model.chosen?.label ?? model.brush));
    this.palette.draw(inForce, this.isLocked);
    this.hint.textContent = this.isLocked ? "" : this.#hint();
  }

  #hint() {
    const { model } = this;
    if (model.asked) return t("editor.hint_asked", { label: model.asked });
    if (model.isOpen) return t("editor.hint_open");
    if (model.selection) return t("editor.hint_selected");
    if (model.chosen) return t("editor.hint_chosen");
    return model.brush ? t("editor.hint_brush", { label: model.brush }) : t("editor.hint");
  }

  /** Show what an act has done, and say it. */
  #done(note) {
    this.draw();
    if (note) say(this.#told(note));
    // What was marked before is never gone without a word.
    if (TOLD.includes(note?.what)) this.hint.textContent = this.#told(note);
    this.changed();
  }

  #told({ what, span, range, label, n }) {
    const where = span ?? range;
    const text = where ? covered(this.sentence, where) : "";
    return t(`editor.said_${what}`, { text, label: span?.label ?? label, n });
  }

  #choose(label) {
    if (this.isLocked) return;
    const { model, isAsked } = this;
    const isForSome = isAsked || Boolean(model.selection || model.chosen);
    this.isAsked = false;
    // Who came from a token with the keyboard wants to label that one; a pointer without a selection takes a brush.
    this.#done(isAsked ? model.label(label) : model.choose(label));
    if (isForSome) this.focus();
  }

  #leave() {
    this.isAsked = false;
    this.focus();
  }

  #pointerActs() {
    const free = (act) => (...values) => {
      if (!this.isLocked && this.model.size) act(...values);
    };
    return {
      tap: free((token, isShift) => this.#tap(token, isShift)),
      double: free((token) => this.#atFocus(() => this.model.double(token))),
      press: free((token, isLong = true) => this.#press(token, isLong)),
      drag: free((token) => this.#quietly(() => this.model.select(this.model.anchor, token))),
      drop: free(() => this.#atFocus(() => this.model.drop())),
      hold: free((side, token) => this.#quietly(() => this.model.hold(side, token))),
      release: free(() => this.#atFocus(() => this.model.release())),
      cancel: free(() => this.#quietly(() => this.model.escape())),
    };
  }

  #tap(token, isShift) {
    this.#atFocus(() => (isShift ? this.model.move(token, true) : this.model.tap(token)));
  }

  /** A long press goes on with the selection that there is; a drag begins a new one. */
  #press(token, isLong) {
    const anchor = isLong && this.model.anchor !== null ? this.model.anchor : token;
    this.#quietly(() => this.model.select(anchor, token));
  }

  #quietly(act) {
    act();
    this.draw();
  }

  #atFocus(act) {
    this.#done(act());
    this.view.tokens[this.model.focus]?.focus({ preventScroll: true });
  }

  #key(event) {
    const act = this.model.size ? this.#labelOf(event) ?? actOf(event, this.view.isRtl) : null;
    // Steps back and forth are for the whole editor, not only for the sentence.
    if (!act || act[0] === "undo" || act[0] === "redo" || (act[0] === "doubt" && !this.doubts)) return;
    if (this.isLocked && !["move", "line", "help"].includes(act[0])) return;
    if (act[0] === "escape" && !this.model.escape()) return;
    event.preventDefault();
    this.#perform(act);
  }

  /** A label with a key of its own goes before all other keys. */
  #labelOf({ key, isComposing, ctrlKey, metaKey, altKey }) {
    const label = isComposing || ctrlKey || metaKey || altKey ? null : this.keys.get(key.toLowerCase());
    return label ? ["label", label] : null;
  }

  #perform([name, ...values]) {
    const { model } = this;
    const acts = {
      move: (step, isExtending) => this.#move(model.focus + step, isExtending),
      line: (step, isExtending) => this.#move(this.view.nextLine(model.focus, step), isExtending),
      word: (step, isExtending) => this.#moved(model.word(step, isExtending)),
      run: (step) => this.#moved(model.run(step)),
      reach: () => this.#moved(model.reach()),
      digit: (digit) => (this.keys.has(digit) ? model.label(this.keys.get(digit)) : null),
      label: (label) => model.label(label),
      doubt: () => model.doubt(),
      remove: () => model.remove(),
      nudge: (side, step) => model.nudge(side, step),
      tap: () => model.tap(model.focus),
      escape: () => null,
    };
    if (name === "help") this.help();
    else if (name === "palette") this.#ask();
    else this.#done(acts[name](...values));
  }

  #ask() {
    this.isAsked = true;
    this.palette.focus();
  }

  #move(token, isExtending) {
    return this.#moved(this.model.move(token, isExtending));
  }

  #moved(note) {
    this.draw();
    this.focus();
    return note;
  }
}
