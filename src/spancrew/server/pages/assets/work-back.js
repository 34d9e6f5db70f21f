// Back to the last answer, until its sentence is judged.

import { callHere } from "./api.js";
import { h, notice } from "./dom.js";
import { Editor } from "./editor.js";
import { answered, remembered } from "./editor-spans.js";
import { t } from "./words.js";

/** Open the last answer to be changed; `tell` says why that is not possible, or that it is done. */
export async function changeLast(labels, kind, tell) {
  try {
    const last = await callHere("GET", "/last-answer");
    if (last.assignment == null) tell("info", t("work.too_late"));
    else open(last, labels, kind, tell);
  } catch (error) {
    tell("warn", error.text);
  }
}

function open({ assignment, sentence, spans, unsure, note, flag }, labels, kind, tell) {
  const board = h("div");
  const told = h("div", { role: "alert" }, notice("info", t("work.changing")));
  const editor = new Editor(board, { labels, kind, doubts: true });
  const key = crypto.randomUUID();
  const send = async (isEmpty) => {
    const marks = answered(editor.spans);
    if (kind === "spans" ? isEmpty !== (marks.spans.length === 0) : !editor.isComplete) {
      const words = kind === "choices" ? "all_questions" : isEmpty ? "something_marked" : "nothing_marked";
      told.replaceChildren(notice("info", t(`work.${words}`)));
      return;
    }
    try {
      await callHere("POST", "/last-answer", { assignment, ...marks, note, flag, key });
      dialog.close();
      tell("good", t("work.changed"));
    } catch (error) {
      if (error.status !== 409) told.replaceChildren(notice("bad", error.text));
      else {
        dialog.close();
        tell("info", t("work.too_late"));
      }
    }
  };
  const button = (name, properties, act) => h("button", { type: "button", ...properties, on: { click: act } }, t(name));
  const dialog = h("dialog", { class: "change", "aria-labelledby": "change-title" }, h("div", { class: "stack" },
    h("h2", { id: "change-title" }, t("work.back")), told, board,
    h("div", { class: "row" }, button("work.save_change", { class: "primary" }, () => send(false)),
      kind === "spans" && button("work.nothing", {}, () => send(true)), button("shared.cancel", {}, () => dialog.close()))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  editor.show(sentence, remembered(spans, unsure));
  dialog.showModal();
  editor.focus();
}
