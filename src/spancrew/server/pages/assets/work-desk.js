// The sentence in hand: label it, hand it in, and go on at once.

import { h, notice, say } from "./dom.js";
import { Editor } from "./editor.js";
import { skipDialog } from "./work-skip.js";
import { t } from "./words.js";

const PATIENCE = 1000;

/** Where a worker labels; `submit` and `skip` are called with the assignment, and what was made of it. */
export class Desk {
  constructor({ labels, kind, drafts, timer, showGuide, submit, skip }) {
    Object.assign(this, { labels, kind, drafts, timer, showGuide, hand: submit, held: null });
    const button = (name, properties, act) =>
      h("button", { type: "button", ...properties, on: { click: act } }, t(`work.${name}`));
    this.submitButton = button("submit", { class: "primary", "aria-keyshortcuts": "Enter" }, () => this.submit());
    this.emptyButton = button("nothing", { "aria-keyshortcuts": "Shift+Enter" }, () => this.submitNothing());
    this.ask = skipDialog((reason) => skip(this.held, reason));
    const actions = h("div", { class: "actions" }, kind === "spans" && this.emptyButton, this.submitButton);
    this.board = h("div");
    const onChange = () => this.#changed();
    const skipButton = button("skip_dots", { class: "plain" }, () => this.ask());
    this.note = kind === "choices" && h("input", { type: "text", maxlength: 1000, dir: "auto", autocomplete: "off" });
    const why = this.note && h("details", { class: "why" }, h("summary", {}, t("work.why")),
      h("label", { class: "stack small" }, t("work.why_more"), this.note));
    const options = { actions: [why, skipButton, actions].filter(Boolean), keys: this.#keys(), onChange };
    this.editor = new Editor(this.board, { labels, kind, ...options });
    this.message = h("div", { class: "desk-message" });
    this.element = h("section", { class: "card desk", "aria-label": t("work.title") },
      h("div", { class: "desk-head" }, button("back", { class: "plain small" }, () => this.#back()),
        showGuide && button("instructions", { class: "plain small", "aria-keyshortcuts": "i" }, showGuide)),
      this.message, this.board);
    this.board.addEventListener("keydown", (event) => this.#key(event));
  }

  #keys() {
    return [
      [["Enter", "Ctrl Enter"], t("work.key_submit")],
      ...(this.kind === "spans" ? [[["Shift Enter"], t("work.key_nothing")]] : []),
      ...(this.showGuide ? [[["i"], t("work.key_instructions")]] : []),
    ];
  }

  /** Show an assignment, with what had been marked in it before a reload. */
  show(held) {
    const draft = this.drafts.of(held.assignment);
    this.held = held;
    clearTimeout(this.patience);
    this.element.removeAttribute("aria-busy");
    this.message.replaceChildren();
    this.editor.lock(false);
    this.editor.show(held.sentence);
    if (draft) this.editor.set(draft.spans);
    if (this.note) {
      this.note.value = "";
      this.note.closest("details").open = false;
    }
    this.timer.start(draft?.seconds ?? 0);
    this.#draw();
    this.focus();
    say(`${t("work.said_sentence")} ${held.sentence.text}`);
  }

  focus() {
    if (!document.querySelector("dialog[open]")) this.editor.focus();
    scrollTo(0, 0);
  }

  /** Nothing can be done until the next sentence is there. */
  busy() {
    this.held = null;
    this.timer.stop();
    this.editor.lock(true);
    this.message.replaceChildren();
    this.element.setAttribute("aria-busy", "true");
    // Usually the next sentence is there before anybody could read this.
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.message.replaceChildren(notice("info", t("work.loading"))), PATIENCE);
  }

  /** Say something about the sentence in hand. */
  tell(kind, text) {
    this.message.replaceChildren(notice(kind, text));
    say(text);
  }

  #changed() {
    if (!this.held) return;
    this.keep();
    this.#draw();
  }

  /** Keep what was done so far, for a reload. */
  keep() {
    if (this.held) this.drafts.keep(this.held.assignment, this.editor.spans, this.timer.seconds);
  }

  get hasMarks() {
    return this.editor.spans.length > 0;
  }

  #draw() {
    const isReady = this.kind === "choices" ? this.editor.isComplete : this.hasMarks;
    this.submitButton.setAttribute("aria-disabled", String(!isReady));
    this.emptyButton.setAttribute("aria-disabled", String(this.hasMarks));
  }

  /** Hand in what is marked; an empty answer is only given with the button for it. */
  submit() {
    if (!this.held) return;
    if (this.kind === "choices" && !this.editor.isComplete) this.tell("info", t("work.all_questions"));
    else if (this.hasMarks) this.#submit();
    else this.tell("info", t("work.nothing_marked"));
  }

  submitNothing() {
    if (!this.held || this.kind === "choices") return;
    if (this.hasMarks) this.tell("info", t("work.something_marked"));
    else this.#submit();
  }

  async #back() {
    const { changeLast } = await import("./work-back.js");
    await changeLast(this.labels, this.kind, (kind, text) => this.tell(kind, text));
  }

  #submit() {
    this.hand(this.held, this.editor.spans, this.timer.seconds, this.note ? this.note.value.trim() : "");
  }

  #key(event) {
    if (event.repeat || event.target.closest("dialog, input[type=search]")) return;
    const isFree = !event.target.closest("button, summary");
    const isControl = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && (isFree || isControl)) {
      event.preventDefault();
      if (event.shiftKey && !isControl) this.submitNothing();
      else this.submit();
    } else if (event.key === "i" && event.target !== this.note && !isControl && !event.altKey && this.showGuide) {
      event.preventDefault();
      this.showGuide();
    }
  }
}
