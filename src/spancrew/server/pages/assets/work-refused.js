// Answers that the server did not take: told, and kept in sight until the worker has read it.

import { h, notice, say } from "./dom.js";
import { marked } from "./marks.js";
import { t } from "./words.js";

/** Show all refused answers in an element. */
export function drawRefused(place, { refused }, labels) {
  const kept = refused.names.map((name) => refused.get(name)).filter(Boolean);
  place.replaceChildren(...kept.map((item) => card(item, labels, () => {
    refused.remove(item.key);
    drawRefused(place, { refused }, labels);
  })));
}

/** Say that an answer was refused. */
export function sayRefused({ status }) {
  say(status === 409 ? t("work.refused_twice") : t("work.refused"));
}

function card({ status, told, shown, body }, labels, dismiss) {
  const isTwice = status === 409;
  const text = isTwice ? t("work.refused_twice") : `${t("work.refused")} ${told}`;
  const button = h("button", { type: "button", class: "small", on: { click: dismiss } }, t("work.dismiss"));
  return h("section", { class: "stack refused" },
    notice(isTwice ? "info" : "warn", text),
    marked(shown, body.spans, labels, { compact: true }), h("div", {}, button));
}
