// How far a worker is, and whether what they did is safe.

import { $ } from "./dom.js";
import { clock, money, number, t } from "./words.js";

/** The figures at the top of the page. */
export class Figures {
  constructor(progress, outbox) {
    Object.assign(this, { answers: progress.answers, earned: progress.earned, outbox });
    outbox.addEventListener("change", () => this.draw());
    outbox.addEventListener("sent", ({ detail }) => this.#count(detail.result.receipt));
    $("#figures").hidden = false;
    this.time(0);
    this.draw();
  }

  #count(receipt) {
    // What was taken before had been counted when it was.
    if (receipt && !receipt.again) {
      this.answers += 1;
      this.earned += receipt.paid;
    }
    this.draw();
  }

  /** Take over what the server says. */
  set({ answers, earned }) {
    Object.assign(this, { answers, earned });
    this.draw();
  }

  time(seconds) {
    $("#time").textContent = clock(seconds);
  }

  draw() {
    const waiting = this.outbox.waiting.filter(({ kind }) => kind === "answers").length;
    $("#answers").textContent = number(this.answers + waiting);
    $("#earned").textContent = money(this.earned);
    $("#saved").classList.toggle("waits", waiting > 0 && this.outbox.isStuck);
    $("#saved").textContent = this.#saved(waiting);
  }

  #saved(waiting) {
    if (waiting && this.outbox.isStuck) return t("work.waits", { n: waiting });
    return this.answers || waiting ? t("work.saved") : "";
  }
}
