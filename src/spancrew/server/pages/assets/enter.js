// A link: its secret stands after the #, where browsers send it to nobody.

import { aim } from "./aim.js";
import { call } from "./api.js";
import { $, h, notice } from "./dom.js";
import { t } from "./words.js";

function refuse(headline, text, canRetry = false) {
  $("#headline").textContent = headline;
  const again = h("button", { type: "button", on: { click: () => location.reload() } }, t("enter.again"));
  $("#problem").replaceChildren(notice("bad", text), canRetry ? again : "");
}

async function enter() {
  const token = location.hash.slice(1);
  if (!token) {
    refuse(t("enter.no_secret"), t("enter.no_secret_more"));
    return;
  }
  try {
    await call("POST", "/session/link", { token });
    location.replace(aim());
  } catch (error) {
    if (error.status === 401) refuse(t("enter.refused"), t("enter.refused_more"));
    else refuse(t("enter.entering"), error.text, true);
  }
}

enter();
