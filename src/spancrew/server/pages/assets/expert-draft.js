// Labels that are not sent yet: kept by the browser, so that a reload or a lost connection loses nothing.

import { campaign } from "./api.js";
import { nameOf } from "./expert-spans.js";

const PREFIX = "spancrew.expert.";
const WEEK = 7 * 24 * 3600 * 1000;
const joined = (spans) => spans.map(nameOf).join(" ");

/** The labels of one sheet, with the key under which they are sent. */
export class Draft {
  constructor(sheet) {
    this.place = `${PREFIX}${campaign}.${sheet.number}`;
    this.id = sheet.sentence.id;
    const kept = read(this.place);
    this.kept = kept?.id === this.id ? kept : null;
    this.since = Date.now() - 1000 * (this.kept?.seconds ?? 0);
  }

  /** Return how long somebody has been at this sheet, in seconds. */
  get seconds() {
    return Math.max(0, Math.round((Date.now() - this.since) / 100) / 10);
  }

  /** Keep labels. */
  keep(spans) {
    this.#write({ ...this.kept, spans });
  }

  /** Return the key to send labels under: the same labels have the same, so that they count once. */
  keyFor(spans) {
    const sent = joined(spans);
    if (this.kept?.sent !== sent) this.#write({ ...this.kept, spans, sent, key: crypto.randomUUID?.() ?? random() });
    return this.kept.key;
  }

  /** Forget the labels. */
  drop() {
    this.kept = null;
    attempt(() => localStorage.removeItem(this.place));
  }

  #write(value) {
    this.kept = { ...value, id: this.id, seconds: this.seconds, at: Date.now() };
    attempt(() => localStorage.setItem(this.place, JSON.stringify(this.kept)));
  }
}

/** Forget drafts of sentences that nobody came back to for a week. */
export function sweep() {
  attempt(() => {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(PREFIX) && Date.now() - (read(name)?.at ?? 0) > WEEK) localStorage.removeItem(name);
    }
  });
}

// Without crypto.randomUUID, which plain http on another machine does not have.
const random = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");

function read(place) {
  return attempt(() => JSON.parse(localStorage.getItem(place) ?? "null"));
}

/** Storage may be full or forbidden; then labels live as long as the page. */
function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}
