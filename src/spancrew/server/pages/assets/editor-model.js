// What is marked and selected in a sentence, and what each act does to it. Nothing here knows the page.
//
// `focus` is the token where the person is; a selection runs from `anchor` to `head`, and is `isOpen` after a first
// click that waits for a second. `isPicked`: the span at the focus is shown with handles. `brush`: the label that
// every new selection gets at once. Every act returns what there is to say about it: {what, ...}, or null.

import { History } from "./editor-history.js";
import { bordered, fitted, put, same, spanAt, without } from "./editor-spans.js";

/** The state of a sentence that is being marked. */
export class Model {
  constructor(size, spans = []) {
    this.size = size;
    this.history = new History(fitted(spans, size));
    this.brush = null;
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
  }

  /** Select from one token to another. */
  select(anchor, head, isOpen = false) {
    Object.assign(this, { anchor, head, isOpen, isPicked: false, focus: head });
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

  /** Click a token twice: it is the whole selection, and marked at once with a brush. */
  double(token) {
    if (!this.isOpen || token !== this.anchor) return this.tap(token);
    return this.brush ? this.label(this.brush) : this.select(token, token);
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

  /** Label the selection, else the span at the focus, else the token at the focus. */
  label(label) {
    if (!this.size) return null;
    const token = { start: this.focus, end: this.focus + 1 };
    const { start, end } = this.selection ?? spanAt(this.spans, this.focus) ?? token;
    this.deselect();
    const span = { start, end, label };
    const isLost = (other) => other.start < end && other.end > start && (other.start !== start || other.end !== end);
    const n = this.spans.filter(isLost).length;
    if (!this.commit(put(this.spans, span))) return null;
    return n ? { what: "replaced", span, n } : { what: "marked", span };
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

  /** Move a border of the span at the focus by one token. */
  nudge(side, step) {
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
