// Where the answers differ: span by span, who is for it, and one key to accept or reject it.

import { h, say } from "./dom.js";
import { colour, covered } from "./editor-text.js";
import { accepted, has, overlap, rejected, shortened, votes } from "./expert-spans.js";
import { t } from "./words.js";

const named = ({ initials, unsure = [] }, { start }) => (unsure.includes(start) ? `${initials} ?` : initials);

/** The list of disputed spans; `labels` returns those now, `change` replaces them. */
export class Disputes {
  constructor(sheet, { labels, change }) {
    Object.assign(this, { sheet, labels, change, decided: new Map() });
    const all = votes(sheet.answers, sheet.crowd);
    this.spans = all.filter(({ isDisputed }) => isDisputed);
    this.items = this.spans.map((each, k) => this.#item(each, k));
    const agreed = all.length - this.spans.length;
    const name = sheet.kind === "choices" ? "expert.agreed_choices" : "expert.agreed";
    this.element = h("section", { class: "card stack", "aria-labelledby": "disputed-title" },
      h("div", { class: "row between" }, h("h2", { id: "disputed-title" }, t("expert.disputed")),
        h("p", { class: "row small quiet" }, agreed > 0 && h("span", {}, t(name, { n: agreed })),
          this.items.length > 0 && h("span", { "aria-hidden": "true" }, `★ ${t("expert.consensus")}`))),
      this.items.length ? h("ul", { class: "disputes" }, this.items.map(({ element }) => element))
        : h("p", { class: "quiet" }, t("expert.disputed_none")));
  }

  #item(each, k) {
    const { span, voters, isInCrowd, isAlternative } = each;
    const { sentence, answers, labels, kind } = this.sheet;
    const text = covered(sentence, span);
    const values = { n: voters.length, of: answers.length, who: voters.map((voter) => named(voter, span)).join(", ") };
    const button = (name, act, key) => h("button",
      { type: "button", class: "small", "aria-keyshortcuts": key, on: { click: () => act.call(this, k) } },
      t(`expert.${name}`), h("span", { class: "sr-only" }, ` ${span.label} ${shortened(text)}`), h("kbd", { "aria-hidden": "true" }, key));
    const accept = button("accept", this.accept, "A");
    const reject = kind === "spans" && button("reject", this.reject, "R");
    const state = h("span", { class: "dispute-state", role: "img" });
    const element = h("li", { class: isAlternative ? "dispute alternative" : "dispute" },
      state,
      h("span", { class: "dispute-votes" }, isAlternative && h("span", { class: "quiet" }, `${t("expert.or")} `),
        voters.length ? t("expert.votes", values) : t("expert.only_crowd"), isInCrowd && voters.length > 0 && h("span", { title: t("expert.consensus") }, " ★"),
        isInCrowd && voters.length > 0 && h("span", { class: "sr-only" }, ` (${t("expert.consensus")})`)),
      h("span", { class: "label-chip", data: { colour: colour(labels, span.label) } }, h("bdi", {}, span.label)),
      h("span", { class: "dispute-what" }, h("bdi", { class: "dispute-text" }, shortened(text)), " ",
        h("span", { class: "quiet small" }, values.who)),
      h("span", { class: "dispute-acts" }, accept, reject));
    return { element, accept, reject, state };
  }

  /** Return the place of the next span that nobody has decided on; -1 if none is left. */
  get next() {
    return this.spans.findIndex(({ name }) => !this.decided.has(name));
  }

  /** Accept a span: the one at a place, else the next. */
  accept(k = this.next) {
    this.#decide(k, true);
  }

  /** Reject a span: the one at a place, else the next. */
  reject(k = this.next) {
    if (this.sheet.kind === "spans") this.#decide(k, false);
  }

  #decide(k, isIn) {
    if (k < 0) {
      say(t("expert.none_left"));
      return;
    }
    const { name, span } = this.spans[k];
    for (const other of isIn ? this.spans : []) if (overlap(other.span, span)) this.decided.set(other.name, false);
    this.decided.set(name, isIn);
    this.change(isIn ? accepted(this.labels(), span) : rejected(this.labels(), span));
    this.draw();
    say(t(isIn ? "expert.accepted" : "expert.rejected", { label: span.label, text: shortened(covered(this.sheet.sentence, span)) }));
    this.items[this.next]?.element.scrollIntoView({ block: "nearest" });
  }

  /** Show which spans are in the labels now; what was undone is open again. */
  draw() {
    const labels = this.labels();
    this.spans.forEach(({ name, span }, k) => {
      const isIn = has(labels, span);
      if (this.decided.has(name) && this.decided.get(name) !== isIn) this.decided.delete(name);
      this.#drawItem(this.items[k], isIn, this.decided.get(name) === false);
    });
    this.items.forEach(({ element }, k) => element.classList.toggle("current", k === this.next));
  }

  #drawItem({ element, accept, reject, state }, isIn, isRejected) {
    element.classList.toggle("in", isIn);
    state.textContent = isIn ? "✓" : "○";
    state.setAttribute("aria-label", t(isIn ? "expert.in_labels" : "expert.not_in_labels"));
    accept.setAttribute("aria-pressed", String(isIn));
    if (reject) reject.setAttribute("aria-pressed", String(isRejected && !isIn));
  }
}
