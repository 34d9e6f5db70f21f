// Where sentences come from: the one in hand, and some ahead, so that the next is there at once and without a connection.

import { callHere } from "./api.js";

const MARGIN = 5000;
const KEPT = "sentences";
const NOT_YET = 0.6;

/** Assignments of this worker, one after the other; up to `most` are fetched ahead and kept by the browser. */
export class Source {
  constructor(outbox, { kept, most }) {
    Object.assign(this, { outbox, kept, most, ahead: [], fetching: null });
    // What an earlier page had fetched; only used while the server cannot be asked.
    this.before = kept.get(KEPT) ?? [];
  }

  /** Return the next assignment that was fetched ahead and is still ours; at once. */
  take() {
    for (let next = this.ahead.shift(); next; next = this.ahead.shift()) if (this.#isOurs(next)) return next;
    return null;
  }

  #isOurs({ assignment, deadline }) {
    return deadline - Date.now() > MARGIN && !this.outbox.has(assignment);
  }

  /** Return {assignment} or {waiting}; what has been handed in is sent first, as it is still ours until then. */
  async next() {
    await this.fetching;
    const ready = this.take();
    if (ready) return { assignment: ready };
    try {
      await this.#sent();
      const found = dated(await callHere("POST", "/next", {}));
      this.before = [];
      return found;
    } catch (error) {
      return this.#withoutServer(error);
    }
  }

  #withoutServer(error) {
    const isAway = error instanceof Unsent || error.isPassing;
    this.ahead = isAway ? this.before : [];
    this.before = [];
    const ready = this.take();
    if (!ready) throw error;
    return { assignment: ready };
  }

  /** Fetch some beside the one in hand; whatever goes wrong, they are asked for again when they are needed. */
  fetchAhead(current) {
    this.#keep(current);
    this.fetching = this.#fetch(current).catch(() => {});
  }

  async #fetch(current) {
    await this.#sent();
    while (this.ahead.length < this.most) {
      const { assignment: found } = dated(await callHere("POST", "/next", { ahead: this.ahead.length + 1 }));
      const known = [current, ...this.ahead].map(({ assignment }) => assignment);
      if (!found || known.includes(found.assignment) || this.outbox.has(found.assignment)) return;
      this.ahead.push(found);
      this.#keep(current);
    }
  }

  #keep(current) {
    this.kept.put(KEPT, [current, ...this.ahead]);
  }

  async #sent() {
    await this.outbox.flush();
    if (this.outbox.waiting.length) throw new Unsent();
  }

  /** Say that somebody is at an assignment; return the seconds that are left, null if it is not ours any more. */
  async keep(held) {
    try {
      const { left } = await callHere("POST", "/heartbeat", { assignment: held.assignment });
      held.deadline = Date.now() + left * 1000;
      return left;
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  /** Keep those ahead as well whose time is running out, or let them go if it is up. */
  async keepAhead() {
    for (const each of [...this.ahead]) {
      const isFresh = each.deadline - Date.now() > each.left * 1000 * NOT_YET;
      if (!isFresh && !(await this.keep(each))) this.drop(each.assignment);
    }
  }

  /** Let go of one that was fetched ahead. */
  drop(assignment) {
    this.ahead = this.ahead.filter((each) => each.assignment !== assignment);
  }
}

/** The server must get what was handed in before it can give more. */
export class Unsent extends Error {}

/** The clock of this machine may be wrong: only how long is left is taken from the server. */
function dated(found) {
  const { assignment } = found;
  return assignment ? { assignment: { ...assignment, deadline: Date.now() + assignment.left * 1000 } } : found;
}
