// The last labels of an expert, each to be corrected.

import { callHere } from "./api.js";
import { $, h, notice, say } from "./dom.js";
import { Editor } from "./editor.js";
import { t } from "./words.js";

/** A list that is fetched when it is opened. */
export class Mine {
  constructor(element) {
    Object.assign(this, { element, list: $(".mine-list", element) });
    element.addEventListener("toggle", () => this.refresh());
  }

  async refresh() {
    if (!this.element.open) return;
    const found = await callHere("GET", "/expert/labels").catch(() => []);
    const rows = found.map((each) => h("li", {}, h("button", { type: "button", class: "queued", on: { click: () => this.#open(each) } },
      h("span", { class: "queued-text", dir: "auto" }, each.sentence.text))));
    this.list.replaceChildren(...(rows.length ? rows : [h("li", { class: "quiet" }, t("expert.mine_none"))]));
  }

  /** Let the expert change what they said of a sentence. */
  #open({ number, sentence, spans, labels_offered: labels, kind }) {
    const board = h("div");
    const told = h("div", { role: "alert" }, notice("info", t("expert.correcting")));
    const editor = new Editor(board, { labels, kind });
    const key = crypto.randomUUID();
    const send = async (isEmpty) => {
      const marks = editor.spans.map(({ start, end, label }) => ({ start, end, label }));
      if (kind === "spans" && isEmpty !== (marks.length === 0)) {
        told.replaceChildren(notice("info", t(isEmpty ? "expert.something_marked" : "expert.nothing_first")));
        return;
      }
      try {
        await callHere("POST", "/expert/corrections", { sentence: number, spans: marks, key });
        dialog.close();
        say(t("expert.corrected"));
        this.refresh();
      } catch (error) {
        told.replaceChildren(notice("bad", error.text));
      }
    };
    const button = (name, properties, act) => h("button", { type: "button", ...properties, on: { click: act } }, t(name));
    const dialog = h("dialog", { class: "correction", "aria-labelledby": "correction-title" }, h("div", { class: "stack" },
      h("h2", { id: "correction-title" }, t("expert.mine")), told, board,
      h("div", { class: "row" }, button("expert.correct", { class: "primary" }, () => send(false)),
        kind === "spans" && button("expert.nothing", {}, () => send(true)), button("shared.cancel", {}, () => dialog.close()))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    editor.show(sentence, spans);
    dialog.showModal();
    editor.focus();
  }
}
