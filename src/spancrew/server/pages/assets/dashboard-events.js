// The stream of events in plain words, the newest first.

import { $, h } from "./dom.js";
import { describe } from "./dashboard-tell.js";
import { moment } from "./chart.js";
import { number, t } from "./words.js";

/** Return a link to the sentence that an event is about; nothing if it is about none. */
function sentenceLink({ body, sentence, of }) {
  const place = body.sentence ?? of?.number;
  if (place === undefined) return null;
  const title = t("dashboard.open_sentence", { what: sentence ?? of?.sentence ?? "" });
  return h("a", { class: "open", href: `${location.pathname}/sentences?sentence=${place}`, title, "aria-label": title }, "↗");
}

const SHOWN = 100;
const KEPT = 400;
const FILTERS = ["all", "decisions", "people", "trouble"];

/** The last events, filtered; new ones wait while it is paused. */
export class Events {
  constructor(list, controls, attempt) {
    Object.assign(
      this,
      { list, attempt, kept: [], held: [], names: new Map(), work: new Map(), filter: "all", isPaused: false },
    );
    const options = FILTERS.map((name) => h("option", { value: name }, t(`dashboard.filter_${name}`)));
    const select = h(
      "select",
      {
        "aria-label": t("dashboard.filter"),
        class: "small",
        on: { change: (event) => this.#choose(event.target.value) },
      },
      options,
    );
    this.pause = h(
      "button",
      { type: "button", class: "small", "aria-pressed": "false", on: { click: () => this.#halt() } },
      t("dashboard.pause_events"),
    );
    controls.append(select, this.pause);
    list.append(h("li", { class: "quiet none" }, t("dashboard.no_events")));
  }

  /** Learn what workers are called. */
  know(names) {
    const before = this.names.size;
    this.names = new Map(Object.entries(names));
    if (this.names.size !== before && this.kept.length) this.#draw();
  }

  /** Take a batch of events of the stream. */
  add({ events, skipped }) {
    if (skipped) this.held.push({ skipped });
    for (const event of events) this.held.push(this.#placed(event));
    this.held = this.held.slice(-KEPT);
    if (this.isPaused) return this.#count();
    this.#flow();
  }

  /** Remember who works on what: some events name only the assignment. */
  #placed(event) {
    const { assignment } = event.body;
    const { sentence: number, worker } = event.body;
    if (event.kind === "Assigned") this.work.set(assignment, { sentence: event.sentence, number, worker });
    if (this.work.size > 5 * KEPT) this.work.delete(this.work.keys().next().value);
    return { ...event, of: this.work.get(assignment) ?? {} };
  }

  #flow() {
    const news = this.held.filter((event) => this.#fits(event));
    this.kept = [...this.kept, ...this.held].slice(-KEPT);
    this.held = [];
    if (!news.length) return;
    $(".none", this.list)?.remove();
    this.list.prepend(...news.slice(-SHOWN).reverse().map((event) => this.#line(event)));
    while (this.list.children.length > SHOWN) this.list.lastElementChild.remove();
  }

  #fits(event) {
    return this.filter === "all" || (!event.skipped && describe(event, this.names).groups.includes(this.filter));
  }

  #draw() {
    const shown = this.kept.filter((event) => this.#fits(event)).slice(-SHOWN).reverse();
    const none = h("li", { class: "quiet none" }, t("dashboard.no_events"));
    this.list.replaceChildren(...(shown.length ? shown.map((event) => this.#line(event)) : [none]));
  }

  #line(event) {
    if (event.skipped) return h(
      "li",
      { class: "quiet" },
      t("dashboard.skipped_events", { n: event.skipped, count: number(event.skipped) }),
    );
    const { text, tone } = describe(event, this.names);
    const time = h(
      "time",
      { class: "quiet small", datetime: new Date(event.at * 1000).toISOString() },
      moment(event.at),
    );
    const { assignment } = event.body;
    const link = sentenceLink(event);
    if (!assignment) return h("li", { class: tone }, time, h("span", { dir: "auto" }, text), link);
    const open = () => this.attempt(async () => (await import("./dashboard-why.js")).why(assignment, this.names));
    return h(
      "li",
      { class: tone },
      time,
      h(
        "button",
        { type: "button", class: "plain event", dir: "auto", title: t("dashboard.why"), on: { click: open } },
        text,
      ),
      link,
    );
  }

  #choose(filter) {
    this.filter = filter;
    this.#draw();
  }

  #halt() {
    this.isPaused = !this.isPaused;
    this.pause.setAttribute("aria-pressed", String(this.isPaused));
    if (!this.isPaused) this.#flow();
    this.#count();
  }

  #count() {
    const words = this.isPaused ? t(
      "dashboard.resume_events",
      { n: this.held.length, count: number(this.held.length) },
    ) : t("dashboard.pause_events");
    if (this.pause.textContent !== words) this.pause.textContent = words;
  }
}
