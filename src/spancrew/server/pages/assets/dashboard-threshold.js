// The threshold between crowd and expert: where it is, and what another one would do.

import { callHere } from "./api.js";
import { drawn, legend } from "./chart.js";
import { Histogram } from "./chart-histogram.js";
import { h, say } from "./dom.js";
import { language, money, number, t } from "./words.js";

const SOON = 120;
const short = (value) => value.toLocaleString(language, { maximumFractionDigits: 2 });

/** The histogram with its handle; nothing changes before it is applied. */
export class ThresholdCard {
  constructor(element, attempt) {
    this.attempt = attempt;
    this.at = null;
    this.locked = false;
    this.about = h("p", { class: "small quiet" });
    this.plot = h("div", { class: "histogram" });
    this.preview = h("p", { class: "preview" });
    const button = (name, kind, work) => h(
      "button",
      { type: "button", class: kind, disabled: true, on: { click: work } },
      t(`dashboard.${name}`),
    );
    this.apply = button("apply", "primary small", () => this.#apply());
    this.reset = button("reset", "small", () => this.#reset());
    this.whole = h(
      "div",
      { class: "stack tight" },
      this.plot,
      legend(["crowd", "expert"], "to"),
      this.preview,
      h("div", { class: "row" }, this.apply, this.reset),
    );
    element.append(this.about, this.whole);
    const spoken = (value) => t("dashboard.threshold_at", { at: short(value) });
    this.histogram = new Histogram(
      this.plot,
      { name: t("dashboard.threshold"), spoken, onMove: (value) => this.#moved(value) },
    );
    drawn(this.plot, (width) => ((this.width = width), this.#draw()));
  }

  /** Fetch the figures again; a handle that was moved stays where it is. */
  async refresh() {
    const at = this.at;
    const view = await callHere("GET", `/threshold${at === null ? "" : `?at=${at}`}`);
    if (at !== this.at) return;
    this.view = view;
    this.#show();
  }

  /** Let nothing be changed any more. */
  lock(locked) {
    if (this.locked === locked) return;
    this.locked = locked;
    if (locked) this.at = null;
    this.#draw();
    this.#buttons();
  }

  #show() {
    const { view } = this;
    this.whole.hidden = view.by === "nothing";
    this.#tell(this.about, this.#what());
    this.#tell(this.preview, view.by === "nothing" ? "" : this.#words());
    this.#draw();
    this.#buttons();
  }

  #tell(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  #what() {
    const { view } = this;
    if (view.by === "nothing") return t("dashboard.no_threshold", { rule: view.feedback });
    const about = t(`dashboard.about_${view.by}`);
    return view.moves ? `${about} ${t("dashboard.moves")}` : about;
  }

  #words() {
    const { preview, judged, experts, value } = this.view;
    if (!preview) {
      const now = {
        n: judged,
        judged: number(judged),
        experts: number(experts),
        at: value === null ? "–" : short(value),
      };
      return judged ? t("dashboard.threshold_now", now) : t("dashboard.threshold_none");
    }
    const at = short(preview.at);
    if (!preview.more) return t("dashboard.preview_same", { at });
    const name = preview.more > 0 ? "dashboard.preview_more" : "dashboard.preview_fewer";
    const sign = preview.money > 0 ? "+" : "−";
    return t(
      name,
      {
        at,
        n: Math.abs(preview.more),
        count: number(Math.abs(preview.more)),
        money: sign + money(Math.abs(preview.money)),
      },
    );
  }

  #draw() {
    if (!this.width || !this.view || this.view.by === "nothing") return;
    const { histogram: bins, lowest, highest, asks, value } = this.view;
    const shown = {
      bins,
      lowest,
      highest,
      asks,
      value: this.at ?? value ?? highest,
      inForce: value,
      locked: this.locked,
    };
    this.histogram.show(shown, this.width);
  }

  #buttons() {
    const isMoved = this.at !== null && !this.locked;
    this.apply.disabled = !isMoved || this.view?.preview?.at !== this.at;
    this.reset.disabled = !isMoved;
  }

  #moved(value) {
    this.at = value;
    this.#buttons();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.attempt(() => this.#preview()), SOON);
  }

  async #preview() {
    await this.refresh();
    say(this.preview.textContent);
  }

  async #apply() {
    const { feedback } = this.view.preview;
    const done = await this.attempt(() => callHere("PATCH", "", { feedback }));
    if (done) await this.#reset();
  }

  async #reset() {
    this.at = null;
    this.#buttons();
    this.histogram.handle.focus();
    await this.attempt(() => this.refresh());
  }
}
