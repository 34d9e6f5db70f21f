// The third step: who answers, who decides, at what price; and the plan that comes of it.

import { form, field } from "./new-draft.js";
import { labelNames, legend } from "./new-labels.js";
import { stepElement } from "./new-problems.js";
import { percent, t } from "./words.js";

const PLAIN = ["policy", "consensus", "mode", "kind", "warm_up"];
const AIMED = ["expected-error", "adaptive"];
const WORDS = { "expected-error": "errors", gate: "gate", adaptive: "adaptive", expert: "expert", crowd: "crowd" };

/** Show the options of the rule that is chosen. */
export function showOptions() {
  const rule = field("rule");
  const aim = AIMED.includes(rule) ? field("aim") : "";
  for (const box of stepElement("crew").querySelectorAll("[data-for]")) {
    const fits = box.dataset.for.split(" ");
    box.hidden = !fits.includes(rule) && !fits.includes(aim || "-");
  }
}

/** Return a share of 1 for one of 100. */
export const part = (value) => Number((Number(value) / 100).toFixed(6));

/** Return the feedback rule as the API names it. */
export function ruleOf(fields) {
  const { rule, aim } = fields;
  if (rule === "gate") return `gate:threshold=${Number(fields.threshold)}`;
  if (AIMED.includes(rule) && aim) return `${rule}:${aim}=${part(fields[aim])}`;
  return rule;
}

/** Return the feedback rule in words. */
export function ruleWords(fields) {
  const { rule, aim } = fields;
  const name = t(`new.rule_${WORDS[rule]}`);
  if (rule === "gate") return `${name}, ${t("new.of_threshold", { value: Number(fields.threshold) })}`;
  if (!AIMED.includes(rule) || !aim) return name;
  const words = aim === "quality" ? "of_quality" : "of_share";
  return `${name}, ${t(`new.${words}`, { value: percent(part(fields[aim])) })}`;
}

/** Return the plan; missing fields have their defaults. */
export function planOf(fields) {
  const plan = {
    labels: labelNames(),
    ...(fields.instruction && { instruction: fields.instruction.trim() }),
    ...(Object.keys(legend()).length && { legend: legend() }),
    feedback: ruleOf(fields),
    answers: Number(fields.answers),
    prices: { answer: Number(fields.price_answer), expert: Number(fields.price_expert) },
    audit: fields.rule === "crowd" ? 0 : part(fields.audit),
    gold_share: part(fields.gold_share),
    lease: Number(fields.lease) * 60,
    seed: Number(fields.seed),
  };
  if (Number(fields.suggestions)) plan.suggestions = part(fields.suggestions);
  for (const name of PLAIN) if (fields[name]) plan[name] = fields[name];
  for (const name of ["budget", "cap", "crew"]) if (fields[name] !== "") plan[name] = Number(fields[name]);
  return plan;
}

/** Watch the rule, so that only the options that matter are seen. */
export function planStep() {
  form.addEventListener("change", showOptions);
  showOptions();
}
