// When the campaign will be done, its pace, and the forecast of its plan beside what happened.

import { h, notice } from "./dom.js";
import { duration, language, money, number, percent, t } from "./words.js";

const DAY = 86400;
const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const COLUMNS = ["expected_then", "so_far", "expected_now", "beside"];
const FIGURES = ["cost", "days", "expert_share"];
const SHOWN = { cost: money, days: (value) => tenths.format(value), expert_share: percent, f1: percent };

/** The card of the outlook. */
export class Outlook {
  constructor(element) {
    this.tiles = h("dl", { class: "tiles" });
    this.told = h("div", { class: "stack tight", role: "status" });
    this.table = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "outlook-title" });
    element.append(this.tiles, this.told, this.table);
  }

  /** Show another outlook; `quality` is the certificate so far. */
  show(outlook, quality, phase) {
    this.tiles.replaceChildren(doneTile(outlook, phase), paceTile(outlook.pace), daysTile(outlook));
    const { forecast } = outlook;
    this.table.hidden = !forecast;
    if (!forecast) return;
    this.#warn(forecast);
    this.table.replaceChildren(tableOf(forecast, quality));
  }

  /** Say which figures leave their intervals; once, as long as they are the same ones. */
  #warn(forecast) {
    const odd = FIGURES.map((name) => [name, forecast[name].place]).filter(([, place]) => place && place !== "within");
    const key = JSON.stringify(odd);
    if (this.key === key) return;
    this.key = key;
    const kind = odd.some(([name, place]) => isBad(name, place)) ? "warn" : "info";
    const texts = odd.map(([name, place]) => t(`dashboard.leaves_${name}_${place}`));
    this.told.replaceChildren(texts.length ? notice(kind, texts.join(" ")) : "");
  }
}

/** Tell whether it is bad news that a figure leaves its interval on this side. */
function isBad(name, place) {
  return { cost: ["above"], days: ["above"], expert_share: ["above", "below"], f1: ["below"] }[name].includes(place);
}

function tile(name, value, more) {
  return h("div", {}, h("dt", {}, t(`dashboard.${name}`)), h("dd", { class: "big" }, value), h("dd", { class: "quiet small" }, more));
}

function doneTile({ done_at: at, pace }, phase) {
  if (at == null) return tile("done", "–", t(phase === "running" ? "dashboard.done_early" : `dashboard.done_${phase}`));
  const more = pace.seconds < DAY ? "dashboard.done_hours" : "dashboard.done_days";
  return tile("done", dayOf(at), t(more, { time: duration(pace.seconds) }));
}

/** Return a time in the near or far future as people say it. */
export function dayOf(at) {
  const isSoon = at * 1000 - Date.now() < 1.5 * DAY * 1000;
  const clock = isSoon ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : {};
  const far = at * 1000 - Date.now() > 300 * DAY * 1000 ? { year: "numeric" } : {};
  return new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric", month: "short", ...far, ...clock }).format(at * 1000);
}

/** A campaign of hours is counted by the hour, one of days by the day. */
function paceTile(pace) {
  if (!pace) return tile("pace", "–", t("dashboard.pace_none"));
  const [parts, unit] = pace.seconds < DAY ? [24, "hour"] : [1, "day"];
  const rate = (value) => (value / parts >= 10 ? number(Math.round(value / parts)) : tenths.format(value / parts));
  return tile("pace", rate(pace.answers), t(`dashboard.pace_${unit}`, { settled: rate(pace.settled) }));
}

function daysTile({ days, started_at: started }) {
  const since = started == null ? "" : new Intl.DateTimeFormat(language, { day: "numeric", month: "short" }).format(started * 1000);
  return tile("days_so_far", days == null ? "–" : tenths.format(days), since && t("dashboard.days_since", { since }));
}

function tableOf(forecast, quality) {
  const head = ["figure", ...COLUMNS].map((name, k) => h("th", { scope: "col", class: k && k < 4 ? "number" : "" }, t(`dashboard.${name}`)));
  const rows = FIGURES.map((name) => row(name, forecast[name].forecast, forecast[name], forecast.currency));
  return h("table", { class: "stacking" }, h("caption", { class: "sr-only" }, t("dashboard.compared")),
    h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows, row("f1", forecast.f1, qualityOf(forecast.f1, quality), "")));
}

/** The quality is measured by audits, with an interval of its own; a guess is never held against a forecast. */
function qualityOf({ low, high }, { kind, f1, sentences }) {
  if (!sentences || kind !== "audited") return { so_far: null, expected: null, place: null };
  const place = f1.high < low ? "below" : f1.low > high ? "above" : "within";
  return { so_far: f1.estimate, expected: null, place };
}

function row(name, expected, { so_far: soFar, expected: now, place }, currency) {
  const show = (value) => (value == null ? "–" : SHOWN[name](value));
  const unit = name === "cost" && currency ? ` (${currency})` : "";
  const interval = h("span", { class: "quiet small" }, ` ${show(expected.low)} – ${show(expected.high)}`);
  const kind = isBad(name, place) ? "warn" : place ? "good" : "";
  const cells = [[show(expected.mean), interval], show(soFar), show(now), h("span", { class: `chip ${kind}` }, t(`dashboard.place_${place ?? "early"}`))];
  return h("tr", {}, h("th", { scope: "row" }, t(`dashboard.figure_${name}`) + unit),
    cells.map((cell, k) => h("td", { class: k < 3 ? "number" : "", data: { name: t(`dashboard.${COLUMNS[k]}`) } }, cell)));
}
