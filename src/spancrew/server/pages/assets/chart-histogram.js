// A histogram with a threshold that can be taken by mouse, finger or keyboard.

import { h } from "./dom.js";
import { scale, svg, text } from "./chart.js";
import { language } from "./words.js";

const HEIGHT = 190;
const EDGES = { left: 12, right: 12, top: 22, bottom: 24 };
const STEPS = 100;
const ROUND = [0.25, 0.5, 1, 2, 5, 10];

/** A histogram; `onMove(value)` is called when the handle moves, `spoken(value)` says where it is. */
export class Histogram {
  constructor(element, { name, onMove, spoken }) {
    this.element = element;
    this.onMove = onMove;
    this.spoken = spoken;
    this.room = h("div", { class: "plot-room" });
    this.handle = h("div", {
      class: "handle",
      role: "slider",
      tabindex: "0",
      hidden: "", // until there are bins, there is nothing to move along
      "aria-label": name,
      "aria-orientation": "horizontal",
    });
    this.handle.append(h("i", {}));
    element.append(this.room, this.handle);
    this.handle.addEventListener("keydown", (event) => this.#key(event));
    this.handle.addEventListener("pointerdown", (event) => this.#grab(event));
  }

  /** Draw bins [{low, high, sentences}] between `lowest` and `highest`; experts get those on one side. */
  show({ bins, lowest, highest, asks, value, inForce, locked }, width) {
    Object.assign(this, { bins, lowest, highest, asks, width, inForce, locked });
    this.step = (highest - lowest) / STEPS;
    this.x = scale(lowest, highest, EDGES.left, width - EDGES.right);
    this.handle.hidden = value === null;
    this.handle.setAttribute("aria-valuemin", lowest);
    this.handle.setAttribute("aria-valuemax", highest);
    this.handle.setAttribute("aria-disabled", String(Boolean(locked)));
    this.#place(value ?? highest);
  }

  /** Move the handle and recolour the bars. */
  #place(value) {
    this.value = value;
    this.handle.style.left = `${this.x(Math.min(Math.max(value, this.lowest), this.highest))}px`;
    this.handle.setAttribute("aria-valuenow", value.toFixed(3));
    this.handle.setAttribute("aria-valuetext", this.spoken(value));
    this.room.replaceChildren(this.#drawing());
  }

  #drawing() {
    const most = Math.max(...this.bins.map((bin) => bin.sentences), 1);
    const y = scale(0, most, HEIGHT - EDGES.bottom, EDGES.top);
    const bars = this.bins.map((bin) => {
      const middle = (bin.low + bin.high) / 2;
      const isExpert = this.asks === "below" ? middle <= this.value : middle > this.value;
      const [left, right, top] = [this.x(bin.low) + 1, this.x(bin.high) - 1, y(bin.sentences)];
      const size = { x: left, y: top, width: Math.max(right - left, 1), height: HEIGHT - EDGES.bottom - top };
      return svg("rect", { class: isExpert ? "expert" : "crowd", ...size, rx: 1.5 });
    });
    const floor = HEIGHT - EDGES.bottom;
    const base = svg("line", { class: "grid", x1: EDGES.left, x2: this.width - EDGES.right, y1: floor, y2: floor });
    const room = {
      viewBox: `0 0 ${this.width} ${HEIGHT}`,
      width: this.width,
      height: HEIGHT,
      "aria-hidden": "true",
      class: "plot",
    };
    return svg("svg", room, base, ...bars, this.#mark(), ...this.#numbers());
  }

  /** Where the threshold is now, while the handle is elsewhere. */
  #mark() {
    if (this.inForce === null || Math.abs(this.inForce - this.value) < this.step / 2) return null;
    const x = this.x(Math.min(this.inForce, this.highest));
    return svg("line", { class: "in-force", x1: x, x2: x, y1: EDGES.top, y2: HEIGHT - EDGES.bottom });
  }

  #numbers() {
    const span = this.highest - this.lowest;
    const step = ROUND.find((each) => span / each <= 6) ?? span / 4;
    return Array.from({ length: Math.floor(span / step) + 1 }, (_, k) => {
      const value = this.lowest + k * step;
      const anchor = k === 0 ? "start" : value === this.highest ? "end" : "middle";
      return text(value.toLocaleString(language, { maximumFractionDigits: 2 }), this.x(value), HEIGHT - 6, anchor);
    });
  }

  #move(value) {
    if (this.locked) return;
    const least = this.asks === "above" ? this.lowest + this.step : this.lowest;
    const steps = Math.round((value - this.lowest) / this.step);
    const rounded = Number((this.lowest + steps * this.step).toFixed(6));
    const next = Math.min(Math.max(rounded, least), this.highest);
    if (next === this.value) return;
    this.#place(next);
    this.onMove(next);
  }

  #key(event) {
    const moves = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
      Home: -STEPS,
      End: STEPS,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.#move(this.value + moves[event.key] * this.step);
  }

  #grab(event) {
    if (this.locked) return;
    this.handle.focus();
    this.handle.setPointerCapture(event.pointerId);
    const box = this.element.getBoundingClientRect();
    const back = scale(EDGES.left, this.width - EDGES.right, this.lowest, this.highest);
    const drag = (moved) => this.#move(back(moved.clientX - box.left));
    this.handle.addEventListener("pointermove", drag);
    const drop = () => this.handle.removeEventListener("pointermove", drag);
    this.handle.addEventListener("pointerup", drop, { once: true });
    this.handle.addEventListener("pointercancel", drop, { once: true });
    event.preventDefault();
  }
}
