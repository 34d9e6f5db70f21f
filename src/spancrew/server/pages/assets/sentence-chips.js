// How a sentence stands, in few words.

import { h } from "./dom.js";
import { percent, t } from "./words.js";

const TONES = { settled: "good", at_expert: "warn" };

/** Return chips for state, decider, confidence, doubt, dispute, audit and corrections. */
export function chipsOf({ state, by, confidence, doubt, disputed, audit, corrections }) {
  const chip = (text, tone = "") => h("span", { class: `chip ${tone}` }, text);
  return [
    by ? chip(t(`sentences.by_${by}`), TONES[state]) : null,
    state !== "settled" || !by ? chip(t(`sentences.state_${state}`), TONES[state]) : null,
    by === "crowd" && confidence != null ? chip(t("sentences.confidence", { share: percent(confidence) })) : null,
    by !== "gold" && doubt != null ? chip(t("sentences.doubt", { errors: doubt.toFixed(2) })) : null,
    disputed ? chip(t("sentences.disputed_chip"), "warn") : null,
    audit === "drawn" ? chip(t("sentences.audit_drawn"), "warn") : null,
    corrections ? chip(t("sentences.corrections", { n: corrections })) : null,
  ].filter(Boolean);
}
