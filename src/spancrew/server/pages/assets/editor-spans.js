// Spans as values: sorted by start, never overlapping, never changed in place.

const apart = (one, other) => one.end <= other.start || one.start >= other.end;
const sorted = (spans) => [...spans].sort((one, other) => one.start - other.start);

/** Return spans that fit a sentence: in order, within it, and of two that overlap only the first. */
export function fitted(spans, size) {
  const kept = [];
  for (const { start, end, label, unsure } of sorted(spans)) {
    const isIn = start >= 0 && start < end && end <= size;
    if (isIn && start >= (kept.at(-1)?.end ?? 0)) kept.push({ start, end, label, ...(unsure && { unsure }) });
  }
  return kept;
}

/** Return the span on a token, or null. */
export const spanAt = (spans, token) => spans.find(({ start, end }) => start <= token && token < end) ?? null;

/** Return the spans with one more, which takes the place of all that it overlaps. */
export const put = (spans, span) => sorted([...spans.filter((other) => apart(span, other)), span]);

/**
 * Return what a new span does to those that it overlaps. One of its own label becomes one with it, or shrinks to a part of it
 * that was selected; one of another label gives way. Those of which no single piece would be left are `lost`.
 */
export function placed(spans, given) {
  const made = { span: { ...given }, cut: [], lost: [], others: [] };
  for (const other of spans) {
    const part = apart(given, other) ? other : left(given, other);
    if (part) made.others.push(part);
    if (part && part !== other) made.cut.push(part);
    if (part || (other.start === given.start && other.end === given.end)) continue;
    if (other.label === given.label) join(made.span, given, other);
    else made.lost.push(other);
  }
  return { ...made, spans: sorted([...made.others, made.span]) };
}

/** Return the one piece of a span that is beside another one of another label; null if there is none, or two. */
function left(given, other) {
  const [before, after] = [other.start < given.start, other.end > given.end];
  if (before === after || other.label === given.label) return null;
  return before ? { ...other, end: given.start } : { ...other, start: given.end };
}

function join(span, given, other) {
  const isPart = other.start <= given.start && given.end <= other.end;
  if (isPart) return;
  span.start = Math.min(span.start, other.start);
  span.end = Math.max(span.end, other.end);
}

/** Return the spans without those that touch a range. */
export const without = (spans, range) => spans.filter((span) => apart(span, range));

/** Return the spans with a border of one moved to a token; neighbours are not pushed away. */
export function bordered(spans, span, side, token, size) {
  const others = spans.filter((other) => other.start !== span.start);
  const low = Math.max(0, ...others.filter((other) => other.end <= span.start).map((other) => other.end));
  const high = Math.min(size, ...others.filter((other) => other.start >= span.end).map((other) => other.start));
  const moved = { ...span };
  if (side === "start") moved.start = Math.min(Math.max(token, low), span.end - 1);
  else moved.end = Math.max(Math.min(token + 1, high), span.start + 1);
  return { spans: sorted([...others, moved]), span: moved };
}

/** Return spans as they are handed in: those that somebody is unsure of by their starts. */
export function answered(spans) {
  return {
    spans: spans.map(({ start, end, label }) => ({ start, end, label })),
    unsure: spans.filter(({ unsure }) => unsure).map(({ start }) => start),
  };
}

/** Return spans as they are marked, from what was handed in. */
export const remembered = (spans, unsure) => spans.map((span) => ({ ...span, unsure: unsure.includes(span.start) }));

/** Tell whether two lists of spans are the same. */
export function same(ones, others) {
  return ones.length === others.length && ones.every((one, k) =>
    one.start === others[k].start && one.end === others[k].end && one.label === others[k].label
    && Boolean(one.unsure) === Boolean(others[k].unsure));
}
