// Final labels: how often each is there, and all of them as a file.

import { campaign } from "./api.js";
import { h } from "./dom.js";
import { number, percent, t } from "./words.js";

const FORMATS = [
  "spancrew",
  "conll",
  "label-studio",
  "doccano",
  "spacy",
  "huggingface",
  "matrix",
  "crowd-dir",
  "collected",
  "oei",
];
const OPTIONS = { revise: true, answers: true, names: false };

/** Show how often each label is among the final ones. */
export function showLabels(element, counts) {
  const all = counts.reduce((sum, each) => sum + each.spans, 0);
  const told = JSON.stringify(counts);
  if (element.dataset.told === told) return;
  element.dataset.told = told;
  if (!all) return element.replaceChildren(h("p", { class: "quiet" }, t("dashboard.no_labels")));
  const most = Math.max(...counts.map((each) => each.spans));
  const rows = counts.map(({ label, spans }, k) => {
    const colour = k % 10;
    const bar = h("i", { data: { colour } });
    bar.style.width = `${(100 * spans) / most}%`;
    const address = `${location.pathname}/sentences?label=${encodeURIComponent(label)}`;
    const chip = h("a", { class: "label-chip", data: { colour }, dir: "auto", href: address }, label);
    return h(
      "li",
      {},
      chip,
      h("span", { class: "bar", "aria-hidden": "true" }, bar),
      h("span", { class: "number" }, `${number(spans)} · ${percent(spans / all)}`),
    );
  });
  element.replaceChildren(h("ul", { class: "bars" }, rows));
}

/** The form that asks for a file. */
export class ExportForm {
  constructor(form, attempt) {
    Object.assign(this, { form, attempt });
    const options = FORMATS.map((each) => h("option", { value: each }, each));
    const about = h("span", { class: "hint", id: "format-about" }, t("dashboard.format_spancrew"));
    const choose = (event) => (about.textContent = t(`dashboard.format_${event.target.value.replace("-", "_")}`));
    const select = h("select", { name: "format", "aria-describedby": "format-about", on: { change: choose } }, options);
    const boxes = Object.entries(OPTIONS).map(
      ([each, checked]) => h(
        "label",
        { class: "line" },
        h("input", { type: "checkbox", name: each, checked }),
        t(`dashboard.option_${each}`),
      ),
    );
    this.button = h("button", { class: "primary" }, t("dashboard.download"));
    this.note = h("div", { role: "status" });
    const payments = h(
      "a",
      { class: "button", href: `/api/v1/campaigns/${campaign}/payments.csv`, download: "" },
      t("dashboard.payments"),
    );
    form.append(
      h("label", {}, t("dashboard.format"), select),
      about,
      ...boxes,
      h("div", { class: "row" }, this.button, payments),
      this.note,
    );
    form.addEventListener("submit", (event) => this.#submit(event));
  }

  async #submit(event) {
    event.preventDefault();
    this.button.disabled = true;
    this.note.replaceChildren();
    await this.attempt(async () => (await import("./dashboard-download.js")).download(this.form, this.note, OPTIONS));
    this.button.disabled = false;
  }
}
