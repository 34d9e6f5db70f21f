// The list of campaigns: names at once, figures of those that can be seen.

import { showAlerts } from "./alerts.js";
import { call } from "./api.js";
import { account } from "./campaigns-account.js";
import { askToDelete } from "./campaigns-delete.js";
import { $, h, notice, say } from "./dom.js";
import { language, money, number, percent, t } from "./words.js";

const FEW = 8; // from here on, finding by name is worth a field
const AT_ONCE = 50; // figures that one call may ask for
const PHASES = { draft: "", running: "good", paused: "warn", finished: "" };
const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const rows = new Map();
const wanted = new Set();
let waiting = 0;

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    wanted.add(target.dataset.id);
    waiting ||= setTimeout(fetchFigures);
  }
}, { rootMargin: "200px" });

async function fetchFigures() {
  waiting = 0;
  const ids = [...wanted].slice(0, AT_ONCE);
  ids.forEach((id) => wanted.delete(id));
  if (wanted.size) waiting = setTimeout(fetchFigures);
  try {
    const query = new URLSearchParams(ids.map((id) => ["campaign", id]));
    for (const figures of await call("GET", `/figures?${query}`)) fill(figures);
  } catch (error) {
    $("#problem").replaceChildren(notice("bad", error.text));
  }
}

function fill({ id, phase, settled, sentences, spent, expected_quality: quality }) {
  const row = rows.get(id)?.element;
  if (!row) return;
  const chip = $(".phase", row);
  chip.textContent = t(`campaigns.phase_${phase}`);
  chip.className = `chip phase ${PHASES[phase]}`;
  chip.hidden = false;
  $(".done", row).textContent = t("campaigns.settled", { settled: number(settled), all: number(sentences) });
  $(".track > i", row).style.width = `${sentences ? (100 * settled) / sentences : 0}%`;
  $(".spent", row).textContent = money(spent);
  $(".quality", row).textContent = percent(quality);
}

function rowOf(campaign) {
  const { id, name, created_at: at, sentences } = campaign;
  const path = `/campaigns/${id}`;
  const about = t("campaigns.sentences", { n: sentences, count: number(sentences) });
  return h("li", { class: "card campaign", data: { id } },
    h("div", { class: "name" },
      h("div", { class: "row" },
        h("h2", { dir: "auto" }, h("a", { href: path }, name)), h("span", { class: "chip phase", hidden: true })),
      h("p", { class: "quiet small" }, `${about} · ${dates.format(at * 1000)}`)),
    h("div", { class: "progress" },
      h("span", { class: "small done" }, "–"), h("div", { class: "track", "aria-hidden": "true" }, h("i"))),
    h("dl", {},
      h("div", {}, h("dt", {}, t("campaigns.spent")), h("dd", { class: "spent" }, "–")),
      h("div", {}, h("dt", {}, t("campaigns.quality")), h("dd", { class: "quality" }, "–"))),
    h("div", { class: "actions" },
      h("a", { class: "button small", href: `${path}/people` }, t("campaigns.people")),
      h("a", { class: "button small", href: `${path}/guide` }, t("campaigns.guide")),
      h("button", {
        type: "button", class: "small danger", "aria-label": t("campaigns.delete_one", { name }),
        on: { click: () => askToDelete(campaign, () => remove(campaign)) },
      }, t("campaigns.delete"))));
}

function remove({ id, name }) {
  rows.get(id)?.element.remove();
  rows.delete(id);
  say(t("campaigns.deleted", { name }));
  settle();
  $("#new").focus();
}

function settle() {
  $("#empty").hidden = rows.size > 0;
  $("#filter").hidden = rows.size < FEW;
}

function find(text) {
  const part = text.trim().toLocaleLowerCase(language);
  for (const { name, element } of rows.values()) {
    element.hidden = !name.toLocaleLowerCase(language).includes(part);
  }
  const none = [...rows.values()].every(({ element }) => element.hidden);
  $("#problem").replaceChildren(none && rows.size ? notice("info", t("campaigns.none_found")) : "");
}

async function show() {
  try {
    const found = await call("GET", "/campaigns");
    for (const campaign of found.reverse()) {
      const element = rowOf(campaign);
      rows.set(campaign.id, { name: campaign.name, element });
      seen.observe(element);
    }
    $("#list").append(...[...rows.values()].map(({ element }) => element));
    settle();
  } catch (error) {
    $("#problem").replaceChildren(notice("bad", error.text));
  }
}

$("#filter input").addEventListener("input", (event) => find(event.target.value));
account();
show();
showAlerts($("#alerts"));
