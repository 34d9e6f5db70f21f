// What the last answer taught: whose score moved.

import { $, h } from "./dom.js";
import { figure } from "./expert-why.js";
import { t } from "./words.js";

const MOST = 12;
const SIGNS = { up: "▲", down: "▼", same: "=", new: "" };

/** Show what an answer taught, and return it in words for those who cannot see it. */
export function showTaught(taught, { isAgain, text }) {
  const lines = taught.slice(0, MOST).map(line);
  const more = taught.length - lines.length;
  const nobody = t(isAgain ? "expert.taught_again" : "expert.taught_nobody");
  const panel = $("#taught");
  panel.replaceChildren(...[$("#taught-title"),
    h("p", { class: "queued-text small quiet", dir: "auto" }, text),
    lines.length ? h("ul", { class: "lessons" }, lines.map(({ element }) => element)) : h("p", { class: "small quiet" }, nobody),
    more > 0 && h("p", { class: "small quiet" }, t("expert.taught_more", { n: more }))].filter(Boolean));
  panel.hidden = false;
  return lines.length ? lines.map(({ words }) => words).join(". ") : nobody;
}

function line({ worker, initials, reward, before, after, counted }) {
  const who = initials === worker ? worker : `${initials} (${worker})`;
  const kind = kindOf({ reward, before, after, counted });
  const shown = (value) => (value === null ? t("expert.new") : figure(value));
  const values = { reward: shown(reward), before: shown(before), after: shown(after) };
  const what = t(`expert.taught_${kind}`, values);
  const words = t("expert.taught_line", { who, what });
  const element = h("li", { class: `lesson ${kind}` },
    h("span", { class: "initials", "aria-hidden": "true", title: worker }, initials),
    h("span", { class: "lesson-figures", "aria-hidden": "true" }, ...(kind in SIGNS ? figures(kind, values) : [what])),
    h("span", { class: "sr-only" }, words));
  return { element, words };
}

function kindOf({ reward, before, after, counted }) {
  if (reward === null) return "nothing";
  if (!counted) return "later";
  if (before === null) return "new";
  return after > before ? "up" : after < before ? "down" : "same";
}

function figures(kind, { before, after }) {
  return [`${before} → `, h("strong", {}, after), " ", h("span", { class: "sign" }, SIGNS[kind])];
}
