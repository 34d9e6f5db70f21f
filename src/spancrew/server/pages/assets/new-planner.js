// The plan for a target, a size and people: sought by the server, shown, and put into the form.

import { $, notice, say } from "./dom.js";
import { dataForm, draft, field, fields, form, save, setField } from "./new-draft.js";
import { callLines } from "./new-lines.js";
import { part } from "./new-plan.js";
import { plannedCard } from "./new-planned.js";
import { checkFields, clear } from "./new-problems.js";
import { readingOf } from "./new-reading.js";
import { sentencesLeft } from "./new-summary.js";
import { Waiting } from "./new-waiting.js";
import { t } from "./words.js";

const FORECAST_RESTS_ON = [
  "rule", "aim", "quality", "expert_share", "threshold", "answers", "crew", "policy", "consensus", "mode", "kind", "warm_up", "audit",
  "price_answer", "price_expert", "model_price",
];
const box = $(".problem.planner");
let running = null;
let waiting = null;
let changed = () => {};

/** Set up the planner; `onChange` is called when a plan was put into the form. */
export function plannerPart(onChange) {
  changed = onChange;
  waiting = new Waiting("plan", () => running?.abort());
  $("#find-plan").addEventListener("click", find);
  showPlanned();
}

const hasPilot = () => Boolean(draft.found?.gold && draft.found?.answers);

/** Tell whether models answer in the pilot that a plan rests on. */
const hasModels = () => field("assume") === "" && Boolean(draft.found?.models);

/** Say what a plan would rest on; without a pilot, only an assumption is possible. */
export function showPlanner() {
  const select = form.elements.assume;
  const isPilot = hasPilot();
  select.options[0].disabled = !isPilot;
  if (draft.found && !isPilot && select.value === "") select.value = "names-in-news";
  $("#worker-f1").hidden = select.value !== "own";
  $("#model-price").hidden = !hasModels();
  $("#assumed").hidden = select.value === "";
  const isPossible = field("kind") !== "choices";
  $("#plan-more").textContent = t(!isPossible ? "new.plan_choices" : isPilot ? "new.plan_more" : "new.plan_no_pilot");
  $("#find-plan").disabled = !isPossible || Boolean(running);
  showPlanned();
}

const kept = () => JSON.stringify(FORECAST_RESTS_ON.map((name) => fields()[name] ?? ""));

/** Return the forecast of the plan that was chosen; null if the form says something else by now. */
export const chosenForecast = () => (draft.chosen && draft.chosen.kept === kept() ? draft.chosen.forecast : null);

async function find() {
  clear("crew");
  const wrong = checkFields("crew");
  if (running || wrong) return wrong?.focus();
  running = new AbortController();
  $("#find-plan").disabled = true;
  waiting.begin();
  try {
    const { plan } = await callLines("/plans", wishesForm(fields()), progress, running.signal);
    draft.planned = { ...plan, sentences: sentencesLeft() };
    choose("recommended");
  } catch (error) {
    if (error.name === "AbortError") box.replaceChildren(notice("info", t("new.plan_stopped")));
    else box.replaceChildren(notice("bad", error.code === "too_many_rehearsals" ? t("new.busy") : error.text));
  } finally {
    running = null;
    waiting.end();
    showPlanner();
  }
}

function progress(line) {
  if (line.done !== undefined) waiting.show(line, t(`new.plan_${line.phase}`));
}

function wishesForm(now) {
  const data = now.assume ? new FormData() : dataForm(readingOf());
  if (now.assume) data.set("assume", now.assume === "own" ? `worker_f1=${part(now.worker_f1)}` : now.assume);
  data.set("wishes", JSON.stringify(wishesOf(now)));
  return data;
}

function wishesOf(now) {
  const wishes = {
    sentences: sentencesLeft(), quality: part(now.target), workers: Number(now.workers), experts: Number(now.experts),
    worker_hours: Number(now.worker_hours), expert_hours: Number(now.expert_hours), answer_price: Number(now.price_answer),
    expert_price: Number(now.price_expert), warm_up: now.warm_up || "shared", audit: part(now.audit), currency: now.currency,
  };
  if (now.budget !== "") wishes.budget = Number(now.budget);
  if (hasModels()) wishes.model_price = Number(now.model_price);
  if (now.deadline !== "") wishes.deadline = `${Number(now.deadline)}d`;
  return wishes;
}

const ways = () => [{ name: "recommended", ...draft.planned.recommended }, ...draft.planned.alternatives];

/** Put a plan into the form; experts alone need none. */
function choose(name) {
  const way = ways().find((each) => each.name === name);
  draft.chosen = null;
  if (way.plan) {
    for (const [key, value] of Object.entries(fieldsOf(way.plan))) setField(key, value);
    draft.chosen = { name, forecast: way.plan.forecast, kept: kept() };
    say(t("new.plan_in_form"));
  }
  save();
  changed();
  $("#planned h3")?.focus();
}

/** Return the fields of the form that make a plan. */
function fieldsOf({ feedback, consensus, answers, crew, policy }) {
  const [rule, options = ""] = feedback.split(":");
  const { threshold, expert_share: share } = Object.fromEntries(options.split(",").map((each) => each.split("=")));
  return {
    rule, consensus, answers, crew, aim: share === undefined ? "" : "expert_share",
    policy: policy === "difficulty-thompson" ? "" : policy,
    ...(threshold === undefined ? {} : { threshold }),
    ...(share === undefined ? {} : { expert_share: Number((100 * share).toFixed(4)) }),
  };
}

function showPlanned() {
  const { planned, chosen, found } = draft;
  const isOurs = planned && found && planned.sentences === sentencesLeft();
  $("#find-plan").textContent = t(isOurs ? "new.plan_again" : "new.plan_find");
  const state = { chosen: chosen?.name, isChanged: Boolean(chosen) && !chosenForecast(), choose };
  $("#planned").replaceChildren(isOurs ? plannedCard(planned, ways(), state) : "");
}
