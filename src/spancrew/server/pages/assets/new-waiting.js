// What is shown while the server computes: how far it is, and how long it will still take.

import { $, say } from "./dom.js";
import { duration, t } from "./words.js";

/** A bar with a text and a button to stop it. */
export class Waiting {
  constructor(name, stop) {
    this.box = $(`#${name}-waiting`);
    this.bar = $("progress", this.box);
    this.text = $(".waiting-text", this.box);
    $("button", this.box).addEventListener("click", stop);
  }

  /** Begin with nothing known. */
  begin() {
    this.box.hidden = false;
    this.bar.removeAttribute("value");
    this.text.textContent = t("new.phase_start");
    say(t("new.phase_start"));
  }

  /** Show how far it is; the seconds that are left are counted down until the next line comes. */
  show({ done, of, left }, words) {
    if (done) Object.assign(this.bar, { max: of, value: done });
    const ends = left == null ? null : Date.now() + 1000 * left;
    const tell = () => {
      const time = ends && duration(Math.max(ends - Date.now(), 0) / 1000);
      this.text.textContent = time ? `${words} ${t("new.time_left", { time })}` : words;
    };
    clearInterval(this.timer);
    this.timer = setInterval(tell, 1000);
    tell();
  }

  /** Be gone. */
  end() {
    clearInterval(this.timer);
    this.box.hidden = true;
  }
}
