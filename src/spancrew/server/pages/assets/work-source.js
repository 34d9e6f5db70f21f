// Where sentences come from: the one in hand, and one ahead so that it is there at once.

import { callHere } from "./api.js";

const MARGIN = 5000;

/** Assignments of this worker, one after the other. */
export class Source {
  constructor(outbox) {
    Object.assign(this, { outbox, ahead: null, fetching: null });
  }

  /** Return the assignment that was fetched ahead, if it is still ours; at once. */
  take() {
    const { ahead } = this;
    this.ahead = null;
    return ahead && ahead.deadline - Date.now() > MARGIN && !this.outbox.has(ahead.assignment) ? ahead : null;
  }

  /** Return {assignment} or {waiting}; what has been handed in is sent first, as it is still ours until then. */
  async next() {
    await this.fetching;
    const ready = this.take();
    if (ready) return { assignment: ready };
    await this.#sent();
    return dated(await callHere("POST", "/next", {}));
  }

  /** Fetch one beside the one in hand; whatever goes wrong, it is asked for again when it is needed. */
  fetchAhead(current) {
    this.fetching = this.#fetch(current).catch(() => {});
  }

  async #fetch(current) {
    await this.#sent();
    const found = dated(await callHere("POST", "/next", { ahead: 1 }));
    const isOther = found.assignment && found.assignment.assignment !== current;
    if (isOther && !this.outbox.has(found.assignment.assignment)) this.ahead = found.assignment;
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

  /** Keep the one ahead as well, or let it go if its time is up. */
  async keepAhead() {
    const { ahead } = this;
    if (ahead && !(await this.keep(ahead)) && this.ahead === ahead) this.ahead = null;
  }
}

/** The server must get what was handed in before it can give more. */
export class Unsent extends Error {}

/** The clock of this machine may be wrong: only how long is left is taken from the server. */
function dated(found) {
  const { assignment } = found;
  return assignment ? { assignment: { ...assignment, deadline: Date.now() + assignment.left * 1000 } } : found;
}
