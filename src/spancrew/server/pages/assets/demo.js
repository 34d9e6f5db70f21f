// The first page of the live demo: how the campaign stands, and three windows side by side.

import { $, say } from "./dom.js";
import { number, t } from "./words.js";

const EVERY = 2000;
const SEATS = ["worker", "expert", "dashboard"];
const WIDE = 900; // pixels of a screen on which three windows fit side by side
let campaign = 0;

function show(now) {
  const share = now.sentences ? now.settled / now.sentences : 0;
  $("#now-title").textContent = t("demo.campaign", { number: number(now.number) });
  $("#settled").textContent = t("demo.settled", { settled: number(now.settled), all: number(now.sentences) });
  $("#now .track > i").style.width = `${100 * share}%`;
  tell(now);
  for (const seat of SEATS) {
    $(`#${seat}`).href = now[seat];
    $(`#${seat}`).removeAttribute("aria-disabled");
  }
  $("#expert-alone").href = now.expert_alone;
  $("#worker-kept").textContent = t("demo.worker_kept", { n: now.kept, count: number(now.kept) });
  $("#expert-kept").textContent = t("demo.expert_kept", { n: now.questions, count: number(now.questions) });
}

function tell(now) {
  const text = t(`demo.tempo_${now.tempo}`);
  if ($("#tempo").textContent !== text) $("#tempo").textContent = text;
  if (campaign && now.number !== campaign) say(t("demo.anew"));
  campaign = now.number;
}

/** Open a seat in its third of the screen; on a small screen it is a tab as usual. */
function open(event, place) {
  if (screen.availWidth < WIDE || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const width = Math.floor(screen.availWidth / SEATS.length);
  const where = `left=${place * width},top=0,width=${width},height=${screen.availHeight}`;
  if (window.open(event.currentTarget.href, "_blank", `popup,${where}`)) event.preventDefault();
}

async function look() {
  if (document.hidden) return;
  try {
    const now = await (await fetch($("#now").dataset.now)).json();
    if (now) show(now);
  } catch {
    $("#tempo").textContent = t("demo.gone");
  }
}

SEATS.forEach((seat, place) => $(`#${seat}`).addEventListener("click", (event) => open(event, place)));
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
look();
