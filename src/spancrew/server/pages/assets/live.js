// A stream of what happens in the campaign of this page, which reconnects by itself.

import { callHere, campaign } from "./api.js";

const SLOWEST = 30000;

/** What happens, as it happens: calls `figures`, `journal`, `state` ("live", "lost") and `end`. */
export class Live {
  constructor(handlers) {
    this.handlers = handlers;
    this.version = null;
    this.wait = 1000;
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    addEventListener("online", () => this.open());
    this.open();
  }

  /** Open the stream, after what was seen already. */
  open() {
    this.close();
    const after = this.version === null ? "" : `?after=${this.version}`;
    const source = new EventSource(`/api/v1/campaigns/${campaign}/live${after}`);
    this.source = source;
    source.addEventListener("open", () => this.#opened());
    source.addEventListener("error", () => this.#broken(source));
    source.addEventListener("figures", (event) => this.handlers.figures(JSON.parse(event.data)));
    source.addEventListener("journal", (event) => this.#journal(JSON.parse(event.data)));
    source.addEventListener("end", (event) => this.#end(JSON.parse(event.data).reason));
  }

  /** Close the stream for now. */
  close() {
    clearTimeout(this.later);
    this.source?.close();
  }

  #opened() {
    this.wait = 1000;
    this.handlers.state("live");
  }

  #journal(batch) {
    this.version = batch.version;
    this.handlers.journal(batch);
  }

  #end(reason) {
    this.close();
    this.handlers.end(reason);
  }

  /** A browser tries again by itself, but not where the server said no. */
  async #broken(source) {
    if (source !== this.source) return;
    this.handlers.state("lost");
    if (source.readyState !== EventSource.CLOSED) return;
    const reason = await refusal();
    if (source !== this.source) return;
    if (reason) return this.#end(reason);
    this.later = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, SLOWEST);
  }
}

async function refusal() {
  try {
    await callHere("GET", "/status");
  } catch (error) {
    if (error.status === 401 || error.status === 403) return "session";
    if (error.status === 404) return "campaign";
  }
  return null;
}
