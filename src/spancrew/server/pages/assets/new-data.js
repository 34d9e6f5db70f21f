// The first step: demo data or a file, and a look at what is in it.

import { call } from "./api.js";
import { $, h, say } from "./dom.js";
import { marked } from "./marks.js";
import { chosenFile, dataForm, draft, field, save, setField, takeFile } from "./new-draft.js";
import { takeLabels } from "./new-labels.js";
import { clear, onTop, stepElement } from "./new-problems.js";
import { number, t } from "./words.js";

let reading = new AbortController();
let changed = () => {};

/** Set up the step; `onChange` is called when there are other data. */
export function dataStep(onChange) {
  changed = onChange;
  for (const radio of stepElement("data").querySelectorAll("[name=source]")) radio.addEventListener("change", choose);
  $("[name=format]").addEventListener("change", () => chosenFile() && look());
  $("[name=file]").addEventListener("change", (event) => take(event.target.files[0]));
  drops($("#drop"));
  show();
}

/** Choose data by their name, as if it had been done by hand. */
export function chooseData(name) {
  setField("source", name);
  choose();
}

/** Tell what is missing in this step; nothing if it is complete. */
export function missingData() {
  if (!draft.found) return t("new.data_missing");
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
  await look();
}

function choose() {
  $("#own-file").hidden = field("source") !== "file";
  if (field("source") !== "file" || chosenFile()) look();
  else forgetFound();
}

function forgetFound() {
  draft.found = null;
  clear("data");
  show();
  changed();
}

async function look() {
  reading.abort();
  reading = new AbortController();
  forgetFound();
  $("#preview").replaceChildren(h("p", { class: "quiet" }, t("new.reading")));
  try {
    const found = await call("POST", "/inspections", await dataForm(), { signal: reading.signal });
    draft.found = found;
    takeLabels(found.labels);
    setField("gold", found.gold && found.gold < found.sentences ? "use" : "ignore");
  } catch (error) {
    if (error.name === "AbortError") return;
    onTop("data", error.text);
  }
  show();
  changed();
}

function show() {
  const { found } = draft;
  $("#own-file").hidden = field("source") !== "file";
  $("#file-name").textContent = draft.file?.name ?? t("new.choose_file");
  $("#gold").hidden = !found?.gold;
  $("#preview").replaceChildren(...(found ? preview(found) : []));
  if (found) say(`${t("new.sentences")}: ${number(found.sentences)}`);
  save();
}

function preview(found) {
  const labels = found.labels.map(({ name }) => name);
  return [
    h("dl", { class: "tiles" },
      tile("sentences", number(found.sentences), t("new.tokens", { n: found.tokens, count: number(found.tokens) })),
      tile("found_labels", labels.length ? number(labels.length) : t("new.no_labels"), shortened(labels)),
      tile("gold_count", goldOf(found)),
      tile("answers_count", found.answers ? number(found.answers) : t("new.gold_none"), workersOf(found))),
    h("div", { class: "examples" }, h("h3", {}, t("new.examples")),
      found.examples.map(({ sentence, spans }) => marked(sentence, spans ?? [], labels, { compact: true }))),
    field("source") === "file" ? h("p", { class: "quiet small" }, t("new.read_as", { format: found.format })) : "",
    found.repaired ? repairs(found) : "",
  ];
}

function tile(name, value, more = "") {
  return h("div", {}, h("dt", {}, t(`new.${name}`)), h("dd", { class: "big" }, value),
    more && h("dd", { class: "quiet small" }, more));
}

const shortened = (labels) => (labels.length > 6 ? `${labels.slice(0, 6).join(", ")} …` : labels.join(", "));

function goldOf({ gold, sentences }) {
  if (!gold) return t("new.gold_none");
  return gold === sentences ? t("new.gold_all") : number(gold);
}

const workersOf = ({ answers, workers }) =>
  answers ? t("new.by_workers", { n: workers, count: number(workers) }) : "";

function repairs({ repairs: shown, repaired }) {
  const rest = repaired - shown.length;
  return h("details", {}, h("summary", {}, t("new.repairs", { n: repaired, count: number(repaired) })),
    h("ul", { class: "small" }, shown.map(({ place, what }) => h("li", {}, `${place}: ${what}`)),
      rest > 0 && h("li", {}, t("new.repairs_rest", { count: number(rest) }))));
}
