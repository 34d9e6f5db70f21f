// What has been marked so far, kept by assignment until it is handed in.

import { campaign } from "./api.js";
import { Store } from "./outbox-store.js";

const TWO_DAYS = 2 * 24 * 3600 * 1000;

/** Drafts of one worker. */
export class Drafts {
  constructor(worker) {
    this.store = new Store(`spancrew.${campaign}.${worker}.draft.`);
    for (const name of this.store.names) {
      if (!(this.store.get(name)?.at > Date.now() - TWO_DAYS)) this.store.remove(name);
    }
  }

  /** Return spans, seconds and remark of an assignment that was begun; null if it was not. */
  of(assignment) {
    return this.store.get(assignment);
  }

  keep(assignment, draft) {
    this.store.put(assignment, { ...draft, at: Date.now() });
  }

  drop(assignment) {
    this.store.remove(assignment);
  }
}
