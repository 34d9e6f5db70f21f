// Workers who are selected, on this page and others, and what is done with all of them at once.

import { callHere } from "./api.js";
import { asked } from "./ask.js";
import { $, h, notice } from "./dom.js";
import { number, t } from "./words.js";

/** Those who are selected; `after` is called when something was done with them. */
export class Selection {
  constructor(after) {
    Object.assign(this, { after, chosen: new Set(), shown: [], found: [] });
    const button = (name, work, kind = "small") =>
      h("button", { type: "button", class: kind, on: { click: work } }, t(`people.${name}`));
    this.page = h("input", { type: "checkbox", on: { change: () => this.#choosePage() } });
    this.count = h("span", { class: "quiet", role: "status" });
    this.all = button("select_found", () => this.#choose(this.found), "plain small");
    this.none = button("select_none", () => this.clear(), "plain small");
    this.tools = h(
      "div",
      { class: "row tight" },
      button("pause", () => this.#ask("pause", { state: "paused" })),
      button("readmit", () => this.#do({ state: "active" })),
      button("cap", () => this.#cap()),
      button("ban", () => this.#ask("ban", { state: "banned" }), "small danger"),
    );
    const label = h("label", { class: "line" }, this.page, t("people.select_page"));
    $("#bulk").replaceChildren(label, this.count, this.all, this.none, this.tools);
  }

  /** Know who is on this page, and all who were found. */
  show(shown, found) {
    this.shown = shown.filter(({ person, standing }) => standing && !person.erased).map(({ person }) => person.pseudonym);
    this.found = found;
    this.#draw();
  }

  /** Return the box that selects somebody. */
  box({ pseudonym, name }) {
    const box = h("input", { type: "checkbox", "aria-label": t("people.select", { who: name ?? pseudonym }) });
    box.dataset.worker = pseudonym;
    box.checked = this.chosen.has(pseudonym);
    box.addEventListener("change", () => {
      if (box.checked) this.chosen.add(pseudonym);
      else this.chosen.delete(pseudonym);
      this.#draw();
    });
    return box;
  }

  /** Select nobody. */
  clear() {
    this.#choose([]);
  }

  #choose(workers) {
    this.chosen = new Set(workers);
    this.#draw();
  }

  #choosePage() {
    for (const worker of this.shown) {
      if (this.page.checked) this.chosen.add(worker);
      else this.chosen.delete(worker);
    }
    this.#draw();
  }

  #draw() {
    const { size } = this.chosen;
    const here = this.shown.filter((worker) => this.chosen.has(worker)).length;
    for (const box of document.querySelectorAll("#workers [data-worker]")) box.checked = this.chosen.has(box.dataset.worker);
    $("#bulk").hidden = this.shown.length < 2 && size === 0;
    this.page.checked = here > 0 && here === this.shown.length;
    this.page.indeterminate = here > 0 && here < this.shown.length;
    this.count.textContent = size ? t("people.selected", { n: size, count: number(size) }) : "";
    this.all.textContent = t("people.select_found", { count: number(this.found.length) });
    this.all.hidden = !this.page.checked || this.found.length <= this.shown.length || size >= this.found.length;
    this.none.hidden = this.tools.hidden = size === 0;
  }

  async #ask(name, change) {
    const field = h("label", {}, t("people.reason"), h("input", { name: "reason", maxlength: "500" }));
    const words = { title: this.#title(name), text: t(`people.ask_${name}_more`), yes: t(`people.${name}`) };
    const found = await asked({ ...words, fields: [field], danger: name === "ban" });
    if (found) await this.#do({ ...change, reason: found.reason });
  }

  async #cap() {
    const input = h("input", { name: "cap", type: "number", min: "1", step: "1", inputmode: "numeric" });
    const field = h("label", {}, t("people.cap_label"), input, h("span", { class: "hint" }, t("people.cap_hint")));
    const found = await asked({ title: this.#title("cap"), fields: [field], yes: t("people.save") });
    if (found) await this.#do({ cap: found.cap === "" ? null : Number(found.cap) });
  }

  #title(name) {
    return t(`people.ask_${name}`, { n: this.chosen.size, count: number(this.chosen.size) });
  }

  async #do(change) {
    const told = $("#bulk-told");
    told.replaceChildren();
    try {
      const { changed, same } = await callHere("PATCH", "/workers", { workers: [...this.chosen], ...change });
      const more = same ? ` ${t("people.changed_same", { count: number(same) })}` : "";
      told.replaceChildren(notice("good", t("people.changed", { n: changed, count: number(changed) }) + more));
      this.clear();
    } catch (error) {
      told.replaceChildren(notice("bad", error.text));
    }
    await this.after();
  }
}
