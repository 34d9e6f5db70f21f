// A sentence with its spans, to be read and not to be changed.

import { h } from "./dom.js";
import { colour, pieces } from "./editor-text.js";
import { fitted, spanAt } from "./editor-spans.js";

/** Return an element with a sentence and its spans; `compact` for tables and lists, `tokens` to see each of them. */
export function marked(sentence, spans, labels, { compact = false, tokens: areShown = false } = {}) {
  const shown = (token) => (areShown ? h("span", { class: "seen-token" }, token) : token);
  const { tokens, gaps } = pieces(sentence);
  const those = fitted(spans, tokens.length);
  const parts = [];
  for (let at = 0; at < tokens.length; at++) {
    parts.push(gaps[at]);
    const span = spanAt(those, at);
    if (!span) {
      parts.push(shown(tokens[at]));
      continue;
    }
    const first = shown(tokens[at]);
    const rest = [];
    while (at + 1 < span.end) rest.push(gaps[++at], shown(tokens[at]));
    parts.push(mark(first, rest, span, labels));
  }
  const element = h("p", { class: "marked", dir: "auto" }, ...parts, gaps.at(-1));
  element.classList.toggle("compact", compact);
  return element;
}

function mark(first, rest, { label }, labels) {
  // bdi: the name of the label must not decide on the direction of the sentence.
  const tag = h("bdi", { class: "mark-tag" }, label);
  // The tag stays with the first token where a line ends.
  const head = h("span", { class: "mark-head" }, tag, " ", first);
  return h("mark", { class: "mark", data: { colour: colour(labels, label) } }, head, ...rest);
}
