// The forecast of a rehearsal: quality and cost with their spread, and how far to trust it.

import { h } from "./dom.js";
import { ruleWords } from "./new-plan.js";
import { language, money, number, percent, t } from "./words.js";

const CARE = "with care";
const LEVELS = { usable: ["good", "good"], [CARE]: ["fair", "info"], "not usable": ["poor", "warn"] };
const shares = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2, minimumFractionDigits: 2 });
const points = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

const spreadOfShare = ({ sd }) => `± ${points.format(100 * sd)}`;

/** Return cost and its spread for all sentences of the campaign, not only those rehearsed. */
export function costOf({ forecast, left }) {
  const scale = left / forecast.sentences;
  const scaled = ({ mean, sd }) => ({ mean: mean * scale, sd: sd * scale });
  return {
    all: scaled(forecast.cost), crowd: scaled(forecast.crowd_cost).mean, experts: scaled(forecast.expert_cost).mean,
    alone: forecast.expert_only * scale, isScaled: scale !== 1,
  };
}

/** Return a card with the figures of a forecast. */
export function forecastCard(given) {
  const { forecast, fields, left } = given;
  const cost = costOf(given);
  const { saved, runs } = forecast;
  const costName = cost.isScaled ? t("new.cost_of", { count: number(left) }) : t("new.cost");
  const against = t(saved.mean >= 0 ? "new.saves" : "new.loses", { share: shares.format(Math.abs(saved.mean)) });
  const per = t("new.per_sentence", { count: points.format(forecast.answers_per_sentence.mean) });
  const budget = Number(fields.budget);
  return h("div", { class: "stack" },
    h("p", { class: "strong" }, ruleWords(fields), h("span", { class: "quiet small" }, ` · ${t("new.over_runs", { n: runs, count: runs })}`)),
    h("dl", { class: "tiles" },
      tile(t("new.f1"), percent(forecast.f1.mean), spreadOfShare(forecast.f1)),
      tile(costName, money(cost.all.mean), `± ${money(cost.all.sd)}`,
        t("new.crowd_and_experts", { crowd: money(cost.crowd), experts: money(cost.experts) })),
      tile(t("new.experts"), percent(forecast.expert_share.mean), spreadOfShare(forecast.expert_share),
        `${besides(forecast)}; ${per}`),
      tile(t("new.against"), against, "", t("new.expert_only", { money: money(cost.alone) }))),
    fields.budget && cost.all.mean > budget
      ? h("p", { class: "notice warn" }, t("new.over_budget", { budget: money(budget) })) : "",
    fidelity(forecast.fidelity), assumptions(forecast.assumptions));
}

/** Say what experts label on top of what the rule sends to them; older forecasts count no warm-up. */
function besides({ audited_share: audits, warm_up: warmUp }) {
  return t("new.experts_besides", { audits: percent(audits.mean), warmUp: points.format(warmUp?.mean ?? 0) });
}

function tile(name, value, spread, more = "") {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "big" }, value),
    spread && h("dd", { class: "small" }, spread), more && h("dd", { class: "quiet small" }, more));
}

function fidelity(found) {
  if (!found) return h("p", { class: "notice warn" }, t("new.fidelity_unknown"));
  const [level, kind] = LEVELS[found.verdict ?? CARE]; // a forecast from before an upgrade has none
  const figures = t("new.fidelity_figures", {
    generated: plain.format(found.agreement.generated), real: plain.format(found.agreement.real),
    generatedVote: percent(found.vote_f1.generated), realVote: percent(found.vote_f1.real),
    ks: plain.format(found.ks), sentences: number(found.sentences),
  });
  return h("p", { class: `notice small ${kind}` }, `${t(`new.fidelity_${level}`)} ${figures}`);
}

function assumptions(list) {
  const said = list.map(({ code, text: _, ...values }) => h("li", {}, t(`new.assume_${code}`, readable(values))));
  return h("details", {}, h("summary", {}, t("new.assumptions")), h("ul", { class: "small" }, said));
}

function readable(values) {
  const show = { skill: shares.format, low: shares.format, high: shares.format, budget: money };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (show[name] ?? number)(value)]));
}

/** Return all forecasts in a table; `use` gets the fields of the one that is chosen again. */
export function comparison(forecasts, use) {
  const heads = ["rule", "answers", "f1", "experts", "cost"].map((name, k) =>
    h("th", { scope: "col", class: k ? "number" : "" }, t(`new.column_${name}`)));
  const rows = forecasts.map((each) => rowOf(each, use));
  return h("div", { class: "stack" }, h("h3", {}, t("new.compare")),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("new.compare") },
      h("table", {}, h("thead", {}, h("tr", {}, heads, h("td", {}))), h("tbody", {}, rows))),
    h("p", { class: "quiet small" }, t("new.compare_more")));
}

function rowOf(given, use) {
  const { forecast, fields } = given;
  const { all } = costOf(given);
  const rule = ruleWords(fields);
  const cell = (text, spread) =>
    h("td", { class: "number" }, text, spread && h("span", { class: "quiet small" }, ` ${spread}`));
  return h("tr", {}, h("th", { scope: "row" }, rule), cell(String(forecast.answers)),
    cell(percent(forecast.f1.mean), spreadOfShare(forecast.f1)),
    cell(percent(forecast.expert_share.mean)), cell(money(all.mean), `± ${money(all.sd)}`),
    h("td", {}, h("button", {
      type: "button", class: "plain small", "aria-label": t("new.use_again_more", { rule }), on: { click: () => use(fields) },
    }, t("new.use_again"))));
}
