// The editor of a sentence: what is marked, the labels to choose from, steps back and forth, the keys.

import { h, styled } from "./dom.js";
import { SpanBoard } from "./editor-board.js";
import { icon } from "./editor-icons.js";
import { actOf } from "./editor-keys.js";
import { t } from "./words.js";

const boards = { spans: SpanBoard };

/** Fetch what is needed for a kind of answers before the first editor is made: most campaigns have spans. */
export async function ready(kind) {
  if (kind !== "choices" || boards.choices) return;
  const [{ ChoiceBoard }] = await Promise.all([import("./choices.js"), styled("choices.css")]);
  boards.choices = ChoiceBoard;
}

/**
 * Lets somebody label a sentence in an element: spans, or choices where each token is a question.
 * `actions` are elements of the page that stand beside the labels, `keys` are keys of the page for the help; with `doubts`,
 * spans can be marked as unsure.
 */
export class Editor {
  constructor(element, { labels, kind = "spans", onChange = () => {}, actions = [], keys = [], doubts = false }) {
    Object.assign(this, { element, onChange, kind, keys });
    this.board = new boards[kind](labels, { changed: () => this.#changed(), help: () => this.help(), doubts });
    this.tools = this.#tools(kind, doubts);
    const group = { class: "editor-tools", role: "group", "aria-label": t("editor.tools") };
    const tools = h("div", group, ...Object.values(this.tools));
    this.bar = h("div", { class: "editor-bar" }, this.board.palette?.element, tools, ...actions);
    element.classList.add("editor");
    element.replaceChildren(this.board.element, this.bar);
    element.addEventListener("keydown", (event) => this.#key(event));
    this.#draw();
  }

  #tools(kind, doubts) {
    const tool = (name, act, keys) => {
      const title = t(`editor.${name}`);
      const properties = { type: "button", class: "tool", title, "aria-label": title, "aria-keyshortcuts": keys };
      return h("button", { ...properties, on: { click: act } }, icon(name));
    };
    const areSpans = kind === "spans";
    return {
      ...(areSpans && doubts && { unsure: tool("unsure", () => this.board.doubt(), "u") }),
      ...(areSpans && { remove: tool("remove", () => this.board.remove(), "Delete") }),
      undo: tool("undo", () => this.undo(), "Control+Z"),
      redo: tool("redo", () => this.redo(), "Control+Shift+Z"),
      help: tool("help", () => this.help(), "?"),
    };
  }

  /** Show a sentence with some spans; steps back begin here. */
  show(sentence, spans = []) {
    this.board.show(sentence, spans);
    this.#draw();
  }

  /** Return the spans now, sorted by start. */
  get spans() {
    return this.board.spans;
  }

  /** Tell whether the answer can be handed in: for choices, whether each question has an answer. */
  get isComplete() {
    return this.board.isComplete ?? true;
  }

  get #history() {
    return this.board.history ?? this.board.model.history;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  /** Replace all spans, in one step. */
  set(spans) {
    this.board.set(spans);
  }

  undo() {
    this.board.undo();
  }

  redo() {
    this.board.redo();
  }

  /** Put the keyboard into the sentence. */
  focus() {
    this.board.focus();
  }

  /** Show the sentence without letting it be changed, or let it be changed again. */
  lock(isLocked = true) {
    this.isLocked = isLocked;
    this.board.lock(isLocked);
    this.#draw();
  }

  /** Show the keys. */
  async help() {
    if (!this.dialog) {
      const { helpDialog } = await import("./editor-help.js");
      this.dialog ??= this.element.appendChild(helpDialog(this.kind, this.keys));
    }
    this.dialog.showModal();
  }

  #changed() {
    this.#draw();
    this.onChange(this.spans);
  }

  #draw() {
    const { unsure, remove, undo, redo } = this.tools;
    if (remove) enable(remove, this.board.canRemove);
    if (unsure) {
      enable(unsure, this.board.canDoubt);
      unsure.setAttribute("aria-pressed", String(this.board.isUnsure));
    }
    enable(undo, this.canUndo && !this.isLocked);
    enable(redo, this.canRedo && !this.isLocked);
  }

  #key(event) {
    const isText = event.target.matches("input:not([type=radio]), textarea, select");
    const [act] = (!isText && actOf(event, false)) || [];
    if (act !== "undo" && act !== "redo") return;
    event.preventDefault();
    this[act]();
  }
}

/** A button that goes off while it has the focus would throw the keyboard out; so it only says that it is off. */
function enable(button, isOn) {
  button.setAttribute("aria-disabled", String(!isOn));
}
