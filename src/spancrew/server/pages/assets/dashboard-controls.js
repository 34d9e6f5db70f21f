// Start, pause and finish a campaign; what to do next while it is a draft.

import { callHere, campaign } from "./api.js";
import { asked } from "./ask.js";
import { $, h } from "./dom.js";
import { knows, t } from "./words.js";

const COLOURS = { draft: "", running: "good", paused: "warn", finished: "" };

/** The phase of a campaign and the buttons that change it. */
export class Controls {
  constructor(attempt) {
    this.attempt = attempt;
    this.phase = null;
    this.told = null;
  }

  /** Show the phase, and only those buttons that make sense in it. */
  show(status) {
    this.#reason(status.reason);
    this.#steps(status);
    if (status.phase === this.phase) return;
    this.phase = status.phase;
    $("#phase").className = `chip ${COLOURS[this.phase]}`;
    $("#phase").textContent = t(`dashboard.phase_${this.phase}`);
    const had = $("#controls").contains(document.activeElement);
    $("#controls").replaceChildren(...this.#buttons());
    if (had) ($("#controls button") ?? $("#main")).focus();
  }

  #buttons() {
    const button = (name, kind, work) => h(
      "button",
      { type: "button", class: kind, on: { click: work } },
      t(`dashboard.${name}`),
    );
    const change = (path) => () => this.attempt(() => callHere("POST", path));
    const finish = button("finish", "danger", () => this.#finish());
    if (this.phase === "draft") return [button("start", "primary", change("/start"))];
    if (this.phase === "running") return [button("pause", "", change("/pause")), finish];
    if (this.phase === "paused") return [button("go_on", "primary", change("/start")), finish];
    return [];
  }

  async #finish() {
    const words = {
      title: t("dashboard.finish_title"),
      text: t("dashboard.finish_text"),
      yes: t("dashboard.finish"),
      danger: true,
    };
    if (await asked(words)) await this.attempt(() => callHere("POST", "/finish", {}));
  }

  #reason(reason) {
    const name = `dashboard.reason_${reason.replaceAll(" ", "_")}`;
    const text = reason && (knows(name) ? t(name) : reason);
    if ($("#reason").textContent !== text) $("#reason").textContent = text;
  }

  #steps(status) {
    $("#next").hidden = status.phase !== "draft";
    const told = `${status.phase} ${status.workers}`;
    if (status.phase !== "draft" || told === this.told) return;
    this.told = told;
    const step = (name, href) => h(
      "li",
      {},
      h("a", { href: `/campaigns/${campaign}${href}` }, t(`dashboard.step_${name}`)),
      " ",
      h("span", { class: "quiet" }, t(`dashboard.step_${name}_more`, { n: status.workers })),
    );
    const last = h(
      "li",
      {},
      h("strong", {}, t("dashboard.step_start")),
      " ",
      h("span", { class: "quiet" }, t("dashboard.step_start_more")),
    );
    $("#steps").replaceChildren(step("people", "/people"), step("guide", "/guide"), last);
  }
}
