// How far people follow what models suggest: those who saw it beside those who did not.

import { $, h } from "./dom.js";
import { language, number, percent, t } from "./words.js";

const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const points = (share) => format.format(100 * share);

/** Show the figures of a status; without one, nothing yet. */
export function show(status) {
  if (status) $("#suggested > div").replaceChildren(...partsOf(status.anchoring));
}

function partsOf(found) {
  if (!found) return [h("p", {}, t("suggested.none"))];
  const groups = t("suggested.groups", {
    seen: number(found.seen), unseen: number(found.unseen),
    agreed: percent(found.agreed_seen), otherwise: percent(found.agreed_unseen),
  });
  return [h("p", { class: "strong" }, drawOf(found)), h("p", {}, groups), h("p", { class: "quiet small" }, t("suggested.means"))];
}

function drawOf({ more, low, high }) {
  if (low === null) return t("suggested.few");
  return t("suggested.draw", { more: points(more), low: points(low), high: points(high) });
}
