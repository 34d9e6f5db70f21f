// One line on top: how good, how dear, when done, and who needs a look.

import { dayOf } from "./dashboard-outlook.js";
import { h } from "./dom.js";
import { money, number, percent, t } from "./words.js";

const WIDE = 0.3; // an interval that says too little to be called a certificate

const item = (value, more) => h("span", {}, h("strong", {}, value), " ", more);

/** Show the headline of a campaign. */
export function showHeadline(element, ledger, certificate, outlook, attention) {
  const parts = [quality(certificate)];
  if (certificate.sentences) parts.push(cost(outlook.forecast, ledger));
  if (outlook.done_at != null) parts.push(item(dayOf(outlook.done_at), t("dashboard.head_done")));
  if (attention) parts.push(h("a", { href: "#workers-card" }, t("dashboard.attention", { n: attention, count: number(attention) })));
  element.replaceChildren(...parts);
}

function quality({ kind, f1, sentences }) {
  if (!sentences) return h("span", {}, t("dashboard.quality_none"));
  const name = kind !== "audited" ? "guess" : f1.high - f1.low > WIDE ? "few" : "certified";
  const values = { low: percent(f1.low), high: percent(f1.high) };
  return item(`F1 ${percent(f1.estimate)}`, t(`dashboard.head_${name}`, values));
}

/** The forecast is never cut at the budget: what is above it is said. */
function cost(forecast, { forecast: total, budget }) {
  const isAbove = budget !== null && total > budget;
  const name = isAbove ? "head_budget" : forecast ? "head_planned" : "head_total";
  const values = { budget: money(budget), plan: forecast && money(forecast.cost.forecast.mean) };
  return item([money(total), forecast?.currency].filter(Boolean).join(" "), t(`dashboard.${name}`, values));
}
