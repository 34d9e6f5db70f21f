// Nothing to do: why, and a look from time to time whether there is something again.

import { h, notice, say } from "./dom.js";
import { t } from "./words.js";

const SHORTEST = 2000;
const LONGEST = 30000;

/** Shows why there is no sentence, and calls `look` by itself while somebody can see the page. */
export class Wait {
  constructor(stage, look) {
    Object.assign(this, { stage, look, isOn: false, tries: 0 });
    document.addEventListener("visibilitychange", () => this.isOn && !document.hidden && this.#now());
    addEventListener("online", () => this.isOn && this.#now());
  }

  /** Show the reason; each look that finds nothing makes the next one a little later. */
  show({ code, retry_after: after }) {
    const isNew = !this.isOn || this.code !== code;
    if (isNew) this.#draw(code);
    Object.assign(this, { isOn: true, code, tries: isNew ? 0 : this.tries + 1 });
    const wait = Math.min(Math.max(after * 1000, SHORTEST) * 1.5 ** this.tries, LONGEST);
    clearTimeout(this.timer);
    // A hidden page asks nothing; it looks at once when it is seen again.
    this.timer = setTimeout(() => this.isOn && !document.hidden && this.#now(), wait);
  }

  stop() {
    clearTimeout(this.timer);
    this.isOn = false;
  }

  #now() {
    clearTimeout(this.timer);
    this.look();
  }

  #draw(code) {
    const button = h("button", { type: "button", on: { click: () => this.#now() } }, t("work.look_now"));
    this.stage.replaceChildren(h("section", { class: "card stack wait" },
      h("div", { class: "wait-dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      h("h2", {}, t(`work.wait_${code}`)),
      h("p", { class: "quiet" }, t(`work.wait_${code}_more`)),
      h("div", {}, button)));
    say(t(`work.wait_${code}`));
  }
}

/** Show that the session has ended; nothing that was done is lost. */
export function showSignedOut(place, waiting) {
  const text = waiting ? t("work.ended_kept", { n: waiting }) : t("work.ended");
  place.replaceChildren(notice("warn", text));
}
