// How own data are read: the choices beside the columns, and which of them there are.

import { $ } from "./dom.js";
import { areTexts, chosenColumns, showColumns } from "./new-columns.js";
import { draft, field, form, setField } from "./new-draft.js";
import { beside } from "./new-problems.js";
import { knows, t } from "./words.js";

const CHOICES = ["split", "overlaps", "unit", "discontinuous"];
/** The fields of the form that say how data are read. */
export const READING_FIELDS = [...CHOICES, "known_labels", "skip_unequal", "format", "pasted", "layout"];
// Where to choose what a problem asks for.
const CONTROLS = {
  text_column: "column_text", columns: "layout", format: "format", overlaps: "overlaps", labels: "known_labels",
  skip_unequal: "skip_unequal", split: "split", discontinuous: "discontinuous", unused: "split",
};

/** Forget which column is which. */
export const forgetColumns = () => Object.assign(draft, { taken: null, layout: null, columns: {} });

/** Forget what was chosen for other data. */
export function forgetReading() {
  forgetColumns();
  for (const name of [...CHOICES, "known_labels", "skip_unequal"]) setField(name, "");
}

/** Return the choices for the API; those that were not made are left out. */
export function readingOf() {
  const reading = Object.fromEntries(CHOICES.map((name) => [name, field(name)]).filter(([, value]) => value));
  const labels = field("known_labels").split(/[,，]/).map((name) => name.trim()).filter(Boolean);
  const columns = chosenColumns();
  if (labels.length) reading.labels = labels;
  if (field("skip_unequal")) reading.skip_unequal = true;
  if (Object.keys(columns).length) reading.columns = columns;
  if (!follows("split") || !areTexts()) delete reading.split;
  for (const option of ["skip_unequal", "discontinuous"]) if (!follows(option)) delete reading[option];
  return reading;
}

const follows = (option) => !draft.taken || draft.taken.follows.includes(option);

/** Show the choices that these data have. */
export function showReading(isShown) {
  $("#reading").hidden = !isShown;
  $("#split").hidden = !draft.taken || !follows("split") || !areTexts();
  $("#skip").hidden = !draft.taken || !follows("skip_unequal");
  $("#pieces").hidden = !draft.taken || !follows("discontinuous");
  form.elements.split.options[0].textContent = t(draft.taken?.table ? "new.split_rows" : "new.split_usual");
  showColumns();
}

/** Say beside a choice what would help; return whether there is such a choice. */
export function pointOut({ option, value }) {
  const control = form.elements[CONTROLS[option]];
  const words = `new.mend_${option}`;
  if (!control || !knows(words) || control.closest("[hidden]")) return false;
  beside(control.name, t(words, { value }));
  return true;
}
