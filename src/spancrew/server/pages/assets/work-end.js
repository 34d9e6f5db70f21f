// The end of a shift: thanks, and what a crowd platform wants to be told.

import { callHere } from "./api.js";
import { copyButton } from "./copy.js";
import { h, say } from "./dom.js";
import { money, number, t } from "./words.js";

/** Show that it is over: thanks, what was done, and what the platform wants to be told. */
export async function showEnd(stage, code, figures) {
  const progress = await callHere("GET", "/progress").catch(() => null);
  if (progress) figures.set(progress);
  const { answers: n, earned } = figures;
  stage.replaceChildren(h("section", { class: "card stack wait" },
    h("h2", {}, t(`work.end_${code}`)),
    h("p", {}, t("work.thanks", { n, answers: number(n), earned: money(earned) })),
    progress?.completion && completion(progress.completion)));
  say(t(`work.end_${code}`));
}

function completion({ code, url }) {
  return h("div", { class: "stack" },
    code && h("p", { class: "quiet" }, t("work.completion")),
    code && h("div", { class: "row completion" }, h("code", { id: "completion-code" }, code), copyButton(code)),
    url && h("p", {}, h("a", { class: "button primary", href: url, rel: "noreferrer" }, t("work.completion_link"))));
}
