// What is marked and selected in a sentence, and what each act does to it. Nothing here knows the page.
//
// `focus` is the token where the person is; a selection runs from `anchor` to `head`, and is `isOpen` after a first
// click that waits for a second. `isPicked`: the span at the focus is shown with handles. `brush`: the label that
// every new selection gets at once. `last`: the label that was used last. `asked`: a label that would cost other spans, and
// is waiting to be chosen once more. `words` and `runs` are where the keyboard can jump to. Every act returns what there is to say about it: {what, ...}, or null.

import { History } from "./editor-history.js";
import { bordered, fitted, placed, same, spanAt, without } from "./editor-spans.js";

/** The state of a sentence that is being marked. */
export class Model {
  constructor(size, spans = [], { words, runs = [] } = {}) {
    Object.assign(this, { size, runs, words: words ?? Array.from({ length: size }, (_, k) => ({ start: k, end: k + 1 })) });
    this.history = new History(fitted(spans, size));
    this.brush = this.last = null;
    this.focus = 0;
    this.held = null;
    this.deselect();
  }

  get spans() {
    return this.held?.spans ?? this.history.now;
  }

  get selection() {
    if (this.anchor === null) return null;
    return { start: Math.min(this.anchor, this.head), end: Math.max(this.anchor, this.head) + 1 };
  }

  /** Return the span that is shown with handles, or null. */
  get chosen() {
    if (this.held) return this.held.span;
    return this.isPicked && this.anchor === null ? spanAt(this.spans, this.focus) : null;
  }

  deselect() {
    this.anchor = this.head = null;
    this.isOpen = this.isPicked = false;
    this.asked = null;
  }

  /** Select from one token to another. */
  select(anchor, head, isOpen = false) {
    Object.assign(this, { anchor, head, isOpen, isPicked: false, asked: null, focus: head });
    return { what: "selected", range: this.selection };
  }

  /** Click a token: the first or the last of a selection, or one of a span that is to be changed. */
  tap(token) {
    if (this.isOpen) return this.#close(token);
    const span = spanAt(this.spans, token);
    if (span && this.chosen?.start !== span.start) {
      this.deselect();
      Object.assign(this, { focus: token, isPicked: true });
      return { what: "chosen", span };
    }
    return this.select(token, token, true);
  }

  /** Click a token twice: its word is marked, with the brush or the label that was used last; else it is selected. */
  double(token) {
    if (!this.isOpen || token !== this.anchor) return this.tap(token);
    const { start, end } = this.#wordAt(token);
    const said = this.select(start, end - 1);
    const note = this.brush || this.last ? this.label(this.brush ?? this.last) : said;
    // Another label can be chosen for it at once.
    if (!this.selection && !this.brush) this.isPicked = true;
    return note;
  }

