// Final labels: how often each is there, and all of them as a file.

import { ApiError, campaign } from "./api.js";
import { h, notice } from "./dom.js";
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
export function showLabels(element, labels, counts) {
  const all = counts.reduce((sum, each) => sum + each.spans, 0);
  const told = JSON.stringify(counts);
  if (element.dataset.told === told) return;
  element.dataset.told = told;
  if (!all) return element.replaceChildren(h("p", { class: "quiet" }, t("dashboard.no_labels")));
  const most = Math.max(...counts.map((each) => each.spans));
  const rows = counts.map(({ label, spans }) => {
    const colour = labels.indexOf(label) % 10;
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
  constructor(form, name, attempt) {
    Object.assign(this, { form, name, attempt });
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
    await this.attempt(() => this.#download());
    this.button.disabled = false;
  }

  async #download() {
    const given = new FormData(this.form);
    const query = new URLSearchParams({ format: given.get("format") });
    for (const each of Object.keys(OPTIONS)) query.set(each, given.has(each));
    const answer = await fetch(`/api/v1/campaigns/${campaign}/export?${query}`).catch((error) => {
      throw new ApiError(0, { code: "offline", message: String(error) });
    });
    if (!answer.ok) throw new ApiError(answer.status, (await answer.json()).error);
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "labels";
    const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    const [settled, count] = (answer.headers.get("X-Spancrew-Settled") ?? "").split("/").map(Number);
    if (settled === 0) this.note.replaceChildren(notice("warn", t("dashboard.none_settled", { count: number(count) })));
    else this.#tellLosses(answer.headers.get("X-Spancrew-Losses"));
  }

  /** Say what the format cannot hold, as the server reports it. */
  #tellLosses(text) {
    let losses = [];
    try {
      losses = JSON.parse(text ?? "[]");
    } catch {
      losses = [];
    }
    const words = losses.length ? t("dashboard.losses", { what: losses.join("; ") }) : t("dashboard.downloaded");
    this.note.replaceChildren(notice(losses.length ? "warn" : "good", words));
  }
}
