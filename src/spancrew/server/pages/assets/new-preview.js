// What is in the data: numbers, the first sentences with their tokens and spans, and repairs.

import { h } from "./dom.js";
import { marked } from "./marks.js";
import { number, t } from "./words.js";

/** Return the elements of a preview. */
export function preview(found, isOwn) {
  const labels = found.labels.map(({ name }) => name);
  return [
    h("dl", { class: "tiles" },
      tile("sentences", number(found.sentences), t("new.tokens", { n: found.tokens, count: number(found.tokens) })),
      tile("found_labels", labels.length ? number(labels.length) : t("new.no_labels"), shortened(labels)),
      tile("gold_count", goldOf(found)),
      tile("answers_count", found.answers ? number(found.answers) : t("new.gold_none"), workersOf(found))),
    h("div", { class: "examples" }, h("h3", {}, t("new.examples")), found.examples.map((each) => example(each, labels))),
    isOwn ? h("p", { class: "quiet small" }, t("new.read_as", { format: found.format })) : "",
    found.repaired ? repairs(found) : "",
  ];
}

function example({ sentence, spans, answers }, labels) {
  const shown = (those) => marked(sentence, those, labels, { compact: true, tokens: true });
  if (spans || !answers.length) return shown(spans ?? []);
  return h("div", { class: "example" }, answers.map((answer) =>
    h("div", { class: "answer" }, h("span", { class: "quiet small who", dir: "auto" }, answer.worker), shown(answer.spans))));
}

function tile(name, value, more = "") {
  return h("div", {}, h("dt", {}, t(`new.${name}`)), h("dd", { class: "big" }, value),
    more && h("dd", { class: "quiet small" }, more));
}

const shortened = (labels) => (labels.length > 6 ? `${labels.slice(0, 6).join(", ")} …` : labels.join(", "));

function goldOf({ gold, sentences }) {
  if (!gold) return t("new.gold_none");
  return gold === sentences ? t("new.gold_all") : number(gold);
}

const workersOf = ({ answers, workers }) =>
  answers ? t("new.by_workers", { n: workers, count: number(workers) }) : "";

function repairs({ repairs: shown, repaired }) {
  const rest = repaired - shown.length;
  return h("details", {}, h("summary", {}, t("new.repairs", { n: repaired, count: number(repaired) })),
    h("ul", { class: "small" }, shown.map(({ place, what }) => h("li", {}, `${place}: ${what}`)),
      rest > 0 && h("li", {}, t("new.repairs_rest", { count: number(rest) }))));
}
