// What a sheet asks about: a text, or a prompt with its responses beside each other.

import { h } from "./dom.js";
import { rendered } from "./markdown.js";
import { t } from "./words.js";

const NAMES = "ABCDEFGH";

/** Return an element with a text; responses that begin with "A:", "B:" ... on lines of their own stand apart. */
export function sheetBody(text) {
  const { prompt, responses } = split(text);
  const above = h("div", { class: "sheet-text" }, rendered(prompt));
  if (responses.length < 2) return h("div", { class: "sheet-text" }, rendered(text.trim()));
  const shown = responses.map((each, k) => h("section", { class: "response", "aria-label": t("editor.response", { name: NAMES[k] }) },
    h("p", { class: "response-name", "aria-hidden": "true" }, NAMES[k]), h("div", { class: "sheet-text" }, rendered(each))));
  return h("div", { class: "sheet-body" }, above, h("div", { class: "responses" }, shown));
}

function split(text) {
  const parts = [];
  let rest = `\n\n${text.trim()}\n`;
  for (const name of NAMES) {
    const mark = `\n\n${name}:\n`;
    const place = rest.indexOf(mark);
    if (place < 0) break;
    parts.push(rest.slice(0, place).trim());
    rest = `\n\n${rest.slice(place + mark.length)}`;
  }
  return { prompt: parts[0] ?? "", responses: parts.length ? [...parts.slice(1), rest.trim()] : [] };
}
