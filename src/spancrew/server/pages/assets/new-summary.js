// At the side: what is planned, in words and money.

import { $, h } from "./dom.js";
import { draft, field, fields } from "./new-draft.js";
import { costOf } from "./new-forecast.js";
import { chip, labelNames } from "./new-labels.js";
import { isPilot } from "./new-pilot.js";
import { planOf, ruleWords } from "./new-plan.js";
import { chosenForecast } from "./new-planner.js";
import { money, number, percent, t } from "./words.js";

/** Return how many sentences are to be labelled. */
export function sentencesLeft() {
  if (!draft.found) return 0;
  const known = draft.fields.gold === "use" ? draft.found.gold : 0;
  return draft.found.sentences - known;
}

/** Show what is planned so far. */
export function showSummary() {
  const { found } = draft;
  if (!found) {
    $("#summary").replaceChildren(h("p", { class: "quiet" }, t("new.summary_empty")));
    return;
  }
  const now = isPilot() ? { ...fields(), answers: field("pilot_answers"), rule: "expert" } : fields();
  const left = isPilot() ? Number(now.pilot) : sentencesLeft();
  const known = isPilot() ? 0 : found.sentences - left;
  $("#summary").replaceChildren(
    h("div", { class: "row" }, labelNames().map(chip)),
    h("p", { class: "strong" }, crowdLine(now, left)),
    h("p", {}, expertLine(now, left)),
    isPilot() ? "" : h("p", { class: "strong" }, totalLine(now, left)),
    hasOption(now) ? h("p", { class: "quiet small" }, ruleWords(now)) : "",
    isPilot()
      ? h("p", { class: "quiet small" }, t("new.sum_waiting", { count: number(found.sentences - left) }))
      : h("p", { class: "quiet small" }, t("new.sum_alone", { total: money(left * Number(now.price_expert)) })),
    known ? h("p", { class: "quiet small" }, t("new.sum_known", { n: known, count: number(known) })) : "",
    now.budget ? h("p", { class: "quiet small" }, t("new.sum_budget", { budget: money(Number(now.budget)) })) : "");
}

/** The total is that of the forecast, where there is one of these settings: nothing else is said beside it. */
function totalLine(now, left) {
  const planned = chosenForecast();
  if (planned) return t("new.sum_total_planned", { total: `${money(planned.cost.mean)} ${planned.currency}`.trim() });
  const same = (each) => each.left === left && JSON.stringify(planOf(each.fields)) === JSON.stringify(planOf(now));
  const rehearsed = draft.forecasts.findLast(same);
  return rehearsed ? t("new.sum_total", { total: money(costOf(rehearsed).all.mean) }) : t("new.sum_total_unknown");
}

const hasOption = ({ rule, aim }) => rule === "gate" || rule === "adaptive" || (rule === "expected-error" && aim);

function crowdLine({ answers, price_answer: price }, left) {
  const total = left * Number(answers) * Number(price);
  return t("new.sum_answers", { sentences: number(left), answers, price: money(Number(price)), total: money(total) });
}

function expertLine(now, left) {
  const each = Number(now.price_expert);
  const values = { price: money(each), sentences: number(left) };
  if (now.rule === "crowd") return t("new.sum_experts_none");
  if (now.rule === "expert") return t("new.sum_experts_all", { ...values, total: money(left * each) });
  if (now.rule === "gate") return t("new.sum_experts_gate", values);
  if (now.aim !== "expert_share") return t("new.sum_experts_errors", values);
  const share = Number(now.expert_share) / 100;
  return t("new.sum_experts_share", { ...values, share: percent(share), total: money(left * share * each) });
}
