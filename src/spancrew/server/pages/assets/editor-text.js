// From the sentence on the wire to pieces of text. Borders are code points; strings of JavaScript are not.

/** Return the texts of the tokens, and of the gaps before each of them and after the last. */
export function pieces({ text, tokens }) {
  const points = Array.from(text);
  const between = (from, to) => points.slice(from, to).join("");
  const ends = [0, ...tokens.map(([, end]) => end)];
  const starts = [...tokens.map(([start]) => start), points.length];
  return {
    tokens: tokens.map(([start, end]) => between(start, end)),
    gaps: ends.map((end, k) => between(end, Math.max(end, starts[k]))),
  };
}

/** Return the text of some tokens as it stands in the sentence. */
export function covered({ text, tokens }, { start, end }) {
  return Array.from(text).slice(tokens[start][0], tokens[end - 1][1]).join("");
}

export { colour } from "./editor-legend.js";
