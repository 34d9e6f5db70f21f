// The sentence on the page: one element for each token and for each gap, made once and only restyled.
//
// For screen readers this is a listbox of which each token is an option: they then hand all keys to the page, tell
// the place ("3 of 20"), and tell which tokens are selected. What is marked is part of the name of the token.
// Elements stay where they are when something is marked, so that the focus never moves by itself.

import { h } from "./dom.js";
import { colour, pieces } from "./editor-text.js";
import { spanAt } from "./editor-spans.js";
import { t } from "./words.js";

/** The tokens of a sentence as elements. */
export class SentenceView {
  constructor(labels) {
    this.labels = labels;
    this.element = h("div", {
      class: "sentence", role: "listbox", dir: "auto", "aria-multiselectable": "true", "aria-orientation": "horizontal",
      "aria-label": t("editor.sentence"),
    });
    this.handles = ["start", "end"].map(handle);
    this.tokens = [];
    // Lines break elsewhere when the page gets another width, or the sentence gets onto the page.
    new ResizeObserver(() => this.#fitTags()).observe(this.element);
  }

  get isRtl() {
    return getComputedStyle(this.element).direction === "rtl";
  }

  /** Make the elements of a sentence. */
  make(sentence) {
    const { tokens, gaps } = pieces(sentence);
    this.texts = tokens;
    this.tokens = tokens.map((text, k) => h("span", { class: "token", role: "option", data: { k } }, text));
    this.gaps = gaps.map((text) => h("span", { class: "gap" }, text));
    this.element.replaceChildren(this.gaps[0], ...this.tokens.flatMap((token, k) => [token, this.gaps[k + 1]]));
    this.dress = [];
  }

  /** Show the state of a model. */
  draw(model) {
    const { selection, chosen } = model;
    const isSelected = (k) => selection !== null && selection.start <= k && k < selection.end;
    let before = { span: null, isSelected: false };
    this.tokens.forEach((token, k) => {
      const now = { span: spanAt(model.spans, k), isSelected: isSelected(k) };
      const isChosen = chosen !== null && now.span?.start === chosen.start;
      this.#token(token, k, { ...now, isChosen, isFocus: k === model.focus });
      const isInside = before.span !== null && before.span === now.span;
      this.#gap(this.gaps[k], isInside ? now.span : null, before.isSelected && now.isSelected);
      before = now;
    });
    this.#placeHandles(chosen);
    this.#fitTags();
  }

  #token(element, k, { span, isSelected, isChosen, isFocus }) {
    const key = [span?.label, k === span?.start, k === span?.end - 1, span?.unsure, isSelected, isChosen, isFocus].join();
    if (this.dress[k] === key) return;
    this.dress[k] = key;
    dressed(element, span, isSelected, this.labels);
    element.classList.toggle("first", k === span?.start);
    element.classList.toggle("last", k === span?.end - 1);
    element.classList.toggle("chosen", isChosen);
    element.tabIndex = isFocus ? 0 : -1;
    element.setAttribute("aria-selected", String(isSelected));
    if (k === span?.start) element.dataset.tag = span.label;
    else delete element.dataset.tag;
    element.classList.toggle("unsure", Boolean(span?.unsure));
    if (span) element.setAttribute("aria-label", this.#name(k, span));
    else element.removeAttribute("aria-label");
  }

  #name(k, { start, label, unsure }) {
    const name = t(k === start ? "editor.token_first" : "editor.token_inside", { text: this.texts[k], label });
    return k === start && unsure ? `${name}, ${t("editor.unsure")}` : name;
  }

  /** Names of labels lie below the text and take no room; each ends before the next one in its line. */
  #fitTags() {
    const firsts = this.tokens.filter((token) => token.dataset.tag && token.getClientRects().length);
    const sign = this.isRtl ? -1 : 1;
    const { left, right } = this.element.getBoundingClientRect();
    const boxes = firsts.map((token) => token.getClientRects()[0]);
    const begin = (box) => (sign > 0 ? box.left : box.right);
    boxes.forEach((box, k) => {
      const next = boxes[k + 1];
      const end = next && Math.abs(next.top - box.top) < 2 ? begin(next) - 3 * sign : sign > 0 ? right : left;
      firsts[k].style.setProperty("--room", `${Math.max(0, (end - begin(box)) * sign)}px`);
    });
  }

  #gap(element, span, isSelected) {
    dressed(element, span, isSelected, this.labels);
  }

  #placeHandles(chosen) {
    const [start, end] = this.handles;
    if (!chosen) {
      start.remove();
      end.remove();
      return;
    }
    const [first, last] = [this.tokens[chosen.start], this.tokens[chosen.end - 1]];
    if (start.parentNode !== first) first.append(start);
    if (end.parentNode !== last) last.append(end);
  }

  /** Put the keyboard on a token. */
  focus(k) {
    this.tokens[k]?.focus({ preventScroll: false });
  }

  /** Return the number of the token of an element, or null. */
  tokenOf(element) {
    const token = element?.closest?.(".token");
    return token && this.element.contains(token) ? Number(token.dataset.k) : null;
  }

  /** Return the number of the token at a point; between tokens, of the nearest one in that line. */
  tokenAt(x, y) {
    const there = document.elementsFromPoint(x, y).find((each) => each.classList.contains("token"));
    return this.tokenOf(there) ?? this.#nearest(x, y);
  }

  #nearest(x, y) {
    let best = { k: null, far: Infinity };
    this.tokens.forEach((token, k) => {
      for (const box of token.getClientRects()) {
        const [across, down] = [away(x, box.left, box.right), away(y, box.top, box.bottom)];
        const far = across + 20 * down;
        if (far < best.far) best = { k, far };
      }
    });
    return best.k;
  }

  /** Return the token above (-1) or below (1) another one, as it stands on the screen. */
  nextLine(k, step) {
    const box = this.tokens[k].getBoundingClientRect();
    const middle = (box.left + box.right) / 2;
    const height = parseFloat(getComputedStyle(this.element).lineHeight);
    const found = this.#nearest(middle, (box.top + box.bottom) / 2 + step * height);
    return found ?? k;
  }
}

// Not for the keyboard, which has keys of its own for this, and so not for screen readers either.
const handle = (side) => h("span", { class: "handle", data: { side }, "aria-hidden": "true" });
const away = (value, low, high) => Math.max(low - value, 0, value - high);

function dressed(element, span, isSelected, labels) {
  element.classList.toggle("in", span !== null);
  element.classList.toggle("selected", isSelected);
  if (span) element.dataset.colour = colour(labels, span.label);
  else delete element.dataset.colour;
}
