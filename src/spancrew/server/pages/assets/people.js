// Workers and experts of a campaign: invite them, give new links, let them go.

import { callHere } from "./api.js";
import { asked } from "./ask.js";
import { $, notice, say } from "./dom.js";
import { letOpen, showEntry } from "./people-entry.js";
import { Selection } from "./people-bulk.js";
import { letInvite, letInviteByFile } from "./people-invite.js";
import { showLinks } from "./people-links.js";
import { counted, expertRow, workerRow } from "./people-rows.js";
import { number, t } from "./words.js";

const EVERY = 20000;
const MANY = 10;
const filter = $("#filter");
const selection = new Selection(look);
let page = 0;
let looks = 0; // answers to earlier questions come too late
let typing = 0;

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
  async renew({ person, state }) {
    if (!(await sure("renew", person, false))) return;
    await act(async () => showLinks([{ ...(await callHere("POST", `/workers/${person.pseudonym}/link`)), state }]));
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

function drawWorkers({ workers, found, total, everybody, size }) {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  const isLookedFor = filter.elements.text.value.trim() !== "" || filter.elements.state.value !== "";
  $("#workers").replaceChildren(...workers.map((worker) => workerRow(worker, acts, selection)));
  selection.show(workers, found);
  $("#workers-count").textContent = counted(everybody);
  $("#no-workers").hidden = total > 0;
  $("#no-workers").textContent = t(everybody ? "people.nobody_found" : "people.no_workers");
  filter.hidden = everybody <= MANY && !isLookedFor;
  $("#found").textContent = isLookedFor && total ? t("people.found", { n: total, count: number(total) }) : "";
  $("#pages").hidden = last === 0;
  $("#where").textContent = t("people.page", { n: number(page + 1), all: number(last + 1) });
  for (const [id, to] of [["before", page - 1], ["after", page + 1]]) {
    const isOn = to >= 0 && to <= last;
    $(`#${id}`).setAttribute("aria-disabled", String(!isOn));
    $(`#${id}`).onclick = () => isOn && turnTo(to);
  }
}

async function turnTo(to) {
  page = to;
  await look();
  $("#workers-title").scrollIntoView({ block: "start" });
}

/** Look for what the form says, from the first page on; nobody stays selected unseen. */
function choose() {
  clearTimeout(typing);
  page = 0;
  selection.clear();
  look();
}

function drawExperts(found) {
  const experts = found.filter((person) => !person.erased);
  $("#experts").replaceChildren(...experts.map((person) => expertRow(person, dismiss)));
  $("#experts-count").textContent = counted(experts.length);
  $("#no-experts").hidden = experts.length > 0;
}

/** Return the page of workers that is wanted; the last one where there are fewer by now. */
async function workersHere() {
  const given = [...new FormData(filter)].filter(([, value]) => value.trim() !== "");
  const found = await callHere("GET", `/workers/page?${new URLSearchParams([...given, ["page", page]])}`);
  if (found.workers.length || page === 0) return found;
  page = Math.max(0, Math.ceil(found.total / found.size) - 1);
  return workersHere();
}

/** Look who is there; the focus stays in the list. */
async function look() {
  const turn = ++looks;
  try {
    const [workers, experts] = await Promise.all([workersHere(), callHere("GET", "/experts")]);
    if (turn !== looks) return;
    const focus = document.activeElement?.getAttribute("aria-label");
    drawWorkers(workers);
    drawExperts(experts);
    if (focus && document.activeElement === document.body) $(`.people [aria-label="${CSS.escape(focus)}"]`)?.focus();
  } catch (error) {
    $("#problem").replaceChildren(notice("bad", error.text));
  }
}

letInvite(look);
letInviteByFile(look);
letOpen();
filter.addEventListener("submit", (event) => event.preventDefault());
filter.elements.state.addEventListener("change", choose);
filter.elements.text.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(choose, 250);
});
callHere("GET", "")
  .then((campaign) => showEntry(campaign.entry))
  .catch(() => {});
look();
setInterval(() => document.visibilityState === "visible" && look(), EVERY);
