// Mouse, pen and finger on a sentence. A finger scrolls as everywhere; it marks by taps, or after a long press.

const LONG = 400;
const STILL = 10;

/** Let pointers act on a sentence; `act` has tap, double, drag, drop, hold, release, cancel. */
export class Pointers {
  constructor(view, act) {
    Object.assign(this, { view, act, now: null, isSpent: false });
    const { element } = view;
    const listen = (type, handler, options) => element.addEventListener(type, handler.bind(this), options);
    listen("pointerdown", this.#down);
    listen("pointermove", this.#move);
    listen("pointerup", this.#up);
    listen("pointercancel", this.#cancel);
    listen("click", this.#click);
    // Only a listener that may refuse keeps the page from scrolling once a long press has begun a selection.
    listen("touchmove", (event) => this.now?.isDrag && event.preventDefault(), { passive: false });
    listen("contextmenu", (event) => this.now?.isTouch && event.preventDefault());
    // The browser must not begin to select or drag text by itself.
    listen("dragstart", (event) => event.preventDefault());
  }

  #down(event) {
    this.isSpent = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const side = event.target.dataset?.side ?? null;
    const token = this.view.tokenOf(event.target);
    if (token === null) return;
    const isTouch = event.pointerType !== "mouse";
    this.now = { id: event.pointerId, x: event.clientX, y: event.clientY, token, side, isTouch, isDrag: false };
    if (side) this.view.element.setPointerCapture(event.pointerId);
    else if (isTouch) this.now.timer = setTimeout(() => this.#press(), LONG);
  }

  #press() {
    const { now } = this;
    now.isDrag = this.isSpent = true;
    this.act.press(now.token);
  }

  #move(event) {
    const { now } = this;
    if (now?.id !== event.pointerId) return;
    const isStill = Math.hypot(event.clientX - now.x, event.clientY - now.y) < STILL;
    if (now.side) {
      if (isStill && !now.isDrag) return;
      now.isDrag = true;
      this.act.hold(now.side, this.view.tokenAt(event.clientX, event.clientY));
    } else if (now.isDrag || !now.isTouch) this.#drag(event, now);
    else if (!isStill) this.#forget();
  }

  #drag(event, now) {
    const token = this.view.tokenAt(event.clientX, event.clientY);
    if (token === null || (!now.isDrag && token === now.token)) return;
    if (!now.isDrag) {
      now.isDrag = this.isSpent = true;
      this.view.element.setPointerCapture(event.pointerId);
      this.act.press(now.token, false);
    }
    this.act.drag(token);
  }

  #up(event) {
    const { now } = this;
    if (now?.id !== event.pointerId) return;
    this.#forget();
    if (now.side && now.isDrag) this.act.release();
    else if (now.side) this.act.tap(this.view.tokenAt(event.clientX, event.clientY), event.shiftKey);
    else if (now.isDrag) this.act.drop();
    this.isSpent ||= now.side !== null;
  }

  #cancel(event) {
    if (this.now?.id !== event.pointerId) return;
    if (this.now.isDrag) this.act.cancel();
    this.#forget();
  }

  /** A click is a tap unless it is the end of a drag; assistive technology clicks without any pointer. */
  #click(event) {
    const token = this.view.tokenOf(event.target);
    if (!this.isSpent && token !== null) {
      if (event.detail === 2 && !event.shiftKey) this.act.double(token);
      else this.act.tap(token, event.shiftKey);
    }
    this.isSpent = false;
  }

  #forget() {
    clearTimeout(this.now?.timer);
    this.now = null;
  }
}
