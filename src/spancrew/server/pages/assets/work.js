// The page of a worker: guide, training, then one sentence after the other.

import { callHere } from "./api.js";
import { $, h, notice } from "./dom.js";
import { Outbox } from "./outbox.js";
import { Desk } from "./work-desk.js";
import { Drafts } from "./work-draft.js";
import { fetchGuide, guideDialog, hasText, readGuide } from "./work-guide.js";
import { showRefused } from "./work-refused.js";
import { Shift } from "./work-shift.js";
import { Timer } from "./work-timer.js";
import { Figures } from "./work-top.js";
import { t } from "./words.js";

const stage = $("#stage");
const { worker } = stage.dataset;
const outbox = new Outbox(worker);

/** Before the first sentence: the instructions once, and the training if there is one. */
async function prepare(guide, { labels, kind, answers }, showGuide) {
  const isNew = guide.training > 0 ? !guide.trained : answers === 0;
  if (!isNew) return;
  const goOn = guide.training > 0 ? t("work.start_training") : t("work.start_work");
  if (hasText(guide)) await readGuide(stage, guide, labels, goOn);
  if (guide.training > 0) {
    // Once in the life of a worker: not worth its weight every day.
    const { Training } = await import("./training.js");
    await new Training(stage, { labels, kind, of: guide.training, showGuide }).run();
  }
}

async function begin() {
  const [guide, progress] = await Promise.all([fetchGuide(), callHere("GET", "/progress")]);
  const { labels } = progress;
  const showGuide = hasText(guide) ? guideDialog(guide, labels) : null;
  const figures = new Figures(progress, outbox);
  const places = ["refused", "ended"].map((name) => h("div", { class: "stack", id: name }));
  $("#notices").replaceChildren(...places);
  showRefused(places[0], outbox, labels);
  if (!progress.over) await prepare(guide, progress, showGuide);
  const timer = new Timer(() => figures.time(timer.seconds));
  const shift = new Shift({ stage, outbox, figures, timer, drafts: new Drafts(worker), ended: places[1] });
  const { drafts } = shift;
  shift.desk = new Desk({ ...progress, drafts, timer, showGuide, submit: shift.submit, skip: shift.skip });
  await shift.begin();
}

function trouble(error) {
  const again = h("button", { type: "button", on: { click: () => location.reload() } }, t("work.reload"));
  stage.replaceChildren(notice("bad", error.text ?? String(error)), h("div", {}, again));
}

begin().catch(trouble);
