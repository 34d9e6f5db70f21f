// Name and password.

import { call } from "./api.js";
import { $, notice } from "./dom.js";
import { t } from "./words.js";

/** Return where to go afterwards: a page of ours that was asked for, else the start. */
function aim() {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  return /^\/[a-z0-9/-]*$/.test(next) && !next.startsWith("//") ? next : "/";
}

$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  $("#problem").replaceChildren();
  try {
    await call("POST", "/session", { name: form.get("name"), password: form.get("password") });
    location.replace(aim());
  } catch (error) {
    const text = error.status === 401 ? t("enter.wrong") : error.text;
    $("#problem").replaceChildren(notice("bad", text));
  }
});
