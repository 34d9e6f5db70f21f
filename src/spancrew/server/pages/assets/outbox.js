// What a worker hands in is kept here before it is shown as handed in, and leaves when the server has taken it.
//
// Every answer has a key of its own, by which the server takes it once, however often it is sent. One tab sends at a
// time where the browser can see to that; where it cannot, the keys are enough.

import { call, campaign } from "./api.js";
import { Store } from "./outbox-store.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const PATIENCE = 20000;
const SESSION_ENDED = [401, 403];

/** Return a key that nobody else has. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Answers on their way. Events: `change`; `sent`, `refused` ({item, result or error}); `ended`: the session has. */
export class Outbox extends EventTarget {
  constructor(worker) {
    super();
    const place = `spancrew.${campaign}.${worker}`;
    this.items = new Store(`${place}.outbox.`);
    this.refused = new Store(`${place}.refused.`);
    this.lock = `${place}.outbox`;
    this.wait = FIRST_WAIT;
    this.isEnded = this.isStuck = false;
    addEventListener("online", () => this.flush());
    addEventListener("storage", (event) => event.key?.startsWith(this.items.prefix) && this.#tell("change"));
    document.addEventListener("visibilitychange", () => document.hidden || this.flush());
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Return what waits, the oldest first. */
  get waiting() {
    const items = this.items.names.map((name) => this.items.get(name)).filter(Boolean);
    return items.sort((one, other) => one.at - other.at);
  }

  /** Tell whether an assignment has been handed in here and not been taken yet. */
  has(assignment) {
    return this.waiting.some(({ body }) => body.assignment === assignment);
  }

  /** Keep something to be sent: kind is `answers` or `skip`, `shown` is what to show if it is refused. */
  add(kind, body, shown) {
    const key = newKey();
    this.items.put(key, { kind, key, body: kind === "answers" ? { ...body, key } : body, shown, at: Date.now() });
    this.flush();
    this.#tell("change");
  }

  /** Send all that waits; return when nothing more can be sent now. */
  flush() {
    if (this.sending) {
      this.isMore = true;
      return this.sending;
    }
    clearTimeout(this.timer);
    this.sending = this.#alone().finally(() => {
      this.sending = null;
      this.#tell("change");
    });
    return this.sending;
  }

  async #alone() {
    do {
      this.isMore = false;
      if (navigator.locks) await navigator.locks.request(this.lock, () => this.#drain());
      else await this.#drain();
    } while (this.isMore && !this.isEnded && this.waiting.length);
  }

  async #drain() {
    for (let [item] = this.waiting; item; [item] = this.waiting) {
      try {
        await this.#send(item);
      } catch (error) {
        this.isMore = false;
        if (error.isPassing) this.#later(error.retryAfter);
        else this.#end(error);
        return;
      }
    }
  }

  async #send(item) {
    let result = null;
    try {
      const options = { keepalive: true, signal: AbortSignal.timeout(PATIENCE) };
      result = await call("POST", `/campaigns/${campaign}/${item.kind}`, item.body, options);
    } catch (error) {
      if (error.isPassing || SESSION_ENDED.includes(error.status)) throw error;
      this.#refuse(item, error);
      return;
    }
    this.wait = FIRST_WAIT;
    this.isEnded = this.isStuck = false;
    this.items.remove(item.key);
    this.#tell("sent", { item, result });
  }

  /** What the server will never take must not keep the others waiting; its text is kept to be looked at. */
  #refuse(item, error) {
    this.items.remove(item.key);
    if (item.kind === "skip") return;
    this.refused.put(item.key, { ...item, status: error.status, told: error.text });
    this.#tell("refused", { item, error });
  }

  /** Only what has failed once is said to wait. */
  #later(seconds) {
    this.isStuck = true;
    this.timer = setTimeout(() => this.flush(), Math.max(this.wait, (seconds || 0) * 1000));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT) * (0.9 + 0.2 * Math.random());
    this.#tell("change");
  }

  #end(error) {
    this.isEnded = this.isStuck = true;
    this.#tell("ended", { error });
  }
}
