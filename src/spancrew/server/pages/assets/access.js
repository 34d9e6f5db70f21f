// Who else runs campaigns here, and the tokens of everybody.

import { call } from "./api.js";
import { $, h, notice } from "./dom.js";
import { showLinks } from "./people-links.js";
import { language, t } from "./words.js";

const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const day = (seconds) => dates.format(seconds * 1000);
const isOwner = $("#admins") !== null;
const names = new Map();

async function attempt(work) {
  $("#problem").replaceChildren();
  try {
    await work();
  } catch (error) {
    $("#problem").replaceChildren(notice("bad", error.text ?? String(error)));
  }
}

async function show() {
  const [campaigns, tokens, admins] = await Promise.all([
    call("GET", "/campaigns"), call("GET", "/tokens?everyone=true"), isOwner ? call("GET", "/admins") : [],
  ]);
  for (const { id, name } of campaigns) names.set(id, name);
  const none = h("li", { class: "quiet" }, t("access.no_tokens"));
  $("#tokens").replaceChildren(...(tokens.length ? tokens.map(tokenRow) : [none]));
  if (!isOwner) return;
  $("#admins").replaceChildren(...admins.map(adminRow));
  const options = campaigns.map(({ id, name }) => h("option", { value: id }, name));
  $("#invite").elements.campaigns.replaceChildren(...options);
}

function button(label, who, work, kind = "plain small") {
  const on = { click: () => attempt(async () => { await work(); await show(); }) };
  return h("button", { type: "button", class: kind, "aria-label": `${label}: ${who}`, on }, label);
}

function adminRow({ person, email, campaigns }) {
  const who = person.name ?? person.pseudonym;
  const path = `/admins/${person.pseudonym}`;
  const theirs = campaigns ? campaigns.map((id) => names.get(id) ?? id).join(", ") || t("access.none") : t("access.owner");
  return h("li", { class: "row between" },
    h("span", {}, h("span", { class: "strong", dir: "auto" }, who), h("div", { class: "quiet small" }, [email, theirs].filter(Boolean).join(" · "))),
    h("span", { class: "row" },
      button(t("access.new_link"), who, async () => showLinks([await call("POST", `${path}/link`)])),
      button(t("access.dismiss"), who, () => call("DELETE", path))));
}

function tokenRow({ id, name, person, role, scope, campaign, expires_at: end, used_at: used }) {
  const facts = [
    `${t(`access.role_${role}`)} ${person}`,
    scope === "read" && t("access.reads"),
    campaign && (names.get(campaign) ?? campaign),
    end && t("access.until", { date: day(end) }),
    used ? t("access.used", { date: day(used) }) : t("access.unused"),
  ];
  return h("li", { class: "row between" },
    h("span", {}, h("span", { class: "strong", dir: "auto" }, name ?? "–"), h("div", { class: "quiet small" }, facts.filter(Boolean).join(" · "))),
    button(t("access.revoke"), name ?? String(id), () => call("DELETE", `/tokens/${id}`)));
}

async function invite(event) {
  event.preventDefault();
  const form = event.target;
  const chosen = [...form.elements.campaigns.selectedOptions].map((each) => each.value);
  await attempt(async () => {
    const body = { name: form.elements.name.value, email: form.elements.email.value || null, campaigns: form.elements.owner.checked ? null : chosen };
    showLinks([await call("POST", "/admins", body)]);
    form.reset();
    await show();
  });
}

$("#invite")?.addEventListener("submit", invite);
attempt(show);
