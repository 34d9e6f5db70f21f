// Why a sentence needs an expert, in words.

import { h } from "./dom.js";
import { knows, language, t } from "./words.js";

const two = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const one = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** Return a score or an agreement with two digits. */
export const figure = (value) => two.format(value);

/** Return the reasons for a sentence of the queue, as short texts. */
export function reasons({ purpose, agreement, errors }) {
  if (purpose !== "crew") return [t(`expert.why_${purpose}`)];
  const texts = [];
  if (agreement !== null) texts.push(t("expert.why_agreement", { value: figure(agreement) }));
  if (errors !== null) {
    const value = one.format(errors);
    texts.push(t("expert.why_errors", { value, n: value === "1" ? 1 : 2 }));
  }
  return texts;
}

/** Return a panel that says why this sheet is here. */
export function whyPanel({ doubt, answers, rule, decides_by: decides }) {
  const isOther = doubt.purpose !== "crew";
  const name = isOther ? `decides_${doubt.purpose}` : knows(`expert.decides_${decides}`) ? `decides_${decides}` : "decides_other";
  const count = answers.length > 0 && t("expert.answers_count", { n: answers.length });
  return h("div", { class: "why" },
    h("p", {}, t(`expert.${name}`)),
    h("p", { class: "row small" },
      ...[...reasons(doubt), count].filter(Boolean).map((text) => h("span", { class: "chip" }, text)),
      h("span", { class: "quiet" }, `${t("expert.rule")} `, h("code", {}, rule))));
}
