// One sheet: why it is here, the editor with the consensus, where the answers differ, all answers.

import { h, notice, say } from "./dom.js";
import { Editor } from "./editor.js";
import { meanings } from "./editor-legend.js";
import { same } from "./editor-spans.js";
import { Answers } from "./expert-answers.js";
import { Disputes } from "./expert-disputes.js";
import { Draft } from "./expert-draft.js";
import { whyPanel } from "./expert-why.js";
import { t } from "./words.js";

const sorted = (spans) => [...spans].sort((one, other) => one.start - other.start);

/** Lets an expert decide on a sentence; `submit` and `putBack` are called when they say so. */
export class Sheet {
  constructor(sheet, { submit, putBack }) {
    Object.assign(this, { sheet, submit, number: sheet.number, draft: new Draft(sheet), crowd: sorted(sheet.crowd) });
    const board = h("div");
    this.editor = new Editor(board, { labels: sheet.labels, kind: sheet.kind, keys: keys(), onChange: () => this.#changed() });
    const change = (spans) => this.editor.set(spans);
    this.disputes = new Disputes(sheet, { labels: () => this.editor.spans, change });
    this.answers = new Answers(sheet, {
      take: (span) => this.#takeSpan(span),
      takeAll: (spans, given) => this.#takeAll(spans, given),
    });
    this.buttons = this.#buttons(putBack);
    const card = h("section", { class: "card stack sheet-card", "aria-label": t("expert.why") },
      briefOf(sheet), whyPanel(sheet), (this.told = h("div", {})), board, h("div", { class: "row sheet-actions" }, ...Object.values(this.buttons)));
    const hasAnswers = sheet.answers.length > 0;
    this.element = h("div", { class: "stack sheet-place" }, card, hasAnswers && this.disputes.element, hasAnswers && this.answers.element);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#show();
  }

  #buttons(putBack) {
    const button = (name, kind, act, keys, key) => h("button", { type: "button", class: kind, "aria-keyshortcuts": keys, on: { click: act } },
      h("span", {}, t(`expert.${name}`)), key && h("kbd", { "aria-hidden": "true" }, key));
    return {
      submit: button("submit", "primary", () => this.send(), "Control+Enter", "Ctrl ↵"),
      nothing: this.sheet.kind === "spans" && button("nothing", "", () => this.sendNothing(), "Control+Shift+Enter", "Ctrl ⇧ ↵"),
      consensus: this.sheet.answers.length > 0 && button("accept_all", "", () => this.acceptAll(), "Shift+A", "⇧ A"),
      putBack: button("put_back", "plain push", putBack),
    };
  }

  #show() {
    const kept = this.draft.kept?.spans;
    this.editor.show(this.sheet.sentence, kept ?? this.crowd);
    if (kept && !same(sorted(kept), this.crowd)) {
      const again = h("button", { type: "button", class: "plain small", on: { click: () => this.#takeAll(this.crowd, null) } }, t("expert.start_again"));
      this.told.replaceChildren(notice("info", t("expert.draft_back"), " ", again));
    }
    this.#draw();
  }

  #draw() {
    this.disputes.draw();
    this.answers.draw(this.editor.spans);
  }

  #changed() {
    this.draft.keep(this.editor.spans);
    this.#draw();
  }

  #takeSpan(span) {
    const at = this.disputes.spans.findIndex((each) => each.span.start === span.start && each.span.end === span.end && each.span.label === span.label);
    if (at >= 0) this.disputes.accept(at);
  }

  #takeAll(spans, given) {
    this.editor.set(sorted(spans));
    say(given ? t("expert.taken", { who: given.initials }) : t("expert.taken_consensus"));
  }

  /** Send the labels as they are; that there are none must be said with the button for it. */
  send() {
    if (!this.editor.isComplete) this.tell("warn", t("expert.incomplete"));
    else if (this.sheet.kind === "spans" && !this.editor.spans.length) this.tell("info", t("expert.nothing_first"));
    else this.submit(this);
  }

  sendNothing() {
    if (this.sheet.kind !== "spans") return;
    if (this.editor.spans.length) this.tell("info", t("expert.something_marked"));
    else this.submit(this);
  }

  /** Send the consensus; labels that differ become the consensus first, to be sent with a second press. */
  acceptAll() {
    if (same(this.editor.spans, this.crowd)) this.submit(this);
    else {
      this.editor.set(this.crowd);
      this.tell("info", t("expert.accept_all_again"));
    }
  }

  /** Tell something above the sentence. */
  tell(kind, text, ...more) {
    this.told.replaceChildren(notice(kind, text, ...more));
    say(text);
  }

  /** Show that the labels are on their way, or that they are not. */
  lock(isBusy) {
    this.editor.lock(isBusy);
    for (const button of Object.values(this.buttons)) if (button) button.disabled = isBusy;
    this.buttons.submit.firstChild.textContent = t(isBusy ? "expert.submitting" : "expert.submit");
  }

  focus() {
    this.editor.focus();
  }

  /** Letters work while the focus is in the sheet and not where text is typed. */
  #key(event) {
    const isText = event.target.matches("input:not([type=radio]), textarea, select") || event.target.closest("dialog");
    if (event.defaultPrevented || isText || event.ctrlKey || event.metaKey || event.altKey || this.editor.isLocked) return;
    if (event.key === "A") this.acceptAll();
    else if (event.key === "a") this.disputes.accept();
    else if (event.key === "r") this.disputes.reject();
    else return;
    event.preventDefault();
  }
}

/** What the work is about, and what the labels mean. */
function briefOf({ instruction, labels }) {
  const list = meanings(labels);
  if (!instruction && !list) return null;
  return h("div", { class: "stack sheet-brief" }, instruction && h("p", { dir: "auto" }, instruction),
    list && h("details", { class: "small", open: labels.length < 9 }, h("summary", {}, t("expert.meanings")), list));
}

const keys = () => [
  [["A"], t("expert.key_accept")], [["R"], t("expert.key_reject")],
  [["Shift A"], t("expert.key_accept_all")], [["Ctrl Enter"], t("expert.key_submit")],
  [["Ctrl Shift Enter"], t("expert.key_nothing")],
];
