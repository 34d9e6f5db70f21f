// A file with more sentences for a campaign that is there already.

import { callHere } from "./api.js";
import { $, notice } from "./dom.js";
import { number, t } from "./words.js";

/** Let the form add what is in its file; `after` is called when something was added. */
export function letAdd(form, after) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("button", form);
    button.disabled = true;
    try {
      const { added, known } = await callHere("POST", "/sentences", new FormData(form));
      const told = t("sentences.added", { n: added, count: number(added) });
      const more = known ? ` ${t("sentences.added_known", { n: known, count: number(known) })}` : "";
      $("#added").replaceChildren(notice("good", told + more));
      form.reset();
      if (added) after();
    } catch (error) {
      $("#added").replaceChildren(notice("bad", error.text));
    }
    button.disabled = false;
  });
}
