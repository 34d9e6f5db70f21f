// What the answers on a sentence have in common, and where they differ. No elements here.

import { put } from "./editor-spans.js";

/** Return a name for a span; the same span has the same. */
export const nameOf = ({ start, end, label }) => `${start}-${end}-${label}`;

/** Tell whether two spans share a token. */
export const overlap = (one, other) => one.start < other.end && other.start < one.end;

/** Tell whether a span is among others, with the same borders and label. */
export const has = (spans, span) => spans.some((other) => nameOf(other) === nameOf(span));

/** Return all spans of all answers and of the consensus, in order, each with those who marked it. */
export function votes(answers, crowd) {
  const found = new Map();
  const note = (span, given) => {
    const name = nameOf(span);
    if (!found.has(name)) found.set(name, { name, span, voters: [], isInCrowd: has(crowd, span) });
    if (given) found.get(name).voters.push(given);
  };
  for (const span of crowd) note(span, null);
  for (const given of answers) for (const span of given.spans) note(span, given);
  return grouped([...found.values()], answers.length);
}

/** Put spans that compete with each other side by side, those with the most votes first. */
function grouped(found, of) {
  const groups = [];
  for (const each of found.sort((one, other) => one.span.start - other.span.start || one.span.end - other.span.end)) {
    const last = groups.at(-1);
    if (last?.some((other) => overlap(other.span, each.span))) last.push(each);
    else groups.push([each]);
  }
  return groups.flatMap((group) => {
    group.sort((one, other) => other.voters.length - one.voters.length || other.isInCrowd - one.isInCrowd);
    return group.map((each, k) => ({
      ...each,
      isAlternative: group.slice(0, k).some((other) => overlap(other.span, each.span)),
      isDisputed: !isAgreed(each, of),
    }));
  });
}

const isAgreed = ({ voters, isInCrowd }, of) => isInCrowd && voters.length === of;

/** Return a text that is short enough for a list: of a long one the beginning and the end. */
export function shortened(text) {
  const points = Array.from(text);
  return points.length > 90 ? `${points.slice(0, 50).join("")} … ${points.slice(-30).join("")}` : text;
}

/** Return labels after a span was accepted: it takes the place of whatever it overlaps. */
export const accepted = (spans, span) => put(spans, span);

/** Return labels without a span. */
export const rejected = (spans, span) => spans.filter((other) => nameOf(other) !== nameOf(span));

/** Return the marks of one answer: its own spans and those of the consensus that it lacks, each with its kind. */
export function compared(spans, crowd) {
  const own = spans.map((span) => ({ span, kind: kindOf(span, crowd) }));
  const missing = crowd.filter((span) => !spans.some((other) => overlap(other, span)));
  return [...own, ...missing.map((span) => ({ span, kind: "missing" }))].sort((one, other) => one.span.start - other.span.start);
}

function kindOf(span, crowd) {
  if (has(crowd, span)) return "same";
  return crowd.some((other) => overlap(other, span)) ? "differs" : "extra";
}
