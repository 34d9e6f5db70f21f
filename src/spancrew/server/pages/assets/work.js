// The page of a worker: guide, training, then one sentence after the other.
//
// What few workers need on few days is fetched when it is needed, so that the page is light.

import { callHere, campaign } from "./api.js";
import { $, h, notice } from "./dom.js";
import { ready } from "./editor.js";
import { takeLegend } from "./editor-legend.js";
import { Outbox } from "./outbox.js";
import { Store } from "./outbox-store.js";
import { Desk } from "./work-desk.js";
import { Drafts } from "./work-draft.js";
import { Shift } from "./work-shift.js";
import { Source } from "./work-source.js";
import { Timer } from "./work-timer.js";
import { Figures } from "./work-top.js";
import { t } from "./words.js";

const NO_GUIDE = { instructions: "", examples: [], training: 0, trained: true };
const stage = $("#stage");
const { worker, name } = stage.dataset;
const outbox = new Outbox(worker);
const kept = new Store(`spancrew.${campaign}.${worker}.kept.`);
const hasText = (guide) => Boolean(guide.instructions.trim() || guide.examples.length);

/** Return the guide of the campaign; a campaign without one has an empty guide. */
async function fetchGuide() {
  try {
    return await callHere("GET", "/guide");
  } catch (error) {
    if (error.status === 404) return NO_GUIDE;
    throw error;
  }
}

/** Before the first sentence: the instructions once, and the training if there is one. */
async function prepare(guide, { labels, kind, answers }, showGuide) {
  const isNew = guide.training > 0 ? !guide.trained : answers === 0;
  if (!isNew) return;
  const goOn = guide.training > 0 ? t("work.start_training") : t("work.start_work");
  if (hasText(guide)) {
    const { readGuide } = await import("./work-guide.js");
    await readGuide(stage, guide, labels, goOn);
  }
  if (guide.training > 0) {
    const { Training } = await import("./training.js");
    await new Training(stage, { labels, kind, of: guide.training, showGuide }).run();
  }
}

/** Show answers that the server did not take, now and when there is a new one. */
function watchRefused(place, labels) {
  const draw = async (error) => {
    const { drawRefused, sayRefused } = await import("./work-refused.js");
    drawRefused(place, outbox, labels);
    if (error) sayRefused(error);
  };
  outbox.addEventListener("refused", ({ detail }) => draw(detail.error));
  if (outbox.refused.names.length) draw();
}

/** Return guide and progress; without a connection, those of the last time. */
async function fetchAbout() {
  try {
    const [guide, progress] = await Promise.all([fetchGuide(), callHere("GET", "/progress")]);
    kept.put("about", { guide, progress });
    return { guide, progress };
  } catch (error) {
    const about = error.isPassing && kept.get("about");
    if (!about) throw error;
    return about;
  }
}

async function begin() {
  const { guide, progress } = await fetchAbout();
  const { labels } = progress;
  takeLegend(progress.legend);
  await ready(progress.kind);
  const openGuide = async () => (await import("./work-guide.js")).showGuide(guide, labels);
  const showGuide = hasText(guide) ? openGuide : null;
  const figures = new Figures(progress, outbox);
  const places = ["refused", "ended"].map((id) => h("div", { class: "stack", id }));
  $("#notices").replaceChildren(...places);
  watchRefused(places[0], labels);
  if (!progress.over) await prepare(guide, progress, showGuide);
  const timer = new Timer(() => figures.time(timer.seconds));
  const source = new Source(outbox, { kept, most: progress.ahead });
  const shift = new Shift({ stage, outbox, figures, timer, source, drafts: new Drafts(worker), ended: places[1] });
  const { drafts } = shift;
  shift.desk = new Desk({ ...progress, name, drafts, timer, showGuide, submit: shift.submit, skip: shift.skip });
  await shift.begin();
  const { keepPage } = await import("./work-offline.js");
  await keepPage();
}

function trouble(error) {
  const again = h("button", { type: "button", on: { click: () => location.reload() } }, t("work.reload"));
  stage.replaceChildren(notice("bad", error.text ?? String(error)), h("div", {}, again));
}

begin().catch(trouble);