  #wordAt(token) {
    return spanAt(this.words, token) ?? { start: token, end: token + 1 };
  }

  #close(token) {
    if (token !== this.anchor) {
      const said = this.select(this.anchor, token);
      return this.brush ? this.label(this.brush) : said;
    }
    if (this.brush) return this.label(this.brush);
    this.deselect();
    return null;
  }

  /** End a drag: with a brush the selection is marked. */
  drop() {
    return this.brush ? this.label(this.brush) : { what: "selected", range: this.selection };
  }

  /** Move the focus to a token; with `extends_` the selection grows to it. */
  move(token, extends_ = false) {
    const to = Math.min(Math.max(token, 0), this.size - 1);
    if (extends_) return this.select(this.anchor ?? this.focus, to);
    this.deselect();
    Object.assign(this, { focus: to, isPicked: true });
    return null;
  }

  /** Go to the next word or the one before; with `extends_` the selection grows to its end, or shrinks by it. */
  word(step, extends_ = false) {
    return this.move(extends_ ? this.#wordEnd(this.focus, step) : this.#wordStart(this.focus, step), extends_);
  }

  #wordStart(token, step) {
    const at = this.words.findIndex(({ end }) => token < end);
    const isInside = this.words[at]?.start < token;
    return this.words[step > 0 ? at + 1 : isInside ? at : at - 1]?.start ?? token;
  }

  #wordEnd(token, step) {
    const at = this.words.findIndex(({ end }) => token < end);
    const isInside = token < this.words[at]?.end - 1;
    return (this.words[step < 0 ? at - 1 : isInside ? at : at + 1]?.end ?? token + 1) - 1;
  }

  /** Select the next run without any span, or the one before. */
  run(step) {
    const isFree = (run) => !this.spans.some(({ start, end }) => start < run.end && end > run.start);
    const { start, end } = this.selection ?? spanAt(this.spans, this.focus) ?? { start: this.focus, end: this.focus };
    const free = this.runs.filter(isFree);
    const found = step > 0 ? free.find((run) => run.start >= end) : free.findLast((run) => run.end <= start);
    return found ? this.select(found.start, found.end - 1) : null;
  }

  /** Let the selection grow to the end of the next run. */
  reach() {
    const found = this.runs.find(({ end }) => end - 1 > this.focus);
    return found ? this.select(this.anchor ?? this.focus, found.end - 1) : null;
  }

  /** Label the selection, else the span at the focus, else the token at the focus; other spans only go if it is said twice. */
  label(label) {
    if (!this.size) return null;
    const at = spanAt(this.spans, this.focus);
    const { start, end } = this.selection ?? at ?? { start: this.focus, end: this.focus + 1 };
    const { spans, span, lost, cut } = placed(this.spans, { start, end, label });
    const n = lost.length;
    if (n && this.asked !== label) {
      this.asked = label;
      return { what: "asked", span, n };
    }
    this.deselect();
    this.last = label;
    if (!this.commit(spans)) return null;
    const what = n ? "replaced" : cut.length ? "cut" : "marked";
    return { what, span, n: n || cut.length };
  }

  /** Say that the span at the focus may be wrong, or take that back. */
  doubt() {
    const span = spanAt(this.spans, this.focus);
    if (!span) return null;
    const unsure = !span.unsure;
    this.commit(this.spans.map((each) => (each === span ? { ...each, unsure } : each)));
    return { what: unsure ? "unsure" : "sure", span };
  }

  /** Choose a label with the pointer: for what is selected, else as the brush. */
  choose(label) {
    if (this.selection || this.chosen) return this.label(label);
    this.brush = this.brush === label ? null : label;
    return this.brush ? { what: "brush", label } : { what: "no_brush" };
  }

  /** Remove the spans of the selection, else the one at the focus. */
  remove() {
    const span = spanAt(this.spans, this.focus);
    const range = this.selection ?? span;
    if (!range || !this.commit(without(this.spans, range))) return null;
    this.deselect();
    return { what: "removed", range };
  }

  /** Move a border of the selection by a word, else one of the span at the focus by one token. */
  nudge(side, step) {
    if (this.selection) return this.#resize(side, step);
    const span = spanAt(this.spans, this.focus);
    if (!span) return null;
    const token = side === "start" ? span.start + step : span.end - 1 + step;
    const moved = bordered(this.spans, span, side, token, this.size);
    if (!this.commit(moved.spans)) return null;
    this.deselect();
    this.isPicked = true;
    this.focus = Math.min(Math.max(this.focus, moved.span.start), moved.span.end - 1);
    return { what: "marked", span: moved.span };
  }

  #resize(side, step) {
    const { start, end } = this.selection;
    const first = side === "start" ? Math.min(this.#wordStart(start, step), end - 1) : start;
    const last = side === "end" ? Math.max(this.#wordEnd(end - 1, step), start) : end - 1;
    return this.select(first, last);
  }

  /** Drag a border of the chosen span over a token; it is one step when it is let go. */
  hold(side, token) {
    const start = this.held ?? { from: this.chosen };
    if (!start.from) return;
    this.held = { from: start.from, ...bordered(this.history.now, start.from, side, token, this.size) };
  }

  /** Let a border go. */
  release() {
    const { held } = this;
    this.held = null;
    if (!held || !this.commit(held.spans)) return null;
    Object.assign(this, { focus: held.span.start, isPicked: true });
    return { what: "marked", span: held.span };
  }

  /** Give up what was begun last: a border, a selection, a choice, the brush. */
  escape() {
    if (this.held) this.held = null;
    else if (this.selection || this.isPicked) this.deselect();
    else if (this.brush) this.brush = null;
    else return false;
    return true;
  }

  /** Replace all spans in one step; tell whether this changed any. */
  commit(spans) {
    const next = fitted(spans, this.size);
    if (same(next, this.history.now)) return false;
    this.history.push(next);
    return true;
  }

  undo() {
    this.held = null;
    this.deselect();
    return this.history.undo() ? { what: "undone", n: this.spans.length } : null;
  }

  redo() {
    this.held = null;
    this.deselect();
    return this.history.redo() ? { what: "redone", n: this.spans.length } : null;
  }
}
