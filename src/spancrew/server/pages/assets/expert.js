// The expert's desk: the next sheet, its submission, and a waiting page when there is none.

import { callHere } from "./api.js";
import { $, h, notice, say } from "./dom.js";
import { ready } from "./editor.js";
import { takeLegend } from "./editor-legend.js";
import { sweep } from "./expert-draft.js";
import { showGuide } from "./expert-guide.js";
import { Mine } from "./expert-mine.js";
import { Queue } from "./expert-queue.js";
import { Sheet } from "./expert-sheet.js";
import { showTaught } from "./expert-taught.js";
import { t } from "./words.js";

const RENEW = 90_000;
const place = $("#place");
const told = $("#notice");
const title = document.title;
const queue = new Queue({ take: (sentence) => next({ sentence }) });
const mine = new Mine($("#mine"));
let sheet = null;
let isBusy = false;
let isActive = false;
let timer = 0;

/** Tell something that is not about the labels on the screen; said aloud, too. */
function tell(kind, text, ...more) {
  told.replaceChildren(notice(kind, text, ...more));
  say(text);
}

const again = (act) => h("button", { type: "button", class: "small", on: { click: act } }, t("expert.try_again"));

/** Show what the server has for this expert: a sheet, or why there is none. */
async function show({ sheet: found, waiting }, words = "") {
  clearTimeout(timer);
  if (found) {
    takeLegend(found.legend);
    await ready(found.kind);
  }
  const isNew = found && found.number !== sheet?.number;
  sheet = found ? new Sheet(found, { submit, putBack }) : null;
  document.title = title;
  place.replaceChildren(sheet ? sheet.element : pause(waiting));
  queue.show(sheet?.number ?? null);
  if (sheet) sheet.focus();
  if (isNew) scrollTo({ top: 0 });
  if (!sheet && !waiting.over) timer = setTimeout(look, 1000 * Math.max(1, waiting.retry_after));
  if (words) say(words);
}

function pause({ over }) {
  const name = over ? "over" : "waiting";
  return h("section", { class: "card stack calm" }, h("h2", {}, t(`expert.${name}`)), h("p", { class: "quiet" }, t(`expert.${name}_more`)));
}

/** Look whether somebody is needed by now. A window that nobody looks at takes no sentence from others. */
async function look() {
  if (sheet) return;
  if (!document.hidden) {
    await next({ isWaking: true });
    return;
  }
  const free = (await queue.refresh()).some(({ claimed_by: who }) => who === null);
  document.title = free ? `● ${title}` : title;
  timer = setTimeout(look, 15_000);
}

/** Get the next sheet, or the one of a certain sentence. */
async function next({ sentence = null, isWaking = false } = {}) {
  if (isBusy) return;
  isBusy = true;
  try {
    const work = await callHere("POST", "/expert/next", { sentence });
    if (!isWaking || work.sheet) told.replaceChildren();
    await show(work, isWaking && work.sheet ? t("expert.woken") : "");
  } catch (error) {
    if (error.status === 409) {
      tell("info", t("expert.occupied"));
      queue.refresh();
    } else {
      tell("warn", error.text, " ", again(() => next({ sentence })));
      if (!sheet && error.isPassing) timer = setTimeout(look, 5000);
    }
  } finally {
    isBusy = false;
  }
}

/** Send the labels of a sheet; they stay on the screen until the server has them. */
async function submit(own) {
  if (isBusy) return;
  isBusy = true;
  own.lock(true);
  const { editor, draft } = own;
  const body = { sentence: own.number, spans: editor.spans, seconds: draft.seconds, key: draft.keyFor(editor.spans), next: true };
  try {
    const { receipt, taught, next: work } = await callHere("POST", "/expert/answers", body);
    draft.drop();
    told.replaceChildren();
    mine.refresh();
    const words = showTaught(taught, { isAgain: receipt.again, text: own.sheet.doubt.text });
    await show(work, `${t("expert.said_taken")} ${words}. ${work.sheet ? t("expert.said_next") : t("expert.waiting")}`);
  } catch (error) {
    own.lock(false);
    await failed(own, error);
  } finally {
    isBusy = false;
  }
}

async function failed(own, error) {
  if (error.status === 409) {
    own.draft.drop();
    isBusy = false;
    await next();
    tell("info", t("expert.decided"));
  } else if (error.isPassing) own.tell("warn", `${error.text} ${t("expert.kept")}`, " ", again(() => own.send()));
  else own.tell("bad", error.text);
  own.buttons.submit.focus();
}

/** Leave the sentence in hand to another expert. */
async function putBack() {
  if (isBusy) return;
  isBusy = true;
  const { number } = sheet;
  try {
    const work = await callHere("POST", "/expert/put-back", { sentence: number });
    const isSame = work.sheet?.number === number;
    await show(work);
    tell("info", t(isSame ? "expert.only_one" : "expert.left"));
  } catch (error) {
    sheet.tell("warn", error.text);
  } finally {
    isBusy = false;
  }
}

/** Somebody who is still at a sheet keeps it, however long they think. */
async function renew() {
  if (!sheet || !isActive || isBusy) return;
  isActive = false;
  await callHere("POST", "/expert/next", { sentence: sheet.number }).catch(() => {});
}

document.addEventListener("keydown", (event) => {
  isActive = true;
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !sheet || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (event.shiftKey) sheet.sendNothing();
  else sheet.send();
});
document.addEventListener("pointerdown", () => (isActive = true));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !sheet && timer) look();
});
$("#guide").addEventListener("click", () => showGuide(sheet?.sheet.labels ?? []));
setInterval(renew, RENEW);
place.replaceChildren(h("p", { class: "quiet calm" }, t("expert.loading")));
sweep();
next();
