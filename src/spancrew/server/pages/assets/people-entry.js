// The way in for the workers of a crowd platform.

import { callHere } from "./api.js";
import { $, h, notice } from "./dom.js";
import { copyButton } from "./copy.js";
import { whole } from "./people-links.js";
import { t } from "./words.js";

const SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd";
const PARAMETERS = ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"];

/** Return what goes into the study: the address with what Prolific fills in, or a question for MTurk. */
function pasted({ platform, url: path }) {
  const url = whole(path);
  if (platform === "prolific") return `${url}?${PARAMETERS.map((name) => `${name}={{%${name}%}}`).join("&")}`;
  return `<ExternalQuestion xmlns="${SCHEMA}"><ExternalURL>${url}</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>`;
}

/** Show the way in that there is, if any. */
export function showEntry(entry) {
  const form = $("#platform");
  $("#entry").hidden = !entry;
  $("#open-entry").textContent = t(entry ? "people.change" : "people.open");
  if (!entry) return;
  for (const name of ["platform", "completion_code", "completion_url"]) form.elements[name].value = entry[name] ?? "";
  const text = pasted(entry);
  const field = h("input", { class: "link-url", readonly: true, value: text, "aria-label": t("people.address") });
  field.addEventListener("focus", () => field.select());
  $("#entry").replaceChildren(
    h("p", {}, t(`people.paste_${entry.platform}`)),
    h("div", { class: "row nowrap" }, field, copyButton(text, t("shared.copy"), { "aria-label": t("people.copy_address") })),
  );
}

/** Let the form open or change the way in. */
export function letOpen() {
  $("#platform").addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    const body = { platform: given.platform, completion_code: given.completion_code || null, completion_url: given.completion_url || null };
    try {
      showEntry(await callHere("PUT", "/entry", body));
      $(".platform-problem").replaceChildren(notice("good", t("people.opened")));
    } catch (error) {
      $(".platform-problem").replaceChildren(notice("bad", error.text));
    }
  });
}
