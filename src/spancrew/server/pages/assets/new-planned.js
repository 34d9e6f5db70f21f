// A plan that was found: what it takes and gives, in words and figures, and what else could be chosen.

import { h, notice } from "./dom.js";
import { language, money, number, percent, t } from "./words.js";

const WIDE = 0.04; // an interval of F1 that calls for a larger pilot
const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const points = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const SHOWN = { days: tenths.format, cost: money, f1: percent, expert_hours: tenths.format };

/** Return the card of a plan; `state` says which way is chosen, and has the function to choose one. */
export function plannedCard(planned, ways, state) {
  const [best] = ways;
  return h("section", { class: "stack planned", "aria-labelledby": "planned-title" },
    h("h3", { id: "planned-title", tabindex: "-1" }, t(planned.pilot.assumption ? "new.plan_title_assumed" : "new.plan_title")),
    planned.pilot.assumption ? notice("warn", t("new.plan_assumed", { count: number(planned.pilot.recommended_pilot) })) : "",
    h("p", { class: "strong" }, wordsOf(best), audits(best)),
    h("dl", { class: "tiles" }, Object.keys(SHOWN).map((name) => tile(name, best, planned.currency))),
    ways.length > 1 || state.isChanged ? tableOf(ways, planned.currency, state) : "",
    state.isChanged ? notice("info", t("new.plan_changed")) : "",
    planned.models ? h("p", {}, modelsOf(planned.models)) : "",
    h("ul", { class: "small quiet" }, notesOf(planned).map((text) => h("li", {}, text))));
}

/** Say what is done, in one sentence. */
function wordsOf({ plan, expert_share: share }) {
  if (!plan) return t("new.plan_says_alone");
  const [rule, option = ""] = plan.feedback.split(":");
  const threshold = option.split("=")[1];
  const words = { "expected-error": "errors", gate: "gate", adaptive: "adaptive", crowd: "crowd" }[rule];
  const values = { answers: plan.answers, share: percent(share.mean), threshold };
  return t(`new.plan_says_${words}`, values);
}

const audits = ({ experts }) => (experts.audit ? ` ${t("new.plan_audits", { count: number(experts.audit) })}` : "");

const headOf = (name, currency) => t(`new.plan_${name}`) + (name === "cost" && currency ? ` (${currency})` : "");
const rangeOf = (name, { low, high }) => `${SHOWN[name](low)} – ${SHOWN[name](high)}`;

function tile(name, way, currency) {
  const figure = way[name];
  const more = name === "days" ? t(`new.plan_slow_${way.bottleneck}`) : "";
  return h("div", {}, h("dt", {}, headOf(name, currency)), h("dd", { class: "big" }, SHOWN[name](figure.mean)),
    h("dd", { class: "small" }, rangeOf(name, figure)), more && h("dd", { class: "quiet small" }, more));
}

function tableOf(ways, currency, state) {
  const heads = Object.keys(SHOWN).map((name) => h("th", { scope: "col", class: "number" }, headOf(name, currency)));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("new.plan_others") },
    h("table", { class: "stacking" }, h("caption", { class: "sr-only" }, t("new.plan_others")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("new.plan_way")), heads, h("td", {}))),
      h("tbody", {}, ways.map((way) => rowOf(way, currency, state)))));
}

function rowOf(way, currency, state) {
  const name = t(`new.plan_is_${way.name.replaceAll(" ", "_")}`);
  const words = way.name === "recommended" ? "" : h("span", { class: "quiet small words" }, wordsOf(way));
  const cells = Object.keys(SHOWN).map((each) => h("td", { class: "number", data: { name: headOf(each, currency) } },
    SHOWN[each](way[each].mean), h("span", { class: "quiet small" }, ` ${rangeOf(each, way[each])}`)));
  return h("tr", {}, h("th", { scope: "row" }, name, words), cells, h("td", {}, choiceOf(way, name, state)));
}

function choiceOf(way, name, { chosen, isChanged, choose }) {
  if (!way.plan) return "";
  if (chosen === way.name && !isChanged) return h("span", { class: "chip good" }, t("new.plan_chosen"));
  const label = t("new.plan_choose_more", { name });
  return h("button", { type: "button", class: "small", "aria-label": label, on: { click: () => choose(way.name) } }, t("new.plan_choose"));
}

/** Say whether the models of the pilot pay: the best plan with them beside the best without. */
function modelsOf({ pays, with: beside, without }) {
  const values = Object.entries({ beside, without }).flatMap(([who, found]) => [
    [`people_${who}`, tenths.format(found.people_per_sentence)], [`share_${who}`, percent(found.expert_share)],
    [`cost_${who}`, money(found.cost)], [`f1_${who}`, percent(found.f1)],
  ]);
  return t(pays ? "new.plan_models_pay" : "new.plan_models_not", Object.fromEntries(values));
}

/** Say what the figures rest on, in the reader's language. */
function notesOf({ pilot, recommended: { f1 } }) {
  if (pilot.assumption) return [t("new.plan_interval")];
  const { f1: quality, expert_share: share } = pilot.correction;
  return [
    t("new.plan_interval"),
    t("new.plan_rests", { sentences: number(pilot.sentences), workers: number(pilot.workers) }),
    t("new.plan_corrected", { f1: points.format(100 * quality), share: points.format(100 * share) }),
    pilot.seconds === "assumed" ? t("new.plan_no_times") : "",
    pilot.extrapolated ? t("new.plan_grown") : "",
    pilot.more_sentences && f1.high - f1.low > WIDE ? t("new.plan_small", { count: number(pilot.more_sentences) }) : "",
  ].filter(Boolean);
}
