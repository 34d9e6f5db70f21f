// What admins did: a table with filters, page by page, and a check that it is whole.

import { call } from "./api.js";
import { $, h, notice } from "./dom.js";
import { knows, language, number, t } from "./words.js";

const AT_ONCE = 50;
const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
const CELL = { role: "cell" }; // on a phone, the table is laid out as a list
const form = $("#filter");
const campaigns = new Map();
let person = null; // whose entries are shown: id and name
let oldest = null; // the last entry that is shown
let asked = 0; // answers to earlier questions come too late

function query() {
  const wanted = new URLSearchParams();
  const { campaign, action, since } = form.elements;
  if (campaign.value) wanted.set("campaign", campaign.value);
  if (action.value) wanted.set("action", action.value);
  if (since.value) wanted.set("since", String(new Date(`${since.value}T00:00`).getTime() / 1000));
  if (person) wanted.set("person", String(person.id));
  return wanted;
}

function told(error) {
  $("#problem").replaceChildren(notice("bad", error.text ?? String(error)));
}

async function show(isMore = false) {
  const turn = ++asked;
  const wanted = query();
  $("#jsonl").href = `/api/v1/audit/export?${wanted}`;
  $("#csv").href = `/api/v1/audit/export?${new URLSearchParams([...wanted, ["format", "csv"]])}`;
  wanted.set("limit", String(AT_ONCE));
  if (isMore) wanted.set("before", String(oldest));
  try {
    const { entries, more } = await call("GET", `/audit?${wanted}`);
    if (turn !== asked) return;
    const rows = entries.map(rowOf);
    if (isMore) $("#entries").append(...rows);
    else $("#entries").replaceChildren(...rows);
    if (isMore) $("summary", rows[0])?.focus();
    oldest = entries.at(-1)?.id ?? oldest;
    $("#older").hidden = !more;
    $("#none").hidden = $("#entries").rows.length > 0;
    $("#problem").replaceChildren();
  } catch (error) {
    told(error);
  }
}

function rowOf(entry) {
  return h("tr", { role: "row", data: { id: entry.id } },
    h("td", CELL, times.format(entry.at * 1000)),
    h("td", CELL, whoOf(entry), h("div", { class: "small quiet" }, viaOf(entry))),
    h("td", CELL, h("span", {}, whatOf(entry.action)), detailsOf(entry)),
    h("td", CELL, whereOf(entry)),
    h("td", CELL, chipOf(entry.status)));
}

function whoOf({ person: id, name, role }) {
  if (id == null) return h("span", {}, t("audit.server"));
  const shown = name ?? `${role[0]}${id}`;
  const only = () => choose({ id, name: shown });
  return h("button", { type: "button", class: "plain", dir: "auto", title: t("audit.only_them"), on: { click: only } }, shown);
}

const viaOf = ({ via, credential }) =>
  [t(`audit.via_${via}`), via === "token" ? credential : null].filter((part) => part != null).join(" ");

function whatOf(action) {
  const name = `audit.does_${action.replaceAll(".", "_")}`;
  return knows(name) ? t(name) : action;
}

function whereOf({ campaign, target }) {
  if (!campaign) return target ?? "";
  const name = campaigns.get(campaign);
  const link = name ? h("a", { href: `/campaigns/${campaign}`, dir: "auto" }, name) : h("code", {}, campaign);
  return h("span", {}, link, target ? ` · ${target}` : "");
}

function chipOf(status) {
  if (status == null) return h("span", { class: "chip warn" }, t("audit.unknown"));
  const isDone = status < 400;
  return h("span", { class: `chip ${isDone ? "good" : "bad"}`, title: String(status) }, t(isDone ? "audit.done" : "audit.refused"));
}

function detailsOf(entry) {
  const facts = [
    [t("audit.before"), entry.before && JSON.stringify(entry.before)],
    [t("audit.after"), entry.after && JSON.stringify(entry.after)],
    [t("audit.address"), entry.address],
    [t("audit.agent"), entry.agent],
    [t("audit.code"), `${entry.action} · ${entry.status ?? "–"}`],
    [t("audit.hash"), `${entry.id} · ${entry.hash.slice(0, 16)}…`],
  ].filter(([, fact]) => fact);
  return h("details", {},
    h("summary", {}, t("audit.details")),
    h("dl", {}, facts.flatMap(([name, fact]) => [h("dt", {}, name), h("dd", {}, h("code", {}, fact))])));
}

function choose(found) {
  person = found;
  const button = $("#person");
  button.hidden = !found;
  button.textContent = found ? t("audit.no_longer_only", { name: found.name }) : "";
  show();
}

async function check() {
  const button = $("#check");
  button.disabled = true;
  try {
    const { entries, problem } = await call("GET", "/audit/check");
    const text = problem ? t("audit.broken", { problem }) : t("audit.whole", { n: entries, count: number(entries) });
    $("#problem").replaceChildren(notice(problem ? "bad" : "good", text));
  } catch (error) {
    told(error);
  } finally {
    button.disabled = false;
  }
}

async function begin() {
  try {
    for (const { id, name } of await call("GET", "/campaigns")) {
      campaigns.set(id, name);
      form.elements.campaign.append(h("option", { value: id }, name));
    }
    form.elements.campaign.value = new URLSearchParams(location.search).get("campaign") ?? "";
  } catch (error) {
    told(error);
  }
  await show();
}

form.addEventListener("change", () => show());
form.addEventListener("submit", (event) => event.preventDefault());
$("#older").addEventListener("click", () => show(true));
$("#person").addEventListener("click", () => choose(null));
$("#check").addEventListener("click", check);
begin();
