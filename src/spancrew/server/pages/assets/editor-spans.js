// Spans as values: sorted by start, never overlapping, never changed in place.

const apart = (one, other) => one.end <= other.start || one.start >= other.end;
const sorted = (spans) => [...spans].sort((one, other) => one.start - other.start);

/** Return spans that fit a sentence: in order, within it, and of two that overlap only the first. */
export function fitted(spans, size) {
  const kept = [];
  for (const { start, end, label } of sorted(spans)) {
    const isIn = start >= 0 && start < end && end <= size;
    if (isIn && start >= (kept.at(-1)?.end ?? 0)) kept.push({ start, end, label });
  }
  return kept;
}

/** Return the span on a token, or null. */
export const spanAt = (spans, token) => spans.find(({ start, end }) => start <= token && token < end) ?? null;

/** Return the spans with one more, which takes the place of all that it overlaps. */
export const put = (spans, span) => sorted([...spans.filter((other) => apart(span, other)), span]);

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

/** Tell whether two lists of spans are the same. */
export function same(ones, others) {
  return ones.length === others.length && ones.every((one, k) =>
    one.start === others[k].start && one.end === others[k].end && one.label === others[k].label);
}
