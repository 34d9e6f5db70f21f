// Workers and experts of a campaign: invite them, give new links, let them go.

import { callHere } from "./api.js";
import { asked } from "./ask.js";
import { $, notice, say } from "./dom.js";
import { letOpen, showEntry } from "./people-entry.js";
import { letInvite } from "./people-invite.js";
import { showLinks } from "./people-links.js";
import { counted, expertRow, wordsOf, workerRow } from "./people-rows.js";
import { t } from "./words.js";

const EVERY = 20000;
const MANY = 10;
let workers = [];

const nameOf = (person) => person.name ?? person.pseudonym;

/** Ask before something that cannot be undone; `name` is that of its words. */
const sure = (name, person, danger = true) => asked({
  title: t(`people.ask_${name}`, { who: nameOf(person) }),
  text: t(`people.ask_${name}_more`),
  yes: t(`people.ask_${name}_yes`),
  danger,
});

/** Do something, tell if it fails, and look again. */
async function act(work) {
  $("#problem").replaceChildren();
  try {
    await work();
  } catch (error) {
    $("#problem").replaceChildren(notice("bad", error.text));
  }
  await look();
}

const acts = {
  async renew({ person }) {
    if (!(await sure("renew", person, false))) return;
    await act(async () => showLinks([await callHere("POST", `/workers/${person.pseudonym}/link`)]));
  },
  async erase({ person }) {
    if (!(await sure("erase", person))) return;
    await act(async () => {
      await callHere("DELETE", `/workers/${person.pseudonym}/data`);
      say(t("people.erased_said"));
    });
  },
};

async function dismiss(person) {
  if (!(await sure("dismiss", person))) return;
  await act(() => callHere("DELETE", `/experts/${person.pseudonym}`));
}

function drawWorkers() {
  const wanted = $("#filter input").value.trim().toLowerCase();
  const shown = workers.filter((worker) => wordsOf(worker).includes(wanted));
  $("#workers").replaceChildren(...shown.map((worker) => workerRow(worker, acts)));
  $("#workers-count").textContent = counted(workers);
  $("#no-workers").hidden = workers.length > 0;
  $("#filter").hidden = workers.length <= MANY;
}

function drawExperts(found) {
  const experts = found.filter((person) => !person.erased);
  $("#experts").replaceChildren(...experts.map((person) => expertRow(person, dismiss)));
  $("#experts-count").textContent = counted(experts);
  $("#no-experts").hidden = experts.length > 0;
}

/** Look who is there; the focus stays in the list. */
async function look() {
  try {
    const found = await Promise.all([callHere("GET", "/workers"), callHere("GET", "/experts")]);
    workers = found[0];
    const focus = document.activeElement?.getAttribute("aria-label");
    drawWorkers();
    drawExperts(found[1]);
    if (focus && document.activeElement === document.body) $(`.people [aria-label="${CSS.escape(focus)}"]`)?.focus();
  } catch (error) {
    $("#problem").replaceChildren(notice("bad", error.text));
  }
}

letInvite(look);
letOpen();
$("#filter input").addEventListener("input", drawWorkers);
callHere("GET", "")
  .then((campaign) => showEntry(campaign.entry))
  .catch(() => {});
look();
setInterval(() => document.visibilityState === "visible" && look(), EVERY);
