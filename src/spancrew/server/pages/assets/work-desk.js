// The sentence in hand: label it, hand it in, and go on at once.

import { h, notice, say } from "./dom.js";
import { Editor } from "./editor.js";
import { meanings } from "./editor-legend.js";
import { t } from "./words.js";

const PATIENCE = 1000;
const NO_REMARK = { note: "", flag: "" };

/** Where a worker labels; `submit` and `skip` are called with the assignment, and what was made of it. */
export class Desk {
  constructor({ labels, kind, instruction, name, drafts, timer, showGuide, submit, skip }) {
    Object.assign(this, { labels, kind, drafts, timer, showGuide, hand: submit, giveBack: skip, held: null, remark: NO_REMARK });
    const button = (words, properties, act) =>
      h("button", { type: "button", ...properties, on: { click: act } }, t(`work.${words}`));
    this.submitButton = button("submit", { class: "primary", "aria-keyshortcuts": "Enter" }, () => this.submit());
    this.emptyButton = button("nothing", { "aria-keyshortcuts": "Shift+Enter" }, () => this.submitNothing());
    const actions = h("div", { class: "actions" }, kind === "spans" && this.emptyButton, this.submitButton);
    this.board = h("div");
    const skipButton = button("skip_dots", { class: "plain" }, () => this.#askWhy());
    const options = { actions: [skipButton, actions], keys: this.#keys(), onChange: () => this.#changed(), doubts: true };
    this.editor = new Editor(this.board, { labels, kind, ...options });
    // Below the sentence, so that nothing above it moves when there is something to say.
    this.message = h("div", { class: "desk-message" });
    this.remarked = h("p", { class: "remarked small quiet" });
    this.board.insertBefore(this.message, this.editor.bar);
    this.board.insertBefore(this.remarked, this.editor.bar);
    const head = h("div", { class: "desk-head" },
      h("p", { class: "brief" }, h("strong", { dir: "auto" }, name), " ", h("span", { dir: "auto" }, instruction)),
      h("div", { class: "desk-buttons" }, button("remark_dots", { class: "plain small" }, () => this.#askRemark()),
        button("back", { class: "plain small" }, () => this.#back()),
        showGuide && button("instructions", { class: "plain small", "aria-keyshortcuts": "i" }, showGuide)));
    this.element = h("section", { class: "card desk", "aria-label": t("work.title") }, head, meaningsOf(labels), this.board);
    this.board.addEventListener("keydown", (event) => this.#key(event));
  }

  #keys() {
    return [
      ...(this.kind === "spans" ? [[["U"], t("editor.key_unsure")]] : []),
      [["Enter", "Ctrl Enter"], t("work.key_submit")],
      ...(this.kind === "spans" ? [[["Shift Enter"], t("work.key_nothing")]] : []),
      ...(this.showGuide ? [[["i"], t("work.key_instructions")]] : []),
    ];
  }

  /** Show an assignment, with what had been marked in it before a reload. */
  show(held) {
    const draft = this.drafts.of(held.assignment);
    this.held = held;
    this.remark = draft?.remark ?? NO_REMARK;
    clearTimeout(this.patience);
    this.element.removeAttribute("aria-busy");
    this.message.replaceChildren();
    this.editor.lock(false);
    this.editor.show(held.sentence);
    const marks = draft?.spans ?? held.suggested;
    if (marks) this.editor.set(marks);
    this.timer.start(draft?.seconds ?? 0);
    this.#draw();
    if (held.suggested && !draft) this.message.replaceChildren(notice("info", t("work.suggested")));
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
    this.message.replaceChildren();
    this.keep();
    this.#draw();
  }

  /** Keep what was done so far, for a reload. */
  keep() {
    if (!this.held) return;
    const { editor, timer, remark } = this;
    this.drafts.keep(this.held.assignment, { spans: editor.spans, seconds: timer.seconds, remark });
  }

  get hasMarks() {
    return this.editor.spans.length > 0;
  }

  #draw() {
    const isReady = this.kind === "choices" ? this.editor.isComplete : this.hasMarks;
    this.submitButton.setAttribute("aria-disabled", String(!isReady));
    this.emptyButton.setAttribute("aria-disabled", String(this.hasMarks));
    const { note, flag } = this.remark;
    const parts = [flag && t("work.flagged", { why: t(`work.flag_${flag}`) }), note && t("work.noted", { note })].filter(Boolean);
    this.remarked.textContent = parts.join(" · ");
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

  async #askWhy() {
    const { held } = this;
    const { askWhy } = await import("./work-skip.js");
    askWhy((reason) => this.held === held && this.giveBack(held, reason));
  }

  async #askRemark() {
    const { held } = this;
    const { askRemark } = await import("./work-remark.js");
    askRemark(this.remark, (remark) => {
      if (this.held !== held) return;
      this.remark = remark;
      this.#changed();
      this.focus();
    });
  }

  #submit() {
    this.hand(this.held, { spans: this.editor.spans, seconds: this.timer.seconds, remark: this.remark });
  }

  #key(event) {
    if (event.repeat || event.target.closest("dialog, input[type=search]")) return;
    const isFree = !event.target.closest("button, summary");
    const isControl = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && (isFree || isControl)) {
      event.preventDefault();
      if (event.shiftKey && !isControl) this.submitNothing();
      else this.submit();
    } else if (event.key === "i" && !isControl && !event.altKey && this.showGuide) {
      event.preventDefault();
      this.showGuide();
    }
  }
}

/** What the labels mean: in sight where there is room, one tap away where there is not. */
function meaningsOf(labels) {
  const list = meanings(labels);
  if (!list) return null;
  const isRoomy = matchMedia("(min-width: 48rem) and (min-height: 36rem)").matches && labels.length < 9;
  return h("details", { class: "desk-meanings", open: isRoomy }, h("summary", { class: "small" }, t("work.meanings")), list);
}
