// The first step: demo data, a file or pasted text, and a look at what is in it.

import { call } from "./api.js";
import { $, h, notice, say } from "./dom.js";
import { columnPicker, missingColumns, roleWords } from "./new-columns.js";
import { chosenFile, dataForm, draft, field, save, setField, takeFile } from "./new-draft.js";
import { takeLabels } from "./new-labels.js";
import { offerPilot, pilotIn, takeOver } from "./new-pilot.js";
import { preview } from "./new-preview.js";
import { clear, onTop } from "./new-problems.js";
import { READING_FIELDS, forgetColumns, forgetReading, pointOut, readingOf, showReading } from "./new-reading.js";
import { number, t } from "./words.js";

const PAUSE = 500; // milliseconds without a key after which pasted text is looked at
let reading = new AbortController();
let typing = 0;
let changed = () => {};

/** Set up the step; `onChange` is called when there are other data. */
export function dataStep(onChange) {
  changed = onChange;
  $("#sources").addEventListener("change", choose);
  // Pasted text is looked at while it is typed; on leaving it, a click on the next step would find no data.
  for (const name of READING_FIELDS) if (name !== "pasted") $(`[name=${name}]`)?.addEventListener("change", lookAgain);
  $("[name=format]").addEventListener("change", forgetColumns, { capture: true });
  $("[name=pasted]").addEventListener("input", typed);
  columnPicker(lookAgain, forgetFound);
  $("[name=file]").addEventListener("change", (event) => take(event.target.files[0]));
  drops($("#drop"));
  // A file that was chosen before this script was there counts, too.
  take($("[name=file]").files[0]);
  show();
}

/** Choose data by their name, as if it had been done by hand. */
export function chooseData(name) {
  setField("source", name);
  lookAgain();
}

/** Tell what is missing in this step; nothing if it is complete. */
export function missingData() {
  if (!draft.found) return missingColumns().length ? columnsMissing() : t("new.data_missing");
  if (field("source") === "file" && !chosenFile()) return t("new.file_again", { name: draft.file?.name ?? "" });
  const { gold, sentences } = draft.found;
  return field("gold") === "use" && gold === sentences ? t("new.gold_leaves_none") : "";
}

function drops(zone) {
  const over = (event) => {
    event.preventDefault();
    zone.classList.toggle("over", event.type === "dragover");
  };
  for (const name of ["dragover", "dragleave", "drop"]) zone.addEventListener(name, over);
  zone.addEventListener("drop", (event) => take(event.dataTransfer.files[0]));
}

async function take(file) {
  if (!file) return;
  await takeFile(file);
  forgetReading();
  await look();
}

function typed() {
  clearTimeout(typing);
  typing = setTimeout(() => {
    if (!field("pasted")) forgetReading();
    lookAgain();
  }, PAUSE);
}

const isThere = () => ({ file: Boolean(chosenFile()), text: Boolean(field("pasted")) })[field("source")] ?? true;

function choose() {
  forgetReading();
  lookAgain();
}

function lookAgain() {
  clearTimeout(typing);
  if (isThere()) look();
  else forgetFound();
}

const columnsMissing = () => t("new.columns_missing", { roles: missingColumns().map(roleWords).join(", ") });

function forgetFound() {
  reading.abort();
  Object.assign(draft, { found: null, planned: null, chosen: null });
  clear("data");
  show();
  changed();
}

async function look() {
  forgetFound();
  reading = new AbortController();
  $("#preview").replaceChildren(h("p", { class: "quiet" }, t("new.reading")));
  try {
    const found = await call("POST", "/inspections", dataForm(readingOf()), { signal: reading.signal });
    draft.taken = found.reading;
    if (!missingColumns().length) takeFound(found);
    const pilot = pilotIn(field("source"));
    if (pilot) await takeOver(pilot);
    show();
  } catch (error) {
    if (error.name === "AbortError") return;
    draft.taken = error.reading ?? draft.taken;
    show();
    $("#preview").replaceChildren();
    onTop("data", pointOut(error) ? error.message : error.text);
  }
  changed();
}

function takeFound(found) {
  draft.found = found;
  takeLabels(found.labels);
  offerPilot(found);
  setField("gold", found.gold && found.gold < found.sentences ? "use" : "ignore");
}

function show() {
  const { found } = draft;
  const source = field("source");
  const isOwn = ["file", "text"].includes(source);
  $("#own-file").hidden = source !== "file";
  $("#own-text").hidden = source !== "text";
  $("#file-name").textContent = draft.file?.name ?? t("new.choose_file");
  $("#file-hint").textContent = t(draft.file ? "new.other_file" : "new.drop_file");
  $("#gold").hidden = !found?.gold;
  showReading(isOwn && isThere());
  $("#preview").replaceChildren(...(found ? preview(found, isOwn) : toChoose()));
  if (found) say(`${t("new.sentences")}: ${number(found.sentences)}`);
  save();
}

const toChoose = () => (missingColumns().length ? [notice("info", columnsMissing())] : []);
