// The little markdown of responses, as nodes: text never becomes HTML, and links lead nowhere.

import { h } from "./dom.js";

// \x60 is the grave accent, which would begin a text here.
const FENCE = /^\s*(\x60{3,}|~{3,})/;
const HEADING = /^#{1,6}\s+(.*)$/;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d{1,9}[.)]\s+(.*)$/;
const INLINE = /(\x60+)(.+?)\1|\*\*(\S(?:.*?\S)?)\*\*|\*(\S(?:[^*]*?\S)?)\*/g;

/** Return a text as elements: paragraphs, lists, headings, code; everything else as it stands. */
export function rendered(text) {
  const lines = text.split(/\r\n|\r|\n/);
  const made = [];
  for (let k = 0; k < lines.length;) {
    const [block, next] = blockAt(lines, k);
    if (block) made.push(block);
    k = next;
  }
  return made;
}

function blockAt(lines, k) {
  const fence = FENCE.exec(lines[k]);
  if (fence) return codeAt(lines, k, fence[1]);
  if (!lines[k].trim()) return [null, k + 1];
  const heading = HEADING.exec(lines[k]);
  if (heading) return [h("p", { class: "md-heading", dir: "auto" }, inline(heading[1])), k + 1];
  for (const [tag, pattern] of [["ul", BULLET], ["ol", NUMBER]]) {
    if (pattern.test(lines[k])) return listAt(lines, k, tag, pattern);
  }
  let end = k + 1;
  while (end < lines.length && lines[end].trim() && !begins(lines[end])) end += 1;
  return [h("p", { class: "md-text", dir: "auto" }, inline(lines.slice(k, end).join("\n"))), end];
}

const begins = (line) => [FENCE, HEADING, BULLET, NUMBER].some((pattern) => pattern.test(line));

/** Code ends at a fence of the same sign, or with the text. */
function codeAt(lines, k, fence) {
  let end = k + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end += 1;
  return [h("pre", { class: "md-code", dir: "ltr" }, h("code", {}, lines.slice(k + 1, end).join("\n"))), end + 1];
}

function listAt(lines, k, tag, pattern) {
  const rows = [];
  for (let found; k < lines.length && (found = pattern.exec(lines[k])); k += 1) {
    rows.push(h("li", { dir: "auto" }, inline(found[1])));
  }
  return [h(tag, { class: "md-list" }, rows), k];
}

function inline(text) {
  const made = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    made.push(text.slice(from, found.index), marked(found));
    from = found.index + found[0].length;
  }
  return [...made, text.slice(from)];
}

function marked([, , code, strong, weak]) {
  if (code !== undefined) return h("code", {}, code);
  return strong === undefined ? h("em", {}, weak) : h("strong", {}, strong);
}
