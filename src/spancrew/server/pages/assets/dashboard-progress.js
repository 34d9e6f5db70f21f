// What was settled over time, as a drawing, a sentence and a table.

import { areas, drawn, legend, moment, numbers } from "./chart.js";
import { h } from "./dom.js";
import { money, number, t } from "./words.js";

const ROWS = 10;

/** The line of progress; points are {at, by_crowd, by_expert, spent}. */
export class Progress {
  constructor(element) {
    this.plot = h("div", { class: "plot-room high" });
    this.caption = h("figcaption", { class: "small" });
    this.table = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "progress-title" });
    const details = h("details", {}, h("summary", { class: "small" }, t("dashboard.as_table")), this.table);
    element.append(
      h("figure", { class: "stack tight" }, this.plot, legend(["crowd", "expert"], "by"), this.caption),
      details,
    );
    this.points = [];
    drawn(this.plot, (width) => this.#draw((this.width = width)));
  }

  /** Show other points. */
  show(points) {
    this.points = points;
    const last = points.at(-1);
    const span = last.at - points[0].at;
    const values = {
      crowd: number(last.by_crowd),
      expert: number(last.by_expert),
      spent: money(last.spent),
      at: moment(last.at, span),
    };
    this.caption.textContent = t("dashboard.progress_text", values);
    this.#draw(this.width);
    const head = ["time", "by_crowd", "by_expert", "spent"].map((name) => t(`dashboard.${name}`));
    const every = Math.max(Math.ceil((points.length - 1) / ROWS), 1);
    const some = points.filter((_, k) => k % every === 0 || k === points.length - 1);
    const rows = some.map(
      (each) => [moment(each.at, span), number(each.by_crowd), number(each.by_expert), money(each.spent)],
    );
    this.table.replaceChildren(numbers(t("dashboard.progress"), head, rows));
  }

  #draw(width) {
    if (!width || !this.points.length) return;
    const series = ["crowd", "expert"].map(
      (name) => ({ name, values: this.points.map((point) => point[`by_${name}`]) }),
    );
    this.plot.replaceChildren(areas(this.points.map((point) => point.at), series, width));
  }
}
