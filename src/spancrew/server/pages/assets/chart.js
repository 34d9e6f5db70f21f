// Small drawings in SVG: lines over time, a spark line, a range. Words beside them say the same.

import { h } from "./dom.js";
import { language, t } from "./words.js";

const SPACE = "http://www.w3.org/2000/svg";

/** Make an SVG element. */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children.filter(Boolean));
  return element;
}

/** Return a function from [low, high] to [from, to]. */
export function scale(low, high, from, to) {
  const size = high - low || 1;
  return (value) => from + ((value - low) / size) * (to - from);
}

/** Return about `count` round numbers from 0 up to at least `most`. */
export function ticks(most, count = 4) {
  const rough = Math.max(most, 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].find((each) => each * power >= rough) * power, 1);
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, k) => k * step);
}

/** Draw again whenever the width of an element changes. */
export function drawn(element, draw) {
  let width = 0;
  new ResizeObserver(() => {
    if (element.clientWidth === width || !element.clientWidth) return;
    width = element.clientWidth;
    draw(width);
  }).observe(element);
}

const EDGES = { left: 40, right: 10, top: 10, bottom: 24 };
const HEIGHT = 200;

/** Return areas over time, one on top of the other: series are {name, values}, `times` seconds. */
export function areas(times, series, width) {
  const totals = times.map((_, k) => series.reduce((sum, each) => sum + each.values[k], 0));
  const marks = ticks(Math.max(...totals, 1));
  const x = scale(times[0], times.at(-1), EDGES.left, width - EDGES.right);
  const y = scale(0, marks.at(-1), HEIGHT - EDGES.bottom, EDGES.top);
  const below = times.map(() => 0);
  const shapes = series.flatMap(({ name, values }) => {
    const base = [...below];
    values.forEach((value, k) => (below[k] += value));
    const top = times.map((at, k) => `${x(at)},${y(below[k])}`);
    const back = times.map((at, k) => `${x(at)},${y(base[k])}`).reverse();
    return [
      svg("polygon", { class: `area ${name}`, points: [...top, ...back].join(" ") }),
      svg("polyline", { class: `line ${name}`, points: top.join(" ") }),
    ];
  });
  const room = { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true", class: "plot" };
  return svg("svg", room, ...grid(marks, y, width), ...shapes, ...clockMarks(times, x, width));
}

function grid(marks, y, width) {
  return marks.flatMap((mark) => [
    svg("line", { class: "grid", x1: EDGES.left, x2: width - EDGES.right, y1: y(mark), y2: y(mark) }),
    text(mark.toLocaleString(language), EDGES.left - 6, y(mark) + 4, "end"),
  ]);
}

function clockMarks(times, x, width) {
  // At the beginning all of them are the same moment, at the same place.
  const wanted = times[0] === times.at(-1) ? [0] : width > 420 ? [0, 0.5, 1] : [0, 1];
  const anchors = { 0: "start", 0.5: "middle", 1: "end" };
  return wanted.map((share) => {
    const at = times[0] + share * (times.at(-1) - times[0]);
    return text(moment(at, times.at(-1) - times[0]), x(at), HEIGHT - 6, anchors[share]);
  });
}

// To make one takes longer than to draw a line of a table.
const clocks = {};

/** Return a time as people read it: the more there is to see, the coarser. */
export function moment(at, span = 0) {
  const day = span > 86400 ? { day: "numeric", month: "short" } : {};
  const second = span < 600 ? { second: "2-digit" } : {};
  const clock = span > 5 * 86400 ? {} : { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...second };
  const options = { ...day, ...clock };
  return (clocks[Object.keys(options)] ??= new Intl.DateTimeFormat(language, options)).format(at * 1000);
}

/** Return a text in a drawing. */
export function text(words, x, y, anchor = "middle") {
  const element = svg("text", { x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}

/** Return a spark line of values from 0 to 1. */
export function spark(values, width = 72, height = 22) {
  const x = scale(0, Math.max(values.length - 1, 1), 2, width - 2);
  const y = scale(0, 1, height - 3, 3);
  const points = values.map((value, k) => `${x(k)},${y(value)}`).join(" ");
  const end = values.length ? svg("circle", { cx: x(values.length - 1), cy: y(values.at(-1)), r: 2.2 }) : null;
  return svg("svg", { class: "spark", width, height, "aria-hidden": "true" }, svg("polyline", { points }), end);
}

/** Return a range from 0 to 1 with a dot in it. */
export function range(low, value, high, width = 72, height = 22) {
  const x = scale(0, 1, 3, width - 3);
  const middle = height / 2;
  return svg(
    "svg",
    { class: "range", width, height, "aria-hidden": "true" },
    svg("line", { class: "rail", x1: 3, x2: width - 3, y1: middle, y2: middle }),
    svg("line", { class: "reach", x1: x(low), x2: x(high), y1: middle, y2: middle }),
    svg("circle", { cx: x(value), cy: middle, r: 4 }),
  );
}

/** Return what colours mean; `more(name)` adds to an entry. */
export function legend(names, prefix, more = () => []) {
  const item = (name) => h("li", {}, h("i", { class: `key ${name}` }), t(`dashboard.${prefix}_${name}`), ...more(name));
  return h("ul", { class: "legend" }, names.map(item));
}

/** Return a table of rows of texts, for those who want numbers. */
export function numbers(caption, head, rows) {
  const cells = (tag, row) => row.map(
    (cell, k) => h(tag, { class: k ? "number" : "", scope: tag === "th" && "col" }, cell),
  );
  const body = rows.map((row) => h("tr", {}, cells("td", row)));
  return h(
    "table",
    {},
    h("caption", { class: "sr-only" }, caption),
    h("thead", {}, h("tr", {}, cells("th", head))),
    h("tbody", {}, body),
  );
}
