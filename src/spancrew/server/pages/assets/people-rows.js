// One worker, one expert: who they are, when they were last seen, and what can be done.

import { campaign } from "./api.js";
import { h } from "./dom.js";
import { language, money, number, t } from "./words.js";

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const CHIPS = { ready: "good", paused: "warn", banned: "bad" };

/** Return how people read a time that has passed. */
function ago(at) {
  if (at == null) return t("people.never");
  const seconds = Date.now() / 1000 - at;
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? [];
  return unit ? relative.format(-Math.floor(seconds / size), unit) : t("people.just_now");
}

function seen(person) {
  if (person.erased) return h("span", {}, "");
  const title = person.seen_at == null ? null : new Date(person.seen_at * 1000).toLocaleString(language);
  return h("span", { class: "small quiet", title }, ago(person.seen_at));
}

function who(person) {
  const platform = person.platform && [person.platform, person.platform_id].filter(Boolean).join(" ");
  return h(
    "div",
    {},
    h("span", { class: "person-name", dir: "auto" }, person.name ?? person.pseudonym),
    h("div", { class: "small quiet" }, [person.name && person.pseudonym, platform].filter(Boolean).join(" · ")),
  );
}

/** Return the row of a worker; `acts` are called with the worker, `selection` has those who are selected. */
export function workerRow(worker, acts, selection) {
  const { person, standing, state } = worker;
  const done = standing && `${t("people.answers", { n: standing.answers })} · ${money(standing.earned)}`;
  return h(
    "li",
    { class: person.erased ? "person erased" : "person" },
    person.erased || !standing ? h("span") : selection.box(person),
    who(person),
    h(
      "span",
      {},
      standing?.model ? h("span", { class: "chip" }, t("people.model")) : "",
      h("span", { class: `chip ${CHIPS[state] ?? ""}` }, t(`people.state_${state}`)),
    ),
    seen(person),
    h("span", { class: "small number" }, done ?? ""),
    !person.erased && standing && tools(worker, acts),
  );
}

function tools(worker, acts) {
  const { pseudonym, name } = worker.person;
  const path = `/api/v1/campaigns/${campaign}/workers/${pseudonym}/data`;
  const label = (text) => ({ "aria-label": `${text}: ${name ?? pseudonym}` });
  return h(
    "div",
    { class: "person-tools" },
    h("button", { type: "button", class: "plain small", ...label(t("people.renew")), on: { click: () => acts.renew(worker) } }, t("people.renew")),
    h("a", { class: "button small", href: path, download: `${pseudonym}.json`, ...label(t("people.data")) }, t("people.data")),
    h("button", { type: "button", class: "plain small", ...label(t("people.erase")), on: { click: () => acts.erase(worker) } }, t("people.erase")),
  );
}

/** Return the row of an expert. */
export function expertRow(person, dismiss) {
  const name = person.name ?? person.pseudonym;
  const label = `${t("people.dismiss")}: ${name}`;
  const button = { type: "button", class: "plain small", "aria-label": label, on: { click: () => dismiss(person) } };
  return h("li", { class: "person" }, who(person), seen(person), h("div", { class: "person-tools" }, h("button", button, t("people.dismiss"))));
}

/** Return how many there are, as a person reads it. */
export const counted = number;
