// The account of an admin: name and password to come back with, tokens for programs.

import { call } from "./api.js";
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

function tokenRow({ id, name, created_at: at }) {
  const revoke = h("button", {
    type: "button", class: "plain small", "aria-label": t("campaigns.token_revoke_one", { name }),
    on: { click: () => change(() => call("DELETE", `/tokens/${id}`)) },
  }, t("campaigns.token_revoke"));
  const since = t("campaigns.token_since", { date: dates.format(at * 1000) });
  return h("li", {}, h("span", {}, name ?? "–", " ", h("span", { class: "quiet small" }, since)), revoke);
}

async function makeToken(event) {
  event.preventDefault();
  const input = event.target.elements.name;
  await change(async () => {
    const made = await call("POST", "/tokens", { name: input.value });
    input.value = "";
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
