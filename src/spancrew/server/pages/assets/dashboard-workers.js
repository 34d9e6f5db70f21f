// The workers as a table: who is doing how, and what to do about it.

import { callHere } from "./api.js";
import { range, spark } from "./chart.js";
import { h } from "./dom.js";
import { money, number, percent, t } from "./words.js";

const FEW = 50;
const ALL = 1e6;
const ARROWS = { rising: "↗", steady: "→", falling: "↘" };
const STATES = { new: "", ready: "good", paused: "warn", banned: "bad" };
const score = (value) => (value == null ? "–" : value.toFixed(2));

const COLUMNS = ["worker", "state", "score", "trend", "speed", "agreement", "answers", "earned"];

/** A table whose rows stay where they are unless their order changes; the server has the order. */
export class Workers {
  constructor(element, note, attempt, onChange) {
    Object.assign(this, { element, note, attempt, onChange, rows: new Map(), by: "attention", isDown: false, size: FEW });
    this.heads = Object.fromEntries(COLUMNS.map((name) => [name, this.#head(name)]));
    const last = h(
      "th",
      { scope: "col", role: "columnheader" },
      h("span", { class: "sr-only" }, t("dashboard.actions")),
    );
    this.body = h("tbody", { role: "rowgroup" });
    this.alarm = h("button", { type: "button", class: "plain small", hidden: true, on: { click: () => this.#sort("attention") } });
    const head = h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, Object.values(this.heads), last));
    const more = () => ((this.size = ALL), this.#ask());
    this.more = h("button", { type: "button", class: "plain", hidden: true, on: { click: more } });
    const table = h("table", { class: "workers", role: "table", "aria-labelledby": "workers-title" }, head, this.body);
    note.after(this.alarm);
    element.append(
      h("div", { class: "workers-room", tabindex: "0", role: "group", "aria-labelledby": "workers-title" }, table),
      this.more,
    );
  }

  /** Fetch the workers that are shown, and return the answer; one that comes too late is not shown. */
  async refresh(isAsked = false) {
    const query = `by=${this.by}&down=${this.isDown}&size=${this.size}`;
    this.query = query;
    const found = await callHere("GET", `/workers/page?${query}`);
    if (query === this.query) this.#show(found, isAsked);
    return found;
  }

  #ask() {
    this.attempt(() => this.refresh(true));
  }

  #head(name) {
    const button = h(
      "button",
      { type: "button", class: "sort", title: t(`dashboard.tip_${name}`), on: { click: () => this.#sort(name) } },
      t(`dashboard.${name}`),
      h("i", { "aria-hidden": "true" }),
    );
    return h(
      "th",
      { scope: "col", role: "columnheader", class: name === "worker" || name === "state" ? "" : "figure" },
      button,
    );
  }

  #sort(name) {
    this.isDown = this.by === name ? !this.isDown : !["attention", "worker", "state"].includes(name);
    this.by = name;
    this.#ask();
  }

  #mark() {
    for (const [name, head] of Object.entries(this.heads)) {
      if (name === this.by) head.setAttribute("aria-sort", this.isDown ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  /** Show the rows in their order; not under the hand of somebody who is about to press a button. */
  #show({ workers, total: n, attention, names, left_out: out, crew }, isAsked) {
    this.names = names;
    this.alarm.hidden = !attention || this.by === "attention";
    this.alarm.textContent = t("dashboard.attention", { n: attention, count: number(attention) });
    const shown = workers.map((worker) => this.#row(worker).element);
    this.#mark();
    const waits = out ? t(crew == null ? "dashboard.left_out_weak" : "dashboard.left_out", { n: out, count: number(out), crew }) : "";
    this.note.textContent = [t("dashboard.workers_note", { n, all: number(n) }), waits].filter(Boolean).join(" · ");
    this.more.hidden = shown.length === n;
    this.more.textContent = t("dashboard.show_all", { n });
    const isSame = shown.length === this.body.children.length && shown.every(
      (each, k) => this.body.children[k] === each,
    );
    const isBusy = !isAsked && this.body.contains(document.activeElement) && shown.length === this.body.children.length;
    if (!isSame && !isBusy) this.body.replaceChildren(...shown);
  }

  #row(worker) {
    const id = worker.person.pseudonym;
    const row = this.rows.get(id) ?? { id };
    Object.assign(row, worker);
    if (!row.element) this.rows.set(id, this.#build(row));
    this.#fill(row);
    return row;
  }

  #build(row) {
    const cell = (name) => h("td", { role: "cell", class: name, data: { name: t(`dashboard.${name}`) } });
    const cells = Object.fromEntries(COLUMNS.slice(1).map((name) => [name, cell(name)]));
    const who = h("th", { scope: "row", role: "rowheader" });
    Object.assign(row, { cells, who, told: {} });
    row.opener = h("button", { type: "button", class: "small plain opener", "aria-haspopup": "true", on: { click: () => this.#open(row) } }, "⋯");
    row.element = h(
      "tr",
      { role: "row" },
      who,
      Object.values(cells),
      h("td", { role: "cell", class: "actions" }, row.opener),
    );
    return row;
  }

  /** What can be done with a worker is fetched when somebody wants to know. */
  async #open(row) {
    const { openMenu } = await import("./dashboard-worker.js");
    openMenu(row, this.attempt, this.onChange);
  }

  #fill(row) {
    const { person, standing, lately, cells, attention, twin } = row;
    const put = (name, element, told, ...children) => {
      if (row.told[name] === told) return;
      row.told[name] = told;
      element.replaceChildren(...children);
    };
    const { mean, low, high, state, answers, cap } = standing;
    put(
      "who",
      row.who,
      person.name ?? "",
      h("a", { dir: "auto", href: `${location.pathname}/sentences?worker=${row.id}` }, person.name ?? row.id),
      person.name ? h("span", { class: "quiet small" }, row.id) : "",
      standing.model != null ? h("span", { class: "chip" }, t("dashboard.model")) : "",
    );
    const why = attention.map((each) => t(`dashboard.why_${each}`, { twin: this.names[twin] ?? twin }));
    const chip = (kind, word) => h("span", { class: `chip ${kind}` }, word);
    put("state", cells.state, state + why, ...why.map((each) => chip("bad", each)), why.length ? "" : chip(STATES[state], t(`dashboard.state_${state}`)));
    put("score", cells.score, `${mean} ${low} ${high}`, ...scored(mean, low, high));
    put("trend", cells.trend, JSON.stringify(lately.rewards) + lately.trend, ...trend(lately));
    put(
      "speed",
      cells.speed,
      String(lately.seconds),
      lately.seconds == null ? "–" : t("dashboard.seconds", { n: number(Math.round(lately.seconds)) }),
    );
    put("agreement", cells.agreement, String(lately.agreement), percent(lately.agreement));
    put(
      "answers",
      cells.answers,
      `${answers} ${cap}`,
      number(answers),
      cap == null ? "" : h("span", { class: "quiet small" }, ` / ${number(cap)}`),
    );
    put("earned", cells.earned, String(standing.earned), money(standing.earned));
    row.opener.hidden = state === "banned";
    row.opener.setAttribute("aria-label", `${t("dashboard.actions")}: ${person.name ?? row.id}`);
  }
}

function scored(mean, low, high) {
  if (mean == null) return ["–"];
  if (low == null) return [score(mean)];
  return [
    range(low, mean, high),
    h("span", {}, score(mean)),
    h("span", { class: "quiet small" }, `${score(low)}–${score(high)}`),
  ];
}

function trend({ rewards, trend: told }) {
  const words = told ? `${ARROWS[told]} ${t(`dashboard.${told}`)}` : t("dashboard.too_few");
  return [spark(rewards), h("span", { class: `small trend-${told}` }, words)];
}
