// The rehearsal: started, watched, stopped, and kept for comparison.

import { $, notice, say } from "./dom.js";
import { draft, dataForm, field, fields, form, save } from "./new-draft.js";
import { comparison, forecastCard } from "./new-forecast.js";
import { callLines } from "./new-lines.js";
import { planOf } from "./new-plan.js";
import { readingOf } from "./new-reading.js";
import { checkFields, clear, refused } from "./new-problems.js";
import { sentencesLeft, showSummary } from "./new-summary.js";
import { Waiting } from "./new-waiting.js";
import { t } from "./words.js";

const MOST_KEPT = 12;
const box = $(".problem.rehearsal");
let running = null;
let waiting = null;

/** Set up the rehearsal; `show` brings a step to the front, `use` puts settings back. */
export function rehearsalPart(show, use) {
  $("#rehearse").addEventListener("click", () => rehearse(show, use));
  waiting = new Waiting("rehearsal", () => running?.abort());
  for (const name of ["runs", "skill"]) {
    form.elements[name].addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return; // it would create the campaign
      event.preventDefault();
      rehearse(show, use);
    });
  }
  showForecasts(use);
}

/** Say whether a rehearsal is possible with these data and this plan. */
export function showPossible() {
  const { found } = draft;
  const reason = found && !found.gold ? "no_gold" : field("kind") === "choices" ? "choices" : "more";
  $("#rehearse-more").textContent = t(`new.rehearse_${reason}`);
  $("#rehearse-row").hidden = reason !== "more";
  $("#skill").hidden = Boolean(found?.answers);
}

async function rehearse(show, use) {
  if (running) return;
  clear("check");
  if ([form.elements.runs, form.elements.skill].some((input) => !input.validity.valid)) {
    checkFields("check")?.focus();
    return;
  }
  running = new AbortController();
  working(true);
  try {
    const now = fields();
    const { forecast } = await callLines("/rehearsals", formOf(now), progress, running.signal);
    draft.forecasts = [...draft.forecasts, { fields: now, forecast, left: sentencesLeft() }].slice(-MOST_KEPT);
    save();
    showForecasts(use);
  } catch (error) {
    if (error.name === "AbortError") box.replaceChildren(notice("info", t("new.stopped")));
    else tell(error, show);
  } finally {
    running = null;
    working(false);
  }
}

function tell(error, show) {
  if (error.code === "too_many_rehearsals") box.replaceChildren(notice("warn", t("new.busy")));
  else if (error.code === "invalid" || error.code === "plan" || error.code === "data") show(refused(error, "check"));
  else box.replaceChildren(notice("bad", error.text));
}

function formOf(now) {
  const data = dataForm(readingOf());
  data.set("plan", JSON.stringify(planOf(now)));
  data.set("runs", now.runs);
  if (!draft.found.answers) data.set("skill", String(Number(now.skill) / 100));
  return data;
}

function working(isOn) {
  $("#rehearse").disabled = isOn;
  if (isOn) waiting.begin();
  else waiting.end();
}

function progress(line) {
  if (line.done === undefined) return;
  waiting.show(line, t(`new.phase_${line.phase}`, { run: line.done, runs: line.of - 2 }));
}

function showForecasts(use) {
  const { forecasts } = draft;
  const last = forecasts.at(-1);
  $("#rehearse").textContent = t(last ? "new.rehearse_again" : "new.rehearse");
  $("#forecast").replaceChildren(last ? forecastCard(last) : "");
  $("#comparison").replaceChildren(last ? comparison(forecasts, use) : "");
  showSummary();
  if (running && last) say($("#forecast dl").innerText);
}
