// The dashboard of a campaign: everything that moves, and what an admin can do about it.

import { showAlerts } from "./alerts.js";
import { callHere, campaign } from "./api.js";
import { Controls } from "./dashboard-controls.js";
import { Events } from "./dashboard-events.js";
import { Figures } from "./dashboard-figures.js";
import { showHeadline } from "./dashboard-headline.js";
import { Outlook } from "./dashboard-outlook.js";
import { Progress } from "./dashboard-progress.js";
import { Workers } from "./dashboard-workers.js";
import { $, notice, say } from "./dom.js";
import { Live } from "./live.js";
import { number, percent, t } from "./words.js";

const REFRESH = 2000;
const SPEAK = 30000;

function trouble(error) {
  $("#problem").replaceChildren(error ? notice("bad", error.text ?? String(error)) : "");
}

/** Do something that may be refused, and tell so. */
async function attempt(work) {
  try {
    trouble(null);
    return await work();
  } catch (error) {
    if (!error.text) throw error;
    trouble(error);
    return null;
  }
}

const events = new Events($("#events"), $("#events-controls"), attempt);
const figures = new Figures($("#figures"), attempt);
const controls = new Controls(attempt);
const progress = new Progress($("#progress"));
const outlook = new Outlook($("#outlook"));
const workers = new Workers($("#workers"), $("#workers-note"), attempt, refresh);
let known = null;
let status = null;
let quality = null;
let seen = -1;
let spoken = Date.now();
let waits = false;
let isLate = false;
let isOver = false;
let head;
let labels = [];
let bottom;
let pilot;
let threshold; // a pilot has none
let suggested;
if ($("#suggested")) import("./dashboard-suggested.js").then((card) => (suggested = card.show)(status));
if ($("#pilot")) import("./dashboard-pilot.js").then(({ Pilot }) => (pilot = new Pilot(campaign, status)));
else import("./dashboard-threshold.js").then(({ ThresholdCard }) => {
  threshold = new ThresholdCard($("#threshold"), attempt);
  threshold.lock(status?.phase === "finished");
  return threshold.refresh();
}).catch((error) => error.isPassing || trouble(error));

/** Far down: fetched when somebody comes near. */
const near = new IntersectionObserver(async ([{ isIntersecting }]) => {
  if (!isIntersecting || bottom) return;
  bottom = import("./dashboard-export.js");
  const { ExportForm, showLabels } = await bottom;
  new ExportForm($("#export"), attempt);
  showLabels($("#labels"), labels);
}, { rootMargin: "600px" });

/** Fetch what a stream of events does not say; never twice at once, never while nobody looks. */
async function refresh() {
  if (isOver) return;
  if (waits || document.hidden) return void (isLate = true);
  waits = true;
  isLate = false;
  try {
    const [{ names, attention }, now, picture, certificate, expected] = await Promise.all([
      workers.refresh(),
      known ?? callHere("GET", ""),
      ...["/picture?workers=false", "/certificate", "/outlook"].map((path) => callHere("GET", path)),
      threshold?.refresh(),
    ]);
    known = now;
    quality = certificate.sentences ? certificate.f1.estimate : null;
    figures.showQuality(certificate, known.plan.audit > 0);
    events.know(names);
    progress.show(picture.progress);
    head = [certificate, expected, attention];
    showHead();
    figures.showCurrency(expected.forecast?.currency);
    outlook.show(expected, certificate, (status ?? known).phase);
    labels = picture.labels;
    if (bottom) (await bottom).showLabels($("#labels"), labels);
    else near.observe($("#labels-title")); // until there is something above, it is near
  } catch (error) {
    if (!error.isPassing && !isOver) trouble(error);
  }
  setTimeout(() => {
    waits = false;
    if (isLate) refresh();
  }, REFRESH);
}

/** Figures and headline state the same total at any time. */
function showHead() {
  if (head && figures.ledger) showHeadline($("#headline"), figures.ledger, ...head);
}

function moved({ status: now, ledger }) {
  status = now;
  figures.show(now, ledger);
  showHead();
  controls.show(now);
  pilot?.show(now);
  suggested?.(now);
  threshold?.lock(now.phase === "finished");
  for (const part of document.querySelectorAll("[data-watch]")) part.hidden = now.phase === "draft";
  $("#workers-card").hidden = now.workers === 0;
  if (now.version !== seen) refresh();
  seen = now.version;
  speak();
}

function speak() {
  if (Date.now() - spoken < SPEAK) return;
  spoken = Date.now();
  say(
    t(
      "dashboard.spoken",
      {
        settled: number(status.settled),
        sentences: number(status.sentences),
        quality: percent(quality),
      },
    ),
  );
}

const chip = $("#connection");
function connection(state) {
  if (state === "lost" && chip.dataset.state === "live") say(t("dashboard.lost"));
  if (state === "live" && chip.dataset.state === "lost") say(t("dashboard.live"));
  chip.dataset.state = state;
  chip.textContent = t(`dashboard.${state}`);
}

function end(reason) {
  isOver = true;
  connection("over");
  $("#problem").replaceChildren(notice("warn", t(`dashboard.end_${reason}`)));
}

document.addEventListener("visibilitychange", () => isLate && !document.hidden && refresh());
// All at once: to wait for one before the next is asked for takes longer than any of them.
new Live({ figures: moved, journal: (batch) => events.add(batch), state: connection, end });
refresh();
showAlerts($("#alerts"), campaign);
