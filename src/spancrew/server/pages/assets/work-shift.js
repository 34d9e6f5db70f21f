// A shift: from one sentence to the next, with pauses when there is none, until it is over.

import { answered } from "./editor-spans.js";
import { t } from "./words.js";
import { Unsent } from "./work-source.js";
import { Wait, showSignedOut } from "./work-wait.js";

const BEAT = 60000;
const SHORTEST_BEAT = 5000;

/** Moves between labelling, waiting and the end. */
export class Shift {
  constructor({ stage, outbox, figures, timer, drafts, ended, source }) {
    Object.assign(this, { stage, outbox, figures, timer, drafts, ended, source, desk: null, turn: 0, beaten: Date.now() });
    this.wait = new Wait(stage, () => this.advance());
    outbox.addEventListener("ended", () => showSignedOut(ended, outbox.waiting.length));
    outbox.addEventListener("sent", () => ended.replaceChildren());
    addEventListener("storage", (event) => this.#elsewhere(event));
    addEventListener("pagehide", () => this.desk?.keep());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.desk?.keep() : this.#beat(true)));
    setInterval(() => this.#beat(), 1000);
  }

  async begin() {
    await this.advance();
  }

  /** Go on to the next sentence, wherever it comes from. */
  async advance() {
    const turn = ++this.turn;
    try {
      const found = await this.source.next();
      if (turn === this.turn) await this.#found(found);
    } catch (error) {
      if (turn === this.turn) this.#trouble(error);
    }
  }

  async #found({ assignment, waiting }) {
    if (assignment) this.#show(assignment);
    else if (waiting.over) await this.#end(waiting.code);
    else this.#pause(waiting);
  }

  #show(held) {
    this.wait.stop();
    if (this.desk.element.parentNode !== this.stage) this.stage.replaceChildren(this.desk.element);
    this.desk.show(held);
    this.beaten = Date.now();
    this.source.fetchAhead(held);
  }

  #pause(waiting) {
    this.desk.busy();
    this.figures.time(0);
    this.wait.show(waiting);
  }

  async #end(code) {
    this.wait.stop();
    this.desk.busy();
    const { showEnd } = await import("./work-end.js");
    await showEnd(this.stage, code, this.figures);
  }

  #trouble(error) {
    if (this.outbox.isEnded || error.status === 401 || error.status === 403) {
      this.desk.busy();
      this.wait.stop();
      showSignedOut(this.ended, this.outbox.waiting.length);
      this.stage.replaceChildren();
    } else if (error instanceof Unsent || error.isPassing) {
      this.#pause({ code: "offline", retry_after: Math.max(3, error.retryAfter || 0) });
    } else throw error;
  }

  /** Hand in an answer: it is kept first, and the next sentence is shown before it is sent. */
  submit = (held, { spans, seconds, remark }) => {
    const body = { assignment: held.assignment, ...answered(spans), seconds: Math.round(seconds * 10) / 10, ...remark };
    this.#leave(held, () => this.outbox.add("answers", body, held.sentence));
  };

  /** Give a sentence back. */
  skip = (held, reason) => {
    this.#leave(held, () => this.outbox.add("skip", { assignment: held.assignment, reason }, held.sentence));
  };

  #leave(held, handIn) {
    this.drafts.drop(held.assignment);
    handIn();
    this.#next();
  }

  #next() {
    const ready = this.source.take();
    this.turn += 1;
    if (ready) {
      this.#show(ready);
      return;
    }
    this.desk.busy();
    this.advance();
  }

  /** Another tab has handed in what is shown here: there is nothing left to do on it. */
  #elsewhere({ key, newValue }) {
    if (!newValue || !key?.startsWith(this.outbox.items.prefix) || !this.desk?.held) return;
    const { body } = JSON.parse(newValue);
    this.source.drop(body.assignment);
    if (body.assignment !== this.desk.held.assignment) return;
    this.#next();
    this.desk.tell("info", t("work.done_elsewhere"));
  }

  /** Send heartbeats while the worker is active. */
  async #beat(isBack = false) {
    const held = this.desk?.held;
    if (!held || !this.timer.isActive) return;
    const left = held.deadline - Date.now();
    const pause = Math.min(BEAT, Math.max(left / 3, SHORTEST_BEAT));
    if (Date.now() - this.beaten < pause && !(isBack && left <= 0)) return;
    this.beaten = Date.now();
    try {
      await this.#kept(held, await this.source.keep(held));
      await this.source.keepAhead();
    } catch {
      // Without a connection there is nothing to keep; the answer is sent later.
    }
  }

  /** What is over can still be handed in, late, if something was marked; else a fresh sentence is better. */
  async #kept(held, left) {
    if (this.desk.held !== held || left > 0) return;
    if (left === null || !this.desk.hasMarks) {
      this.drafts.drop(held.assignment);
      this.desk.busy();
      await this.advance();
      if (this.desk.held) this.desk.tell("info", t("work.time_up"));
    } else if (!held.isToldLate) {
      held.isToldLate = true;
      this.desk.tell("info", t("work.late"));
    }
  }
}
