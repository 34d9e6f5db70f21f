// A pilot on its dashboard: what is missing, and what it is good for once it is done.

import { call } from "./api.js";
import { $, h, notice } from "./dom.js";
import { number, t } from "./words.js";

/** What an admin is told of a pilot; nothing where the campaign is none. */
export class Pilot {
  constructor(campaign, status) {
    this.box = $("#pilot");
    this.least = this.box.dataset; // workers and sentences that a plan needs
    this.status = status;
    this.told = "";
    call("GET", "/pilots").then((found) => this.#know(found.find(({ id }) => id === campaign)), () => {});
  }

  /** Show how far it is. */
  show(status) {
    this.status = status;
    if (this.pilot) this.#draw();
  }

  #know(pilot) {
    this.pilot = pilot;
    if (pilot && this.status) this.#draw();
  }

  #draw() {
    const { phase, sentences, audited, by_expert: decided, workers } = this.status;
    const labelled = audited + decided;
    const told = `${phase} ${labelled} ${workers}`;
    if (told === this.told) return;
    this.told = told;
    this.box.hidden = false;
    const parts = phase === "finished" ? this.#done(labelled, sentences, workers) : this.#open(labelled, sentences, workers);
    $("div", this.box).replaceChildren(...parts);
  }

  #open(labelled, sentences, workers) {
    const missing = sentences - labelled;
    return [
      h("p", { class: "strong" }, t("pilot.missing", { n: missing, count: number(missing), sentences: number(sentences) })),
      h("progress", { max: sentences, value: labelled, "aria-labelledby": "pilot-title" }),
      h("p", { class: "quiet small" }, t("pilot.how", { waiting: number(this.pilot.waiting) })),
      workers < this.least.workers ? notice("info", t("pilot.workers", { least: this.least.workers })) : "",
    ];
  }

  #done(labelled, sentences, workers) {
    const { id, waiting } = this.pilot;
    const isSmall = workers < this.least.workers || labelled < this.least.sentences;
    const values = { labelled: number(labelled), waiting: number(waiting + sentences - labelled) };
    return [
      h("p", {}, t("pilot.done", values)),
      isSmall ? notice("warn", t("pilot.few", this.least)) : "",
      h("p", {}, h("a", { class: "button primary", href: `/campaigns/new?pilot=${id}` }, t("pilot.plan"))),
    ];
  }
}
