// Name and password.

import { aim } from "./aim.js";
import { call } from "./api.js";
import { $, notice } from "./dom.js";
import { t } from "./words.js";

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
