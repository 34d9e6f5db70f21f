// The draft of a campaign: kept while the tab is open, so that nothing that was typed is lost.

import { $ } from "./dom.js";

const KEY = "spancrew.new-campaign";
const MOST_TEXT = 2_000_000; // characters of a file that a tab can keep over a reload

/** The form of the page. */
export const form = $("#set-up");

/** What is known so far; the values of the form are in it as `fields`. */
export const draft = {
  step: "data", fields: {}, labels: [], found: null, taken: null, layout: null, columns: {}, file: null, forecasts: [],
  planned: null, chosen: null, pilot: null, ...stored(),
};

let file = draft.file?.text == null ? null : new File([draft.file.text], draft.file.name);

/** Return the draft of this tab; one of other data gives way to the pilot that the address names. */
function stored() {
  const pilot = new URLSearchParams(location.search).get("pilot");
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
    return pilot && kept.fields?.source !== `pilot:${pilot}` ? {} : kept;
  } catch {
    return {};
  }
}

/** Return the value of a field of the form. */
export const field = (name) => form.elements[name].value.trim();

/** Set a field of the form. */
export function setField(name, value) {
  if (form.elements[name] && name !== "file") form.elements[name].value = value;
}

/** Return the values of all fields. */
export function fields() {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string"));
}

/** Keep the draft; where there is no room, without the file. */
export function save() {
  draft.fields = fields();
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    const slim = { file: draft.file && { ...draft.file, text: null }, fields: { ...draft.fields, pasted: "" } };
    sessionStorage.setItem(KEY, JSON.stringify({ ...draft, ...slim }));
  }
}

/** Put the draft back into the form. */
export function restore() {
  for (const [name, value] of Object.entries(draft.fields)) setField(name, value);
}

/** Forget the draft. */
export const forget = () => sessionStorage.removeItem(KEY);

/** Return the file that was chosen; null if there is none, or none any more. */
export const chosenFile = () => file;

/** Take a file; its text is kept over a reload if it is text, and not too long. */
export async function takeFile(given) {
  file = given;
  draft.file = { name: given.name, text: null };
  if (given.size > 3 * MOST_TEXT) return;
  const text = await given.text();
  const isText = new Blob([text]).size === given.size && text.length <= MOST_TEXT;
  if (file === given && isText) draft.file.text = text;
}

/** Return the data as fields of a form for the API, to be read as `reading` says. */
export function dataForm(reading) {
  const data = new FormData();
  const source = field("source");
  if (source.startsWith("pilot:")) {
    data.set("campaign", source.slice("pilot:".length));
    return data;
  }
  if (!["file", "text"].includes(source)) {
    data.set("data", source);
    return data;
  }
  if (source === "file") data.set("file", file, file.name);
  else data.set("text", field("pasted"));
  if (field("format")) data.set("format", field("format"));
  data.set("reading", JSON.stringify(reading));
  return data;
}
