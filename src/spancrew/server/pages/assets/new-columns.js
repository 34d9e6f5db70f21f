// Which column of a table is which: chosen from what the server says of its columns and layouts.

import { $, h } from "./dom.js";
import { draft } from "./new-draft.js";
import { t } from "./words.js";

const SEVERAL = "workers"; // the role that several columns can have
const EVERYWHERE = ["text", "id", "worker"]; // roles that mean the same in every layout
let changed = () => {};

let waits = () => {};

/** Set up the picker; `onChange` is called when something else is chosen, `onMissing` while it is not enough. */
export function columnPicker(onChange, onMissing) {
  changed = onChange;
  waits = onMissing;
}

const table = () => draft.taken?.table;
const layout = () => draft.layout ?? table()?.layout;
const rolesOf = ({ needs, takes }) => [...needs, ...takes];

/** Return the columns that have a role: as chosen, or else as the server has found them. */
function columnsOf(role) {
  const chosen = draft.columns[role];
  if (chosen !== undefined) return [chosen].flat().filter(Boolean);
  return role === SEVERAL ? table().workers : [table().roles[role]].filter(Boolean);
}

/** Return the roles of columns for the API: no column for what another layout would have. */
export function chosenColumns() {
  if (!table() || !draft.layout) return draft.columns;
  const here = new Set(rolesOf(table().layouts[draft.layout]));
  const others = Object.values(table().layouts).flatMap(rolesOf).filter((role) => !here.has(role));
  const none = Object.fromEntries(others.map((role) => [role, role === SEVERAL ? [] : ""]));
  const mine = Object.entries(draft.columns).filter(([role]) => here.has(role));
  return { ...none, ...Object.fromEntries(mine) };
}

/** Return the roles that still need a column. */
export function missingColumns() {
  if (!table()) return [];
  return table().layouts[layout()].needs.filter((role) => !columnsOf(role).length);
}

/** Tell whether the rows are texts and nothing else. */
export const areTexts = () => !table() || layout() === "texts";

/** Return the name of a role as people read it. */
export const roleWords = (role) => t(`new.role_${role}`);

/** Show the picker, or nothing where there is no table; the focus stays where it is. */
export function showColumns() {
  const held = document.activeElement?.id;
  $("#columns").hidden = !table();
  $("#columns-fields").replaceChildren(...(table() ? fieldsOf(table()) : []));
  if (held && $("#columns-fields").querySelector(`#${CSS.escape(held)}`)) document.getElementById(held).focus();
}

function fieldsOf({ layouts }) {
  const { needs, takes } = layouts[layout()];
  const single = [...needs, ...takes].filter((role) => role !== SEVERAL);
  return [
    layoutField(Object.keys(layouts)), ...single.map((role) => roleField(role, needs.includes(role))),
    ...(needs.includes(SEVERAL) ? [workersField()] : []),
  ];
}

function layoutField(names) {
  const options = names.map((name) => h("option", { value: name, selected: name === layout() }, t(`new.layout_${name}`)));
  return h("div", { class: "field whole" }, h("label", { for: "f-layout" }, t("new.layout")),
    h("select", { id: "f-layout", name: "layout", on: { change: (event) => takeLayout(event.target.value) } }, options));
}

function takeLayout(name) {
  draft.layout = name;
  draft.columns = Object.fromEntries(Object.entries(draft.columns).filter(([role]) => EVERYWHERE.includes(role)));
  changed();
}

function roleField(role, isNeeded) {
  const [current] = columnsOf(role);
  const { columns } = table();
  const none = h("option", { value: "", selected: !current }, t(isNeeded ? "new.column_choose" : "new.column_none"));
  const options = columns.map(({ name }) => h("option", { value: name, selected: name === current }, name));
  const example = columns.find(({ name }) => name === current)?.example ?? "";
  const take = (event) => choose(() => (draft.columns[role] = event.target.value));
  return h("div", { class: "field" }, h("label", { for: `f-column_${role}` }, roleWords(role)),
    h("select", { id: `f-column_${role}`, name: `column_${role}`, "aria-describedby": `h-column_${role}`, on: { change: take } }, none, options),
    h("span", { class: "hint example-cell", id: `h-column_${role}`, dir: "auto" }, example));
}

function workersField() {
  const chosen = columnsOf(SEVERAL);
  const taken = new Set(["text", "id"].flatMap(columnsOf));
  const boxes = table().columns.filter(({ name }) => !taken.has(name)).map(({ name }, k) =>
    h("label", { class: "line" }, h("input", {
      type: "checkbox", id: `f-worker-${k}`, value: name, checked: chosen.includes(name), on: { change: takeWorkers },
    }), h("span", { dir: "auto" }, name)));
  return h("div", { class: "field whole", role: "group", "aria-labelledby": "workers-title" },
    h("span", { class: "field-title", id: "workers-title" }, roleWords(SEVERAL)), h("div", { class: "row" }, boxes));
}

function takeWorkers() {
  const boxes = [...$("#columns-fields").querySelectorAll("[type=checkbox]:checked")];
  choose(() => (draft.columns[SEVERAL] = boxes.map(({ value }) => value)));
}

function choose(change) {
  draft.layout = layout();
  change();
  if (missingColumns().length) waits();
  else changed();
}
