// The time that somebody is at a sentence: it stands still while the page is hidden or nobody moves.

const IDLE = 120000;

/** A watch that runs while somebody is there; `tick` is called every second while it runs. */
export class Timer {
  constructor(tick) {
    Object.assign(this, { tick, total: 0, since: null, moved: Date.now(), isOn: false });
    for (const type of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
      addEventListener(type, () => this.#move(), { passive: true, capture: true });
    }
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#halt() : this.#move()));
    setInterval(() => this.#look(), 1000);
  }

  /** Tell whether somebody is there. */
  get isActive() {
    return !document.hidden && Date.now() - this.moved < IDLE;
  }

  get seconds() {
    return (this.total + (this.since === null ? 0 : Date.now() - this.since)) / 1000;
  }

  /** Restart, for a sentence that has taken some seconds already. */
  start(seconds = 0) {
    Object.assign(this, { total: seconds * 1000, since: null, isOn: true });
    this.#move();
    this.tick();
  }

  stop() {
    this.#halt();
    this.isOn = false;
  }

  #move() {
    this.moved = Date.now();
    if (this.isOn && this.since === null && !document.hidden) this.since = Date.now();
  }

  #halt() {
    if (this.since !== null) this.total += Date.now() - this.since;
    this.since = null;
  }

  #look() {
    if (this.since === null) return;
    if (!this.isActive) this.#halt();
    this.tick();
  }
}
