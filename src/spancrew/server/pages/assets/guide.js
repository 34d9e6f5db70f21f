// The page on which an admin writes the guide: instructions, examples and the training.

import { callHere } from "./api.js";
import { $, h, notice } from "./dom.js";
import { ready } from "./editor.js";
import { takeLegend } from "./editor-legend.js";
import { Draft } from "./guide-draft.js";
import { LessonList } from "./guide-lessons.js";
import { showAsWorkers } from "./guide-preview.js";
import { prose } from "./prose.js";
import { number, t } from "./words.js";

const MOST = 20000;
const PLACE = /^(?:body\.)?(instructions|examples|practice)(?:\.(\d+))?/;
const field = $("#instructions");
const lists = {};
let draft;

function preview() {
  const length = [...field.value].length;
  $("#count").textContent = t("guide.count", { n: number(length), most: number(MOST) });
  const text = draft.instructions.trim() ? prose(draft.instructions) : h("p", { class: "quiet" }, t("guide.preview_empty"));
  $("#preview").replaceChildren(text);
}

function tell() {
  const state = $("#state");
  const text = t(draft.isSaved ? "guide.saved" : "guide.unsaved");
  if (state.textContent !== text) state.textContent = text;
  state.classList.toggle("warn", !draft.isSaved);
  state.classList.toggle("good", draft.isSaved);
  $("#save").disabled = draft.isSaved;
}

function drawAll() {
  for (const list of Object.values(lists)) list.draw();
}

async function save() {
  if (draft.isSaved) return;
  const body = draft.body;
  $("#save").disabled = true;
  $("#state").textContent = t("guide.saving");
  try {
    await callHere("PUT", "/guide", body);
    $("#problem").replaceChildren();
    for (const list of Object.values(lists)) list.accept();
    draft.took(body);
  } catch (error) {
    refuse(error);
    tell();
  }
}

/** Show what is wrong where it is. */
function refuse(error) {
  const [, part, at] = PLACE.exec(error.message) ?? [];
  const text = error.text.replace(/^body\./, "");
  $("#problem").replaceChildren(notice("bad", `${t("guide.not_saved")} ${text}`));
  if (at !== undefined && lists[part]) lists[part].refuse(Number(at), text);
  else $("#problem").scrollIntoView({ block: "center" });
}

async function begin() {
  const [guide, { plan }] = await Promise.all([callHere("GET", "/guide"), callHere("GET", "")]);
  await ready(plan.kind);
  takeLegend(plan.legend);
  draft = new Draft(guide, tell);
  for (const part of ["examples", "practice"]) lists[part] = new LessonList(part, draft, plan, drawAll);
  drawAll();
  field.value = draft.instructions;
  field.addEventListener("input", () => {
    draft.write(field.value);
    preview();
  });
  $("#save").addEventListener("click", save);
  $("#show").addEventListener("click", () => showAsWorkers(draft, plan));
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  });
  window.addEventListener("beforeunload", (event) => {
    if (!draft.isSaved) event.preventDefault();
  });
  preview();
  tell();
  $("#show").disabled = false;
  $("#write").inert = false;
}

begin().catch((error) => $("#problem").replaceChildren(notice("bad", error.text ?? String(error))));
