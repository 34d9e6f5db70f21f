// An event of the journal in plain words.

import { money, number, t } from "./words.js";

const figure = (value) => (value == null ? "–" : value.toFixed(2));

/** Return what a worker is called: name and pseudonym. */
export function called(worker, names) {
  const id = `w${worker}`;
  return names.has(id) ? `${names.get(id)} (${id})` : id;
}

const say = (name, values) => t(`dashboard.event_${name}`, values);

// By kind: the words, then the groups it belongs to, then how it looks.
const KINDS = {
  Opened: ({ body }) => [say("opened", { n: body.sentences, count: number(body.sentences) }), ["decisions"]],
  Started: () => [say("started"), ["decisions"]],
  Paused: () => [say("paused"), ["decisions"]],
  Finished: () => [say("finished"), ["decisions"]],
  BudgetSet: ({ body }) => [
    body.budget === null ? say("no_budget") : say("budget", { money: money(body.budget) }),
    ["decisions"],
  ],
  RuleSet: ({ body }) => [say("rule", { rule: body.feedback }), ["decisions"]],
  Joined: ({ who }) => [say("joined", { who }), ["people"]],
  Halted: ({ who, body }) => [
    body.banned ? say("banned", { who, reason: body.reason || "–" }) : say("halted", { who }),
    ["people", "trouble"],
    "warn",
  ],
  Readmitted: ({ who }) => [say("readmitted", { who }), ["people"]],
  CapSet: ({ who, body }) => [
    body.cap === null ? say("no_cap", { who }) : say("cap", { who, n: body.cap }),
    ["people"],
  ],
  CrewChosen: ({ body }) => [say("crew", { n: body.crew.length, available: number(body.available) }), ["people"]],
  Assigned: ({ who, what, body }) => [
    say(body.purpose === "crew" ? "assigned" : body.purpose === "gold" ? "checked" : "warm_up", { who, what }),
    ["people"],
  ],
  Begun: ({ what }) => [say("begun", { what }), ["decisions"]],
  Recalled: ({ who, what }) => [say("recalled", { who, what }), ["people"]],
  Extended: ({ who, what }) => [say("extended", { who, what }), ["people"]],
  Expired: ({ who, what }) => [say("expired", { who, what }), ["people", "trouble"], "warn"],
  Skipped: ({ who, what, body }) => [
    say("skipped", { who, what, reason: body.reason || "–" }),
    ["people", "trouble"],
    "warn",
  ],
  Returned: ({ who, what }) => [say("returned", { who, what }), ["people", "trouble"], "warn"],
  Answered: ({ who, what, body }) => {
    if (body.late) return [say("late", { who, what }), ["people", "trouble"], "warn"];
    return [say("answered", { who, what }), ["people"]];
  },
  Judged: (event) => [judged(event), ["decisions"], event.body.outcome],
  Claimed: ({ what, body }) => [say("claimed", { expert: body.expert, what }), ["people"]],
  ExpertAnswered: ({ what, body }) => [
    say("expert_answered", { expert: body.expert, what }),
    ["people", "decisions"],
    "expert",
  ],
  AuditDrawn: ({ what }) => [say("audit_drawn", { what }), ["decisions"], "expert"],
  Audited: ({ what }) => [say("audited", { what }), ["decisions"], "expert"],
  Reanswered: ({ who, what }) => [say("reanswered", { who, what }), ["people"]],
  Reopened: ({ what }) => [say("reopened", { what }), ["decisions"], "expert"],
  Corrected: ({ what }) => [say("corrected", { what }), ["decisions"], "expert"],
  Settled: ({ what, body }) => [say(`settled_${body.by}`, { what }), ["decisions"], body.by],
  Scored: ({ who, what, body }) => [say("scored", { who, what, score: figure(body.reward) }), ["people"]],
  StepEnded: ({ body }) => [say("step", { n: body.step }), ["decisions"]],
  Fitted: ({ body }) => [say("fitted", { n: body.seen, count: number(body.seen) }), ["decisions"]],
};

function judged({ what, body }) {
  if (body.outcome === "more") return say("more", { what });
  const isAgreement = body.reason !== null && body.reason !== body.errors;
  const values = { what, agreement: figure(body.reason), errors: figure(body.errors) };
  const by = body.reason === null ? "" : isAgreement ? "_agreement" : "_errors";
  return say(`${body.outcome}${by}`, values);
}

/** Return words, groups and tone of an event. */
export function describe(event, names) {
  const worker = event.body.worker ?? event.of?.worker;
  const sentence = event.sentence ?? event.of?.sentence;
  const who = worker === undefined ? t("dashboard.somebody") : called(worker, names);
  const what = sentence ?? t("dashboard.some_sentence");
  const tell = KINDS[event.kind] ?? (() => [event.kind, []]);
  const [text, groups, tone = ""] = tell({ body: event.body, who, what });
  return { text, groups, tone };
}
