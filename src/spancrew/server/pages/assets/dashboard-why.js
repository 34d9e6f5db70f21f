// "Why did this worker get this sentence?", in plain words.

import { callHere } from "./api.js";
import { moment } from "./chart.js";
import { called } from "./dashboard-tell.js";
import { h } from "./dom.js";
import { number, t } from "./words.js";

const say = (name, values) => t(`dashboard.why_${name}`, values);

/** Open a dialog that tells why an assignment was made. */
export async function why(assignment, names) {
  const story = await callHere("GET", `/assignments/${assignment}`);
  const who = called(story.worker.slice(1), names);
  const close = h(
    "button",
    { type: "button", class: "primary", on: { click: () => dialog.close() } },
    t("shared.close"),
  );
  const reasons = h("ul", {}, told(story, who).map((text) => h("li", {}, text)));
  const facts = h(
    "p",
    { class: "quiet small" },
    say("facts", { number: number(assignment), at: moment(story.at, 86401), state: say(`state_${story.state}`) }),
  );
  const title = h("h2", { id: "why-title", dir: "auto" }, say("title", { who, what: story.sentence }));
  const dialog = h(
    "dialog",
    { "aria-labelledby": "why-title" },
    h("div", { class: "stack" }, title, reasons, facts, h("div", { class: "row" }, close)),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function told({ purpose, reason }, who) {
  const scored = Math.round(reason.scored);
  const values = { who, n: scored, count: number(scored), score: reason.mean?.toFixed(2) };
  const standing = scored ? say("score", values) : say("no_score", values);
  if (purpose !== "crew") return [say(purpose === "gold" ? "gold" : "warm_up", values), standing];
  const { rank, crew, step, seat, group } = reason;
  const crewed = rank == null ? say("stand_in", { who, crew }) : say("rank", { who, rank, crew, step });
  const place = seat == null ? say("group", { group: group ?? "–" }) : say("seat", { seat, crew });
  return [crewed, standing, place];
}
