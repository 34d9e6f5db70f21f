// All answers under each other. Marks take no room of their own, so that all rows break at the same places.

import { h } from "./dom.js";
import { colour, covered, pieces } from "./editor-text.js";
import { compared } from "./expert-spans.js";
import { knows, t } from "./words.js";

const SIGNS = { same: "", differs: "±", extra: "+", missing: "−" };
const LONG = 60;
const NEAR = 5;

/** Return the text of a sentence with the marks of one answer; `take` is called with a span that was clicked, `unsure` are starts. */
export function spanRow(sheet, spans, { shown, take, unsure = [] }) {
  const { sentence, crowd, labels } = sheet;
  const marks = compared(spans, crowd);
  const { tokens, gaps } = pieces(sentence);
  const text = (from, to) => stretch({ tokens, gaps, shown }, from, to);
  const parts = [];
  let at = 0;
  for (const mark of marks) {
    const { start, end } = mark.span;
    mark.isUnsure = mark.kind !== "missing" && unsure.includes(start);
    parts.push(text(at, start), shown.has(start - 1) || !start ? gaps[start] : "");
    parts.push(markOf(mark, tokens[start], text(start + 1, end), labels, take));
    at = end;
  }
  parts.push(text(at, tokens.length));
  const words = marks.map((mark) => described(mark, sentence)).join("; ");
  return [
    h("p", { class: "row-text", dir: "auto", "aria-hidden": "true" }, ...parts),
    h("p", { class: "sr-only" }, words || t("expert.nothing_marked")),
  ];
}

/** Return the text of some tokens, each with the gap before it; what is not shown is three dots. */
function stretch({ tokens, gaps, shown }, from, to) {
  let text = "";
  for (let k = from; k < to; k++) {
    if (shown.has(k)) text += (shown.has(k - 1) || !k ? gaps[k] : "") + tokens[k];
    else if (shown.has(k - 1) || !k) text += " … ";
  }
  return text;
}

/** The tag hangs on the first token: the rest may stand on another line. */
function markOf({ span, kind, isUnsure }, first, rest, labels, take) {
  const notes = [kind !== "same" && t(`expert.sign_${kind}`), isUnsure && t("expert.unsure")].filter(Boolean);
  const note = notes.map((each) => `, ${each}`).join("");
  const tag = h("span", { class: "row-tag" }, h("bdi", {}, [SIGNS[kind], span.label, isUnsure && "?"].filter(Boolean).join(" ")));
  return h("span",
    { class: `row-mark ${kind}`, data: { colour: colour(labels, span.label) }, title: `${span.label}${note}`, on: { click: () => take(span) } },
    h("span", { class: "row-first" }, first, tag), rest);
}

function described({ span, kind, isUnsure }, sentence) {
  const words = t(`expert.row_${kind}`, { label: span.label, text: covered(sentence, span) });
  return isUnsure ? `${words}, ${t("expert.unsure")}` : words;
}

/** Return what a worker says of their answer: what is wrong with the sentence, and a note. */
export function remarkOf({ note, flag }) {
  const why = knows(`expert.flag_${flag}`) ? t(`expert.flag_${flag}`) : flag;
  return [
    flag && h("p", { class: "remark small" }, h("span", { class: "chip warn" }, t("expert.flagged", { why }))),
    note && h("p", { class: "remark small", dir: "auto" }, t("expert.note", { note })),
  ].filter(Boolean);
}

/** Return which tokens are shown: of long sentences only those near a border that somebody marked. */
export function shownTokens({ sentence, answers, crowd }) {
  const size = sentence.tokens.length;
  const all = new Set(Array.from({ length: size }, (_, k) => k));
  if (size <= LONG) return all;
  const near = new Set();
  for (const { start, end } of [...crowd, ...answers.flatMap(({ spans }) => spans)]) {
    for (const border of [start, end]) {
      for (let k = Math.max(0, border - NEAR); k < Math.min(size, border + NEAR); k++) near.add(k);
    }
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
