// The account of an admin: name and password to come back with, a second factor, tokens for programs.

import { call } from "./api.js";
import { secondFactor } from "./campaigns-factor.js";
import { copyButton } from "./copy.js";
import { $, h, notice } from "./dom.js";
import { language, t } from "./words.js";

const SHORTEST = 12;
const dialog = $("#account");
const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/** Let the buttons of the page open the account. */
export function account() {
  for (const id of ["#account-open", "#set-password"]) $(id)?.addEventListener("click", open);
  $("[data-close]", dialog).addEventListener("click", () => dialog.close());
  $("#password").addEventListener("submit", savePassword);
  $("#token").addEventListener("submit", makeToken);
  secondFactor();
}

function open() {
  dialog.showModal();
  $("#password input[name=name]").focus();
  showTokens();
}

async function savePassword(event) {
  event.preventDefault();
  const form = event.target;
  const problem = $(".problem", form);
  const { name, old, password } = Object.fromEntries(new FormData(form));
  problem.replaceChildren();
  if (password.length < SHORTEST) {
    problem.replaceChildren(notice("bad", t("campaigns.password_short")));
    return;
  }
  try {
    await call("PUT", "/me/password", { name, password, old: old || null });
    await showTokens();
    $("#old").hidden = false;
    $("#no-password")?.remove();
    form.elements.old.value = form.elements.password.value = "";
    problem.replaceChildren(notice("good", t("campaigns.password_saved")));
  } catch (error) {
    const text = error.code === "old_password" ? t("campaigns.old_wrong") : error.text;
    problem.replaceChildren(notice("bad", text));
  }
}

const tokenProblem = () => $("#tokens ~ .problem");

async function showTokens() {
  try {
    const found = await call("GET", "/tokens");
    const none = h("li", { class: "quiet small" }, t("campaigns.no_tokens"));
    $("#tokens").replaceChildren(...(found.length ? found.map(tokenRow) : [none]));
  } catch (error) {
    tokenProblem().replaceChildren(notice("bad", error.text));
  }
}

function tokenRow({ id, name, scope, expires_at: end, used_at: used }) {
  const revoke = h("button", {
    type: "button", class: "plain small", "aria-label": t("campaigns.token_revoke_one", { name }),
    on: { click: () => change(() => call("DELETE", `/tokens/${id}`)) },
  }, t("campaigns.token_revoke"));
  const facts = [
    scope === "read" && t("campaigns.scope_read"),
    end && t("campaigns.token_until", { date: dates.format(end * 1000) }),
    used ? t("campaigns.token_used", { date: dates.format(used * 1000) }) : t("campaigns.token_unused"),
  ];
  return h("li", {}, h("span", {}, name ?? "–", " ", h("span", { class: "quiet small" }, facts.filter(Boolean).join(" · "))), revoke);
}

async function makeToken(event) {
  event.preventDefault();
  const { name, scope, days } = event.target.elements;
  await change(async () => {
    const made = await call("POST", "/tokens", { name: name.value, scope: scope.value, days: Number(days.value) });
    name.value = "";
    $("#token-new").replaceChildren(shown(made.token));
  });
}

function shown(token) {
  return h("div", { class: "notice good secret" }, h("p", {}, t("campaigns.token_shown")), h("code", {}, token), h("div", {}, copyButton(token)));
}

async function change(work) {
  tokenProblem().replaceChildren();
  try {
    await work();
    await showTokens();
  } catch (error) {
    tokenProblem().replaceChildren(notice("bad", error.text));
  }
}
