// Where the keyboard can go in one step: words, and runs of words that are likely to be a span.
//
// Where a language has capitals, a run is capitalised words side by side, with small words between two of them
// ("Bank of England"); else it is what stands between two signs of punctuation.

const SIGN = /^[^\p{L}\p{N}]+$/u;
const CAPITAL = /^[^\p{L}\p{N}]*\p{Lu}/u;
const JOINS = /^(of|de|du|des|von|van|der|di|da|del|of the|de la|de los|von der|van der)$/u;
const ARTICLE = /^(the|a|an|der|die|das|le|la|les|el|los)$/iu;
const CASED = /\p{Lu}|\p{Ll}/u;

/** Return the words of a sentence as ranges of tokens, in order; where spaces do not part them, the browser knows them. */
export function wordsOf({ text, tokens }, language) {
  const own = tokens.map((_, k) => ({ start: k, end: k + 1 }));
  const touching = tokens.filter(([start], k) => k && start === tokens[k - 1][1]).length;
  if (touching * 2 < tokens.length || !globalThis.Intl?.Segmenter) return own;
  const found = [];
  let [at, k] = [0, 0];
  for (const { segment } of new Intl.Segmenter(language, { granularity: "word" }).segment(text)) {
    at += Array.from(segment).length;
    const start = k;
    while (k < tokens.length && tokens[k][0] < at) k += 1;
    if (k > start) found.push({ start, end: k });
  }
  return found;
}

/** Return the runs of a sentence, in order; `texts` are its tokens. */
export function runsOf(texts) {
  const isCased = texts.filter((text) => CASED.test(text)).length * 2 >= texts.filter((text) => !SIGN.test(text)).length;
  return isCased ? capitals(texts) : clauses(texts);
}

function capitals(texts) {
  const runs = [];
  texts.forEach((text, k) => {
    // An article at the start of a sentence is as a rule not a name, nor a part of one.
    if (!CAPITAL.test(text) || (ARTICLE.test(text) && runs.at(-1)?.end !== k)) return;
    const last = runs.at(-1);
    if (last && (last.end === k || JOINS.test(texts.slice(last.end, k).join(" ")))) last.end = k + 1;
    else runs.push({ start: k, end: k + 1 });
  });
  return runs;
}

function clauses(texts) {
  const runs = [];
  texts.forEach((text, k) => {
    if (SIGN.test(text)) return;
    const last = runs.at(-1);
    if (last?.end === k) last.end = k + 1;
    else runs.push({ start: k, end: k + 1 });
  });
  return runs;
}
