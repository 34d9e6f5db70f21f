// A pilot: offered where nothing is known of the data, and data like a file once it is done.

import { call } from "./api.js";
import { $, h } from "./dom.js";
import { draft, field, form, setField } from "./new-draft.js";
import { labelNames, legend, takeLegend } from "./new-labels.js";
import { number, t } from "./words.js";

const SOURCE = "pilot:";
const { min: LEAST, max: MOST, defaultValue: USUAL } = form.elements.pilot;
// Fields and parts that only a whole campaign has.
const WHOLE = ["target", "deadline", "workers", "worker_hours", "experts", "expert_hours", "currency"];
const PARTS = ["#step-crew .rehearse", "#detailed", "#step-check .rehearse"];

/** Return the id of the pilot that a source is; null if it is none. */
export const pilotIn = (source) => (source?.startsWith(SOURCE) ? source.slice(SOURCE.length) : null);

const wanted = () => new URLSearchParams(location.search).get("pilot");

/** Offer the pilot that the draft or the address names, before the others are known. */
export function knownPilot() {
  const id = wanted() ?? pilotIn(draft.fields.source);
  if (id && /^[a-z0-9]+$/.test(id)) option({ id, name: draft.pilot?.id === id ? draft.pilot.name : "" });
}

/** Return the source that the address asks for; nothing if it asks for none, or the draft has it. */
export const wantedPilot = () => (wanted() && !draft.found ? SOURCE + wanted() : "");

/** Offer all pilots that are done, and say of the others what is missing. */
export async function loadPilots() {
  const pilots = await call("GET", "/pilots").catch(() => []);
  const isDone = ({ phase, waiting, missing }) => phase === "finished" && waiting + missing > 0;
  for (const pilot of pilots.filter(isDone)) option(pilot);
  const open = pilots.filter(({ phase }) => phase !== "finished");
  $("#pilots-open").hidden = !open.length;
  $("#pilots-open").replaceChildren(...open.map(({ id, name, missing, sentences }) => h("li", {},
    h("a", { href: `/campaigns/${id}`, dir: "auto" }, name), " ",
    t("new.pilot_open", { n: missing, count: number(missing), sentences: number(sentences) }))));
}

function option(pilot) {
  const { id, name, labelled, missing, waiting } = pilot;
  if (draft.pilot?.id === id || id === wanted()) draft.pilot = { id, name };
  const words = [
    h("span", { class: "strong", dir: "auto" }, name || t("new.pilot_source")),
    labelled === undefined ? "" : h("span", { class: "hint" }, t("new.pilot_source_more", { labelled: number(labelled), waiting: number(waiting + missing) })),
  ];
  const there = $(`#sources [value="${SOURCE}${id}"]`);
  if (there) return there.nextElementSibling.replaceChildren(...words);
  const input = h("input", { type: "radio", name: "source", value: SOURCE + id });
  return $("#sources").append(h("label", { class: "option" }, input, h("span", {}, ...words)));
}

/** Return a name for the campaign after a pilot: that of the pilot, without saying that it is one. */
export function nameAfterPilot() {
  const name = draft.pilot?.name ?? "";
  const [before, after] = t("new.pilot_called", { name: "\n" }).split("\n");
  return name.startsWith(before) && name.endsWith(after) ? name.slice(before.length, name.length - after.length) : "";
}

/** Take over from a pilot what its people were told, and its prices. */
export async function takeOver(id) {
  const { name, plan } = await call("GET", `/campaigns/${id}`);
  draft.pilot = { id, name };
  takeLegend(plan.legend ?? {});
  setField("instruction", plan.instruction ?? "");
  setField("price_answer", plan.prices.answer);
  setField("price_expert", plan.prices.expert);
}

const canBeFirst = ({ gold, answers, sentences }) => !gold && !answers && sentences > LEAST;

/** Tell whether a pilot is to be labelled, and not the whole campaign. */
export const isPilot = () => Boolean(draft.found && canBeFirst(draft.found) && field("scope") === "pilot");

/** Offer a pilot of a size that these data allow. */
export function offerPilot(found) {
  const most = Math.min(MOST, found.sentences - 1);
  form.elements.pilot.max = most;
  setField("pilot", Math.min(Number(field("pilot")) || USUAL, most));
}

/** Show what a pilot needs, and hide what only a whole campaign does. */
export function showPilot() {
  const isOne = isPilot();
  $("#pilot-first").hidden = !(draft.found && canBeFirst(draft.found));
  $("#pilot-fields").hidden = !isOne;
  for (const name of WHOLE) form.elements[name].closest(".field").hidden = isOne;
  for (const part of PARTS) $(part).hidden = isOne;
}

/** Return the plan of a pilot; the server knows the rest. */
export function pilotPlan(now) {
  const plan = {
    labels: labelNames(), answers: Number(now.pilot_answers),
    prices: { answer: Number(now.price_answer), expert: Number(now.price_expert) },
  };
  if (now.instruction) plan.instruction = now.instruction.trim();
  if (Object.keys(legend()).length) plan.legend = legend();
  if (now.budget) plan.budget = Number(now.budget);
  return plan;
}
