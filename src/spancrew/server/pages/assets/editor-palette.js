// The labels to choose from. A toolbar: one stop for the Tab key, arrows inside; with many labels, a filter.

import { h } from "./dom.js";
import { colour, keysOf, meaning } from "./editor-legend.js";
import { t } from "./words.js";

const FEW = 9;

/** Buttons for labels; `choose` is called with a label, `leave` when somebody goes back to the sentence. */
export class Palette {
  constructor(labels, { choose, leave }) {
    this.leave = leave;
    const keys = new Map([...keysOf(labels)].map(([key, label]) => [label, key]));
    this.buttons = labels.map((label) => button(labels, label, keys.get(label), () => choose(label)));
    this.bar = h("div", { class: "palette", role: "toolbar", "aria-label": t("editor.labels") }, this.buttons);
    this.filter = labels.length > FEW ? this.#filter(choose) : null;
    this.element = h("div", { class: "palette-box" }, this.filter, this.bar);
    this.bar.addEventListener("keydown", (event) => this.#key(event));
    this.#stop(this.buttons[0]);
  }

  #filter(choose) {
    const field = h("input", {
      type: "search", class: "palette-filter", placeholder: t("editor.filter"), "aria-label": t("editor.filter"),
      autocomplete: "off", spellcheck: "false",
    });
    field.addEventListener("input", () => this.#narrow());
    field.addEventListener("keydown", (event) => {
      const [first] = this.#shown;
      if (event.key === "ArrowDown") first?.focus();
      else if (event.key === "Escape") this.#clear();
      else if (event.key === "Enter") {
        if (first) choose(first.dataset.label);
        this.#clear();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return field;
  }

  get #shown() {
    return this.buttons.filter((each) => !each.hidden);
  }

  #narrow() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const each of this.buttons) each.hidden = !each.dataset.label.toLowerCase().includes(wanted);
    this.#stop(this.#shown[0]);
  }

  #clear() {
    if (this.filter) {
      this.filter.value = "";
      this.#narrow();
    }
    this.leave();
  }

  #stop(button) {
    for (const each of this.buttons) each.tabIndex = each === button ? 0 : -1;
  }

  #key(event) {
    const shown = this.#shown;
    const at = shown.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const isEdge = event.key === "Home" || event.key === "End";
    if (event.key === "Escape") this.#clear();
    else if (step || isEdge) {
      const to = isEdge ? (event.key === "Home" ? 0 : -1) : (at + step) % shown.length;
      this.#stop(shown.at(to));
      shown.at(to).focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Put the keyboard where a label can be chosen. */
  focus() {
    (this.filter ?? this.#shown.find((each) => each.tabIndex === 0))?.focus();
  }

  /** Show which label is in force, and whether any can be chosen. */
  draw(label, isLocked) {
    for (const each of this.buttons) {
      each.setAttribute("aria-pressed", String(each.dataset.label === label));
      each.disabled = isLocked;
    }
  }
}

function button(labels, label, key, choose) {
  const properties = {
    type: "button", class: "palette-label", "aria-keyshortcuts": key, title: meaning(label) || null,
    data: { label, colour: colour(labels, label) }, on: { click: choose },
  };
  return h("button", properties, key && h("kbd", { "aria-hidden": "true" }, key), h("bdi", {}, label));
}
