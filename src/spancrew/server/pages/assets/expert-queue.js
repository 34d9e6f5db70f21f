// The queue: which sentences wait, why, and a way to take one of them.

import { callHere } from "./api.js";
import { $, h } from "./dom.js";
import { reasons } from "./expert-why.js";
import { number, t } from "./words.js";

const MOST = 200;
const EVERY = 20_000;

/** The list of sentences that wait; `take` is called with the number of the one that was chosen. */
export class Queue {
  constructor({ take }) {
    Object.assign(this, { take, doubts: [], current: null, list: $("#queue-list"), count: $("#queue-count") });
    const wide = matchMedia("(min-width: 62rem)");
    $("#queue").open = wide.matches;
    wide.addEventListener("change", () => ($("#queue").open = wide.matches));
    setInterval(() => document.hidden || this.refresh(), EVERY);
  }

  /** Show which sentence is in hand, and read the queue again. */
  show(current) {
    this.current = current;
    this.#draw();
    return this.refresh();
  }

  /** Read the queue again; without a connection the old one stays. */
  async refresh() {
    try {
      this.doubts = await callHere("GET", "/expert/queue");
      this.#draw();
    } catch {
      // The next look may work; whoever needs the server at once is told by their own call.
    }
    return this.doubts;
  }

  #draw() {
    const n = this.doubts.length;
    const held = document.activeElement?.dataset?.sentence;
    this.count.textContent = n >= MOST ? t("expert.queue_many", { n: number(n) }) : t("expert.queue_count", { n });
    const rows = this.doubts.map((doubt) => h("li", {}, this.#button(doubt)));
    this.list.replaceChildren(...(n ? rows : [h("li", { class: "quiet small" }, t("expert.queue_empty"))]));
    if (held !== undefined) this.list.querySelector(`[data-sentence="${held}"]`)?.focus();
  }

  #button(doubt) {
    const { sentence, text, claimed_by: who } = doubt;
    const isOurs = sentence === this.current;
    const isTheirs = who !== null && !isOurs;
    const state = isOurs ? t("expert.yours") : isTheirs ? t("expert.at_it", { who }) : null;
    return h("button",
      {
        type: "button", class: "queued", data: { sentence }, "aria-current": isOurs && "true",
        "aria-disabled": isTheirs && "true", on: { click: () => isOurs || isTheirs || this.take(sentence) },
      },
      h("span", { class: "queued-text", dir: "auto" }, text),
      h("span", { class: "queued-why" }, reasons(doubt).join(t("expert.comma"))),
      state && h("span", { class: "queued-state" }, state));
  }
}
