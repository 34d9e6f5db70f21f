// The second factor of an admin: codes of an authenticator app.

import { call } from "./api.js";
import { copyButton } from "./copy.js";
import { $, h, notice } from "./dom.js";
import { t } from "./words.js";

const form = $("#factor");
const problem = () => $("#factor ~ .problem");
let secret = null; // of the factor that is being set; null while one is being ended

/** Let the buttons begin and end the second factor. */
export function secondFactor() {
  $("#factor-begin").addEventListener("click", () => attempt(begin));
  $("#factor-end").addEventListener("click", () => ask(null));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(confirm);
  });
}

async function begin() {
  const made = await call("POST", "/me/second-factor");
  $("#factor-new").replaceChildren(
    h("div", { class: "notice good secret" }, h("p", {}, t("campaigns.factor_shown")), h("code", {}, made.secret),
      h("div", { class: "row" }, copyButton(made.secret), h("a", { href: made.url }, t("campaigns.factor_open")))),
  );
  ask(made.secret);
}

function ask(wanted) {
  secret = wanted;
  form.hidden = false;
  $("#factor-password").hidden = !wanted;
  form.elements.code.focus();
}

async function confirm() {
  const { code, password } = Object.fromEntries(new FormData(form));
  if (secret) await call("PUT", "/me/second-factor", { secret, code, password });
  else await call("DELETE", "/me/second-factor", { code });
  form.reset();
  form.hidden = true;
  $("#factor-new").replaceChildren();
  problem().replaceChildren(notice("good", t(secret ? "campaigns.factor_on" : "campaigns.factor_off")));
}

async function attempt(work) {
  problem().replaceChildren();
  try {
    await work();
  } catch (error) {
    problem().replaceChildren(notice("bad", error.text));
  }
}
