// A new campaign in four steps on one page; what is typed stays until the campaign is there.

import { call } from "./api.js";
import { $, say } from "./dom.js";
import { chooseData, dataStep, missingData } from "./new-data.js";
import { dataForm, draft, field, fields, forget, form, restore, save, setField } from "./new-draft.js";
import { labelStep, missingLabels } from "./new-labels.js";
import { isPilot, knownPilot, loadPilots, nameAfterPilot, pilotIn, pilotPlan, showPilot, wantedPilot } from "./new-pilot.js";
import { planOf, planStep, showOptions } from "./new-plan.js";
import { chosenForecast, plannerPart, showPlanner } from "./new-planner.js";
import { checkFields, clear, onTop, refused, stepElement } from "./new-problems.js";
import { READING_FIELDS, readingOf } from "./new-reading.js";
import { rehearsalPart, showPossible } from "./new-rehearsal.js";
import { showSummary } from "./new-summary.js";
import { t } from "./words.js";

const STEPS = ["data", "labels", "crew", "check"];
const DATA_FIELDS = new Set(["name", "source", "gold", "practice", "scope", "pilot", "pilot_answers", "runs", "skill", ...READING_FIELDS]);
const MISSING = { data: missingData, labels: missingLabels };

/** Tell whether a step is complete; if not, say why and go there. */
function isComplete(step) {
  clear(step);
  const missing = MISSING[step]?.();
  if (missing) {
    show(step);
    onTop(step, missing);
    return false;
  }
  const wrong = checkFields(step);
  if (!wrong) return true;
  show(step);
  wrong.focus();
  return false;
}

function go(step, isNew = true) {
  const before = STEPS.slice(0, STEPS.indexOf(step));
  if (!before.every(isComplete)) return;
  if (isNew && step !== draft.step) history.pushState(step, "");
  show(step);
  $("h2", stepElement(step)).focus({ preventScroll: true });
  scrollTo(0, 0);
}

function show(step) {
  draft.step = step;
  for (const each of STEPS) stepElement(each).hidden = each !== step;
  for (const button of $("#steps").querySelectorAll("button")) {
    const isNow = button.dataset.step === step;
    if (isNow) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    button.classList.toggle("done", STEPS.indexOf(button.dataset.step) < STEPS.indexOf(step));
  }
  $("#back").hidden = step === STEPS[0];
  $("#next").textContent = step === "check" ? createWords() : t("new.next");
  if (step === "check") suggestName();
  refresh();
}

const createWords = () => t(isPilot() ? "new.create_pilot" : "new.create");

function suggestName() {
  if (field("name") || !draft.found) return;
  const source = field("source");
  const names = { demo: t("new.demo"), "demo-zh": t("new.demo_zh"), text: t("new.text") };
  const name = names[source] ?? (pilotIn(source) ? nameAfterPilot() : (draft.file?.name ?? "").replace(/\.[^.]*$/, ""));
  setField("name", isPilot() ? t("new.pilot_called", { name }) : name);
}

function refresh() {
  save();
  showPilot();
  showOptions();
  showPlanner();
  showPossible();
  showSummary();
}

function use(settings) {
  for (const [name, value] of Object.entries(settings)) {
    if (!DATA_FIELDS.has(name) && !name.startsWith("column_")) setField(name, value);
  }
  refresh();
  say(t("new.used_again"));
}

async function create() {
  if (!STEPS.every(isComplete)) return;
  const button = $("#next");
  button.disabled = true;
  button.textContent = t("new.creating");
  try {
    const now = fields();
    const data = dataForm(readingOf());
    data.set("name", now.name);
    data.set("gold", now.gold);
    if (draft.found.gold) data.set("practice", now.practice);
    if (isPilot()) data.set("pilot", now.pilot);
    data.set("plan", JSON.stringify(isPilot() ? pilotPlan(now) : wholePlan(now)));
    const { id } = await call("POST", "/campaigns", data);
    forget();
    location.assign(`/campaigns/${id}`);
  } catch (error) {
    button.disabled = false;
    button.textContent = createWords();
    showRefused(error);
  }
}

function wholePlan(now) {
  const forecast = chosenForecast();
  return { ...planOf(now), ...(forecast && { forecast }) };
}

function showRefused(error) {
  const step = refused(error, "check");
  show(step);
  $("[aria-invalid]", stepElement(step))?.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const at = STEPS.indexOf(draft.step);
  if (at === STEPS.length - 1) create();
  else if (isComplete(draft.step)) go(STEPS[at + 1]);
});
form.addEventListener("input", refresh);
$("#back").addEventListener("click", () => go(STEPS[STEPS.indexOf(draft.step) - 1]));
for (const button of $("#steps").querySelectorAll("button")) {
  button.addEventListener("click", () => go(button.dataset.step));
}
addEventListener("popstate", (event) => STEPS.includes(event.state) && go(event.state, false));

knownPilot();
restore();
planStep();
dataStep(refresh);
labelStep(refresh);
plannerPart(refresh);
rehearsalPart(show, use);
history.replaceState(draft.step, "");
show(draft.step);
const wanted = new URLSearchParams(location.search).get("data");
loadPilots();
// A choice that was made before this script was there counts, too.
if (wantedPilot()) chooseData(wantedPilot());
else if (field("source") && !draft.found) chooseData(field("source"));
else if (wanted && !draft.fields.source && ["demo", "demo-zh"].includes(wanted)) chooseData(wanted);
