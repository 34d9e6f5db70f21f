// Name and password, and a code for those who have a second factor.

import { aim } from "./aim.js";
import { call } from "./api.js";
import { $, notice } from "./dom.js";
import { t } from "./words.js";

$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  $("#problem").replaceChildren();
  try {
    const code = form.get("code") || null;
    await call("POST", "/session", { name: form.get("name"), password: form.get("password"), code });
    location.replace(aim());
  } catch (error) {
    if (error.code === "second_factor") askForCode();
    $("#problem").replaceChildren(notice("bad", why(error)));
  }
});

function askForCode() {
  $("#code").hidden = false;
  $("#code input").value = "";
  $("#code input").focus();
}

function why({ code, status, text }) {
  if (code === "second_factor") return t("enter.code_needed");
  return status === 401 ? t("enter.wrong") : text;
}

const PROBLEMS = { team: "enter.team_failed", stranger: "enter.team_stranger" };
const problem = PROBLEMS[new URLSearchParams(location.search).get("problem")];
if (problem) $("#problem").replaceChildren(notice("bad", t(problem)));
if (aim() !== "/") $("#team")?.setAttribute("href", `/sign-in/team?next=${aim()}`);
