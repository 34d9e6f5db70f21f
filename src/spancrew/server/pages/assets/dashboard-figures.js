// The figures on top: what is settled by whom, the quality to be expected, and the money.

import { callHere } from "./api.js";
import { asked } from "./ask.js";
import { legend, range } from "./chart.js";
import { h } from "./dom.js";
import { money, number, percent, t } from "./words.js";

const DECIDERS = ["crowd", "expert", "gold"];

/** Three cards whose numbers change in place. */
export class Figures {
  constructor(element, attempt) {
    this.attempt = attempt;
    this.parts = {};
    element.append(this.#settled(), this.#quality(), this.#money());
  }

  /** Show how far a campaign is and what it costs. */
  show(status, ledger) {
    this.ledger = ledger;
    this.#showSettled(status);
    this.#showMoney(ledger);
  }

  #part(name, tag = "span", properties = {}) {
    return (this.parts[name] = h(tag, properties, "–"));
  }

  #put(name, text) {
    if (this.parts[name].textContent !== text) this.parts[name].textContent = text;
  }

  #settled() {
    const bar = h(
      "div",
      { class: "track thick", "aria-hidden": "true" },
      DECIDERS.map((by) => (this.parts[`bar_${by}`] = h("i", { class: by }))),
    );
    const link = (by) => h("a", { href: `${location.pathname}/sentences?by=${by}` }, this.#part(by, "strong"));
    const keys = legend(DECIDERS, "by", (by) => [" ", link(by)]);
    const more = h("p", { class: "quiet small" }, this.#part("at_work"));
    return h(
      "div",
      { class: "card stack tight" },
      h("h2", {}, t("dashboard.settled")),
      h("p", { class: "big" }, h("a", { href: `${location.pathname}/sentences?state=settled` }, this.#part("settled")), h("span", { class: "of" }, this.#part("sentences"))),
      bar,
      keys,
      more,
    );
  }

  #showSettled(status) {
    this.#put("settled", number(status.settled));
    this.#put("sentences", t("dashboard.of_sentences", { n: status.sentences, all: number(status.sentences) }));
    for (const by of DECIDERS) {
      const count = status[`by_${by}`];
      this.parts[`bar_${by}`].style.width = `${(100 * count) / Math.max(status.sentences, 1)}%`;
      this.#put(by, number(count));
    }
    const { open, at_expert: expert, waiting } = status;
    this.#put(
      "at_work",
      t("dashboard.at_work", { open: number(open), expert: number(expert), waiting: number(waiting) }),
    );
  }

  #quality() {
    this.parts.range = h("div", { class: "reach-room" });
    return h(
      "div",
      { class: "card stack tight" },
      h("h2", {}, t("dashboard.quality")),
      h("p", { class: "big" }, this.#part("quality")),
      this.parts.range,
      h("p", { class: "small" }, this.#part("interval")),
      h("p", { class: "quiet small" }, this.#part("quality_more")),
    );
  }

  /** Show what audits say of the labels, or the guess of the model. */
  showQuality({ kind, f1, audited, sentences }, canAudit) {
    const isAudited = kind === "audited" && sentences > 0;
    const { estimate, low, high } = f1;
    this.#put("quality", sentences ? percent(estimate) : "–");
    const more = isAudited ? "quality_audited" : canAudit ? "quality_guess" : "quality_unaudited";
    this.#put("quality_more", t(`dashboard.${more}`, { n: audited, count: number(audited) }));
    const interval = () => t("dashboard.interval", { low: percent(low), high: percent(high) });
    this.#put("interval", !sentences ? t("dashboard.quality_none") : isAudited ? interval() : t("dashboard.guess"));
    this.parts.range.hidden = !isAudited;
    this.parts.range.replaceChildren(isAudited ? range(low, estimate, high, 200, 22) : "");
  }

  #money() {
    const bar = h(
      "div",
      { class: "track thick", "aria-hidden": "true" },
      ["spent", "committed"].map((name) => (this.parts[`bar_${name}`] = h("i", { class: name }))),
    );
    const fact = (name) => h("div", {}, h("dt", {}, t(`dashboard.${name}`)), this.#part(name, "dd"));
    const facts = h("dl", { class: "facts" }, ["committed", "forecast", "saved", "budget"].map(fact));
    const change = h(
      "button",
      { type: "button", class: "small push", on: { click: () => this.#change() } },
      t("dashboard.change_budget"),
    );
    return h(
      "div",
      { class: "card stack tight" },
      h("div", { class: "row between" }, (this.parts.money = h("h2", {}, t("dashboard.money"))), change),
      h("p", { class: "big" }, this.#part("spent"), h("span", { class: "of" }, t("dashboard.spent"))),
      bar,
      facts,
    );
  }

  #showMoney(ledger) {
    for (const name of ["spent", "committed", "saved"]) this.#put(name, money(ledger[name]));
    this.#put("budget", ledger.budget === null ? t("dashboard.no_budget") : money(ledger.budget));
    const isAbove = ledger.budget !== null && ledger.forecast > ledger.budget;
    const amount = money(ledger.forecast);
    this.#put("forecast", isAbove ? t("dashboard.above_budget", { amount }) : amount);
    const whole = ledger.budget ?? Math.max(ledger.forecast, ledger.spent + ledger.committed);
    for (const name of ["spent", "committed"]) {
      this.parts[`bar_${name}`].style.width = `${whole ? (100 * ledger[name]) / whole : 0}%`;
    }
  }

  /** Show the currency of the plan. */
  showCurrency(currency) {
    if (currency) this.#put("money", `${t("dashboard.money")} (${currency})`);
  }

  async #change() {
    const input = h(
      "input",
      { name: "budget", type: "number", min: "0", step: "any", inputmode: "decimal", value: this.ledger?.budget ?? "" },
    );
    const field = h(
      "label",
      {},
      t("dashboard.budget"),
      input,
      h("span", { class: "hint" }, t("dashboard.budget_hint")),
    );
    const found = await asked({ title: t("dashboard.change_budget"), fields: [field], yes: t("dashboard.save") });
    if (!found) return;
    const budget = found.budget === "" ? null : Number(found.budget);
    await this.attempt(() => callHere("PATCH", "", { budget }));
  }
}
