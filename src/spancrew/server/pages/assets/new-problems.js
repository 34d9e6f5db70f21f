// What is wrong with the form, said beside the field that it belongs to.

import { $, h, notice } from "./dom.js";
import { field, form } from "./new-draft.js";
import { number, t } from "./words.js";

const UNUSED = "[data-for][hidden], .field[hidden], #detailed[hidden], .rehearse[hidden], #pilot-fields[hidden], #pilot-first[hidden], #rehearse-row[hidden], #worker-f1[hidden], #model-price[hidden]";
// How the API names what the form calls by another name, most particular first.
const NAMES = [
  [/model_price/, "model_price"], [/suggestions/, "suggestions"],
  [/prices?\.?answer|^price\b/, "price_answer"], [/prices?\.?expert|^expert\b/, "price_expert"],
  [/audit/, "audit"], [/gold_share/, "gold_share"], [/expert_share/, "expert_share"], [/threshold/, "threshold"], [/quality/, "quality"],
  [/budget/, "budget"], [/\bcrew\b/, "crew"], [/\banswers\b/, "answers"], [/lease/, "lease"], [/\bcap\b/, "cap"],
  [/seed/, "seed"], [/^practice/, "practice"], [/^pilot/, "pilot"], [/^runs/, "runs"], [/^skill/, "skill"], [/'?name'?/, "name"],
];

/** Return the step of a name: data, labels, crew or check. */
export const stepElement = (step) => $(`#step-${step}`);

/** Take back what was said about a step. */
export function clear(step) {
  const element = stepElement(step);
  for (const box of element.querySelectorAll(".problem")) box.replaceChildren();
  for (const said of element.querySelectorAll(".field-problem")) unsay(said);
}

function unsay(said) {
  const input = said.input;
  input.removeAttribute("aria-invalid");
  const rest = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== said.id);
  if (rest.length) input.setAttribute("aria-describedby", rest.join(" "));
  else input.removeAttribute("aria-describedby");
  said.remove();
}

/** Say something at the top of a step. */
export function onTop(step, text) {
  $(".problem", stepElement(step)).replaceChildren(notice("bad", text));
}

/** Say something beside a field. */
export function beside(name, text) {
  const input = form.elements[name];
  const box = input.closest(".field");
  const old = $(".field-problem", box);
  if (old) unsay(old);
  const said = h("span", { class: "field-problem", id: `p-${name}`, role: "alert" }, text);
  said.input = input;
  box.append(said);
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", `${input.getAttribute("aria-describedby") ?? ""} ${said.id}`.trim());
  for (let more = input.closest("details"); more; more = more.parentElement.closest("details")) more.open = true;
}

/** Check the fields of a step; say what is wrong, and return the first field that is. */
export function checkFields(step) {
  for (const input of stepElement(step).querySelectorAll(".field input")) {
    const text = input.closest(UNUSED) ? "" : problemOf(input);
    if (text) beside(input.name, text);
  }
  if (step === "crew" && field("crew") && Number(field("crew")) < Number(field("answers")) && !$(".field-problem", stepElement(step))) {
    beside("crew", t("new.bad_crew", { crew: field("crew"), answers: field("answers") }));
  }
  return $("[aria-invalid]", stepElement(step));
}

function problemOf(input) {
  const { valueMissing, badInput, rangeUnderflow, rangeOverflow, stepMismatch } = input.validity;
  if (badInput || rangeUnderflow || rangeOverflow || stepMismatch) {
    const limits = { min: number(Number(input.min)), max: number(Number(input.max)) };
    return t(input.step === "any" ? "new.bad_number" : "new.bad_whole", limits);
  }
  return valueMissing || (input.required && !input.value.trim()) ? t("new.bad_required") : "";
}

/** Say why the API refused, where it belongs; return the step that this is about. */
export function refused(error, step) {
  const message = error.message ?? "";
  if (error.code === "data") {
    onTop("data", error.text);
    return "data";
  }
  const found = ["plan", "invalid"].includes(error.code) && NAMES.find(([pattern]) => pattern.test(message));
  if (found) {
    const input = form.elements[found[1]];
    beside(found[1], error.text);
    return input.closest("fieldset").id.replace("step-", "");
  }
  const about = error.code === "plan" && /label/.test(message) ? "labels" : step;
  onTop(about, error.text);
  return about;
}
