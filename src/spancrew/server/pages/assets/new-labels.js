// The second step: which labels there are, and in which order.

import { $, h, say } from "./dom.js";
import { draft, save } from "./new-draft.js";
import { clear, onTop } from "./new-problems.js";
import { number, t } from "./words.js";

const COLOURS = ["blue", "orange", "green", "purple", "red", "yellow", "teal", "pink", "violet", "lime"];
const TAKEN = "ainpru";
const KEYS = 9;
let changed = () => {};

/** Set up the step; `onChange` is called when labels change. */
export function labelStep(onChange) {
  changed = onChange;
  const input = $("#label-name");
  $("#label-add").addEventListener("click", () => add(input));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !input.value.trim()) return;
    event.preventDefault();
    add(input);
  });
  show();
}

/** Take the labels of other data; those that were added by hand stay, and so does a known order. */
export function takeLabels(found) {
  const counts = new Map(found.map(({ name, spans }) => [name, spans]));
  const old = draft.labels.filter(({ name, own }) => own || counts.has(name));
  const known = new Set(old.map(({ name }) => name));
  const fresh = found.filter(({ name }) => !known.has(name)).map(({ name }) => ({ name }));
  const kept = old.map((label) => ({ ...label, own: !counts.has(label.name) }));
  draft.labels = [...kept, ...fresh].map((label) => ({ ...label, spans: counts.get(label.name) ?? 0 }));
  show();
}

/** Take what is said of labels elsewhere, by label. */
export function takeLegend(notes) {
  draft.labels = draft.labels.map((label) => ({ ...label, ...notes[label.name] }));
  show();
}

/** Tell what is missing in this step; nothing if it is complete. */
export const missingLabels = () => (draft.labels.length ? "" : t("new.labels_missing"));

/** Return the names of the labels in their order. */
export const labelNames = () => draft.labels.map(({ name }) => name);

/** Return what is said of the labels, by label; nothing of those of which nothing is said. */
export function legend() {
  const said = draft.labels.map(({ name, meaning, colour, key }) => [name, { meaning, colour, key }]);
  const given = said.map(([name, notes]) => [name, Object.fromEntries(Object.entries(notes).filter(([, value]) => value))]);
  return Object.fromEntries(given.filter(([, notes]) => Object.keys(notes).length));
}

/** Return a label in its colour. */
export function chip(name, place) {
  const given = COLOURS.indexOf(draft.labels[place]?.colour);
  return h("span", { class: "label-chip", dir: "auto", data: { colour: given >= 0 ? given : place % COLOURS.length } }, name);
}

function add(input) {
  clear("labels");
  const names = [...new Set(input.value.split(/[,，、]/).map((each) => each.trim()).filter(Boolean))];
  if (!names.length) return;
  const twice = names.find((name) => labelNames().includes(name));
  if (twice) {
    onTop("labels", t("new.label_twice", { label: twice }));
    return;
  }
  draft.labels.push(...names.map((name) => ({ name, own: true, spans: 0 })));
  input.value = "";
  input.focus();
  update(names.join(", "));
}

function update(told) {
  show();
  save();
  changed();
  say(told);
}

function move(place, by) {
  const [label] = draft.labels.splice(place, 1);
  draft.labels.splice(place + by, 0, label);
  update(`${label.name}: ${place + by + 1}`);
  const row = $("#label-list").children[place + by];
  const button = $(by < 0 ? ".up" : ".down", row);
  (button.disabled ? $(by < 0 ? ".down" : ".up", row) : button).focus();
}

function remove(place) {
  const [{ name }] = draft.labels.splice(place, 1);
  update(t("new.label_remove", { label: name }));
  $("#label-name").focus();
}

function show() {
  $("#label-list").replaceChildren(...draft.labels.map(rowOf));
}

/** Keep what is said of a label, without drawing the rows anew under the hands of who is typing. */
function note(label, part, value) {
  label[part] = value;
  save();
  changed();
}

function notesOf(label, place) {
  const { name } = label;
  const field = (part, properties) => h("input", {
    ...properties, class: `label-${part}`, value: label[part] ?? "", "aria-label": t(`new.label_${part}`, { label: name }),
    placeholder: t(`new.label_${part}_example`), autocomplete: "off", on: { input: ({ target }) => note(label, part, target.value.trim()) },
  });
  const key = field("key", { maxlength: "1", size: "3" });
  key.addEventListener("input", () => {
    const value = key.value.toLowerCase();
    key.value = /^[1-9a-z]$/.test(value) && !TAKEN.includes(value) ? value : "";
    note(label, "key", key.value);
  });
  const options = ["", ...COLOURS].map((colour) =>
    h("option", { value: colour, selected: colour === (label.colour ?? "") }, t(`new.colour_${colour || "usual"}`)));
  const colours = h("select", { "aria-label": t("new.label_colour", { label: name }), on: { change: ({ target }) => {
    note(label, "colour", target.value);
    $(".label-chip", $("#label-list").children[place]).replaceWith(chip(name, place));
  } } }, options);
  return h("span", { class: "label-notes" }, field("meaning", { maxlength: "500", dir: "auto" }), colours, key);
}

function rowOf(label, place) {
  const { name, own, spans } = label;
  const last = draft.labels.length - 1;
  const about = own ? t("new.label_new") : t("new.label_spans", { n: spans, count: number(spans) });
  const button = (kind, sign, disabled, work) => h("button", {
    type: "button", class: `plain small ${kind}`, disabled, "aria-label": t(`new.label_${kind}`, { label: name }), on: { click: work },
  }, sign);
  return h("li", {},
    place < KEYS ? h("kbd", {}, String(place + 1)) : h("span", { class: "no-key" }),
    chip(name, place), h("span", { class: "quiet small grow" }, about),
    own && button("remove", "×", false, () => remove(place)),
    notesOf(label, place),
    button("up", "↑", place === 0, () => move(place, -1)),
    button("down", "↓", place === last, () => move(place, 1)));
}
