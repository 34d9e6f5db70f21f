// All answers under each other. Marks take no room of their own, so that all rows break at the same places.

import { h } from "./dom.js";
import { colour, covered, pieces } from "./editor-text.js";
import { compared } from "./expert-spans.js";
import { t } from "./words.js";

const SIGNS = { same: "", differs: "±", extra: "+", missing: "−" };
const LONG = 60;
const NEAR = 8;

/** Return the text of a sentence with the marks of one answer; `take` is called with a span that was clicked. */
export function spanRow(sheet, spans, { shown, take }) {
  const { sentence, crowd, labels } = sheet;
  const marks = compared(spans, crowd);
  const { tokens, gaps } = pieces(sentence);
  const parts = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!shown.has(at)) {
      if (shown.has(at - 1) || at === 0) parts.push(" … ");
      continue;
    }
    parts.push(gaps[at]);
    const mark = marks.find(({ span }) => span.start === at);
    if (!mark) {
      parts.push(tokens[at]);
      continue;
    }
    const [first, rest] = [tokens[at], []];
    while (at + 1 < mark.span.end) rest.push(gaps[++at], tokens[at]);
    parts.push(markOf(mark, first, rest.join(""), labels, take));
  }
  const words = marks.map((mark) => described(mark, sentence)).join("; ");
  return [
    h("p", { class: "row-text", dir: "auto", "aria-hidden": "true" }, ...parts),
    h("p", { class: "sr-only" }, words || t("expert.nothing_marked")),
  ];
}

/** The tag hangs on the first token: the rest may stand on another line. */
function markOf({ span, kind }, first, rest, labels, take) {
  const note = kind === "same" ? "" : `, ${t(`expert.sign_${kind}`)}`;
  const tag = h("bdi", { class: "row-tag" }, [SIGNS[kind], span.label].filter(Boolean).join(" "));
  return h("span",
    { class: `row-mark ${kind}`, data: { colour: colour(labels, span.label) }, title: `${span.label}${note}`, on: { click: () => take(span) } },
    h("span", { class: "row-first" }, first, tag), rest);
}

const described = ({ span, kind }, sentence) => t(`expert.row_${kind}`, { label: span.label, text: covered(sentence, span) });

/** Return which tokens are shown: of long sentences only those near something that somebody marked. */
export function shownTokens({ sentence, answers, crowd }) {
  const size = sentence.tokens.length;
  const all = new Set(Array.from({ length: size }, (_, k) => k));
  if (size <= LONG) return all;
  const near = new Set();
  for (const { start, end } of [...crowd, ...answers.flatMap(({ spans }) => spans)]) {
    for (let k = Math.max(0, start - NEAR); k < Math.min(size, end + NEAR); k++) near.add(k);
  }
  return near.size ? near : all;
}

/** Return the choices of one answer, question by question. */
export function choiceRow({ crowd, labels }, spans, { take }) {
  const marks = compared(spans, crowd).filter(({ kind }) => kind !== "missing");
  const chips = marks.map(({ span, kind }) => h("span",
    { class: `label-chip choice-chip ${kind}`, data: { colour: colour(labels, span.label) }, on: { click: () => take(span) } },
    h("span", { class: "sr-only" }, `${t("expert.question", { n: span.start + 1 })}: `),
    h("span", { "aria-hidden": "true" }, `${span.start + 1} `), h("bdi", {}, span.label),
    kind !== "same" && h("span", { "aria-hidden": "true" }, ` ${SIGNS[kind]}`),
    kind !== "same" && h("span", { class: "sr-only" }, `, ${t("expert.sign_differs")}`)));
  return [h("p", { class: "row" }, ...(chips.length ? chips : [h("span", { class: "quiet" }, t("expert.nothing_marked"))]))];
}

/** Return what the signs mean. */
export function legend(kinds) {
  const entries = kinds.map((kind) => h("span", {}, h("b", {}, SIGNS[kind]), ` ${t(`expert.sign_${kind}`)}`));
  return h("p", { class: "row small quiet legend", "aria-hidden": "true" }, ...entries);
}
