// What a campaign says about its labels: what they mean, their colours and keys.

import { h } from "./dom.js";

const COLOURS = ["blue", "orange", "green", "purple", "red", "yellow", "teal", "pink", "violet", "lime"];
const KEYS = 9;
let legend = {};

/** Take what the plan says about labels: by label, {meaning, colour, key}. */
export function takeLegend(given) {
  legend = given ?? {};
}

/** Return the colour of a label: the one it was given, else that of its place; ten colours and then the same again. */
export function colour(labels, label) {
  const given = COLOURS.indexOf(legend[label]?.colour);
  return String(given >= 0 ? given : Math.max(0, labels.indexOf(label)) % COLOURS.length);
}

/** Return the meaning of a label; nothing where the plan has none. */
export const meaning = (label) => legend[label]?.meaning ?? "";

/** Return the labels by their keys: the given ones, and digits by place where a digit is free. */
export function keysOf(labels) {
  const given = labels.filter((label) => legend[label]?.key).map((label) => [legend[label].key, label]);
  const keys = new Map(given);
  labels.slice(0, KEYS).forEach((label, k) => {
    const digit = String(k + 1);
    if (!legend[label]?.key && !keys.has(digit)) keys.set(digit, label);
  });
  return keys;
}

/** Return a list of the labels that have a meaning; nothing where none has. */
export function meanings(labels) {
  const those = labels.filter(meaning);
  if (!those.length) return null;
  return h("dl", { class: "meanings" }, those.map((label) => h("div", {},
    h("dt", { class: "label-chip", data: { colour: colour(labels, label) } }, h("bdi", {}, label)), h("dd", { dir: "auto" }, meaning(label)))));
}
