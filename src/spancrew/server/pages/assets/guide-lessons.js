// A list of sentences with their right spans: add, mark, note, order, remove.

import { callHere } from "./api.js";
import { $, h, notice, say } from "./dom.js";
import { Editor } from "./editor.js";
import { marked } from "./marks.js";
import { number, t } from "./words.js";

const MOST = 50;

/** Shows the examples or the practice of a draft and lets them be changed. */
export class LessonList {
  constructor(part, draft, plan, drawAll) {
    Object.assign(this, { part, draft, plan, drawAll, open: null, gone: null, problem: null });
    this.root = $(`#${part}`);
    $("form", this.root).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add(event.target);
    });
  }

  get #lessons() {
    return this.draft[this.part];
  }

  /** Redraw the list; an open editor stays as it is. */
  draw() {
    const rows = this.#lessons.map((lesson, at) => this.#row(lesson, at));
    if (this.gone) rows.splice(this.gone.at, 0, this.#goneRow());
    $("ol", this.root).replaceChildren(...rows);
    $(".count", this.root).textContent = number(this.#lessons.length);
    $("form", this.root).hidden = this.#lessons.length >= MOST;
  }

  /** Show what the server has against one of the sentences. */
  refuse(at, text) {
    this.problem = { lesson: this.#lessons[at], text };
    this.draw();
    $(".wrong", this.root)?.scrollIntoView({ block: "center" });
  }

  accept() {
    this.problem = null;
    this.draw();
  }

  #row(lesson, at) {
    const isOpen = this.open?.lesson === lesson;
    const problem = this.problem?.lesson === lesson && this.problem.text;
    const name = `lesson${isOpen ? " open" : ""}${problem ? " wrong" : ""}`;
    return h(
      "li",
      { class: name },
      isOpen ? this.open.parts : this.#view(lesson, at),
      problem && h("div", { role: "alert" }, notice("bad", problem)),
    );
  }

  #view(lesson, at) {
    return [
      h(
        "div",
        { class: "lesson-head" },
        h("span", { class: "lesson-number", "aria-hidden": "true" }, String(at + 1)),
        marked(lesson.sentence, lesson.spans, this.plan.labels),
      ),
      lesson.spans.length === 0 && h("p", { class: "quiet small" }, t("guide.nothing_marked")),
      lesson.note && h("p", { class: "lesson-note small", dir: "auto" }, lesson.note),
      this.#tools(lesson, at),
    ];
  }

  #tools(lesson, at) {
    const n = at + 1;
    const tool = (name, act, isOff = false) => {
      const properties = { type: "button", class: "plain small", "aria-label": t(`guide.tool_${name}_n`, { n }) };
      return h("button", { ...properties, disabled: isOff, data: { act: name }, on: { click: act } }, t(`guide.tool_${name}`));
    };
    return h(
      "div",
      { class: "lesson-tools" },
      tool("edit", () => this.#edit(lesson)),
      tool("up", () => this.#move(at, -1), at === 0),
      tool("down", () => this.#move(at, 1), at === this.#lessons.length - 1),
      tool(this.part === "examples" ? "to_practice" : "to_examples", () => this.#give(at)),
      tool("remove", () => this.#remove(at)),
    );
  }

  #edit(lesson) {
    const place = h("div");
    const { labels, kind } = this.plan;
    const editor = new Editor(place, { labels, kind, onChange: (spans) => this.draft.change(lesson, { spans }) });
    editor.show(lesson.sentence, lesson.spans);
    const note = h("textarea", { rows: 2, dir: "auto", maxlength: 2000, placeholder: t("guide.note_placeholder") });
    note.value = lesson.note;
    note.addEventListener("input", () => this.draft.change(lesson, { note: note.value }));
    const done = h("button", { type: "button", on: { click: () => this.#close(lesson) } }, t("guide.done"));
    this.open = { lesson, parts: [place, h("label", {}, t("guide.note"), note), h("div", { class: "row" }, done)] };
    this.gone = null;
    this.draw();
    editor.focus();
  }

  #close(lesson) {
    this.open = null;
    this.draw();
    this.#focus(this.#lessons.indexOf(lesson), "edit");
  }

  #give(at) {
    this.gone = null;
    this.draft.give(this.part, at);
    this.drawAll();
    say(t(this.part === "examples" ? "guide.now_practice" : "guide.now_example"));
    this.#focus(Math.min(at, this.#lessons.length - 1), "edit");
  }

  #move(at, by) {
    this.gone = null;
    this.draft.move(this.part, at, by);
    this.draw();
    say(t("guide.moved", { n: at + by + 1 }));
    this.#focus(at + by, by < 0 ? "up" : "down");
  }

  #remove(at) {
    this.gone = { at, lesson: this.draft.remove(this.part, at) };
    this.draw();
    $(".restore", this.root).focus();
  }

  #goneRow() {
    const { at, lesson } = this.gone;
    const back = () => {
      this.gone = null;
      this.draft.restore(this.part, at, lesson);
      this.draw();
      this.#focus(at, "edit");
    };
    const undo = h("button", { type: "button", class: "plain small restore", on: { click: back } }, t("guide.restore"));
    return h("li", { class: "row quiet small" }, t("guide.removed"), undo);
  }

  /** Keep the keyboard where it was, or near it if that button is off now. */
  #focus(at, act) {
    const row = $("ol", this.root).children[at];
    const button = row && ($(`[data-act=${act}]:not(:disabled)`, row) ?? $("[data-act=edit]", row));
    button?.focus();
  }

  async #add(form) {
    const field = $("textarea", form);
    const texts = field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    $(".add-problem", form).replaceChildren();
    try {
      if (this.#lessons.length + texts.length > MOST) throw { text: t("guide.too_many", { n: MOST }) };
      const sentences = await callHere("POST", "/guide/sentences", { texts });
      field.value = "";
      this.gone = null;
      this.#edit(this.draft.add(this.part, sentences)[0]);
    } catch (error) {
      $(".add-problem", form).replaceChildren(notice("bad", told(error, texts)));
    }
  }
}

/** Return what is wrong with which of the sentences that were to be added. */
function told(error, texts) {
  const at = /^(?:body\.)?texts\.(\d+): /.exec(error.message ?? "");
  if (!at) return error.text;
  return `“${texts[at[1]].slice(0, 60)}”: ${error.text.slice(at[0].length)}`;
}
