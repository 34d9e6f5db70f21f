// The form that invites people, one or many at once.

import { callHere } from "./api.js";
import { $, notice } from "./dom.js";
import { showLinks } from "./people-links.js";
import { t } from "./words.js";

const MOST = 100;
const namesOf = (field) => field.value.split("\n").map((line) => line.trim()).filter(Boolean);

/** Let the form invite; `after` is called when somebody was. */
export function letInvite(after) {
  const form = $("#invite");
  const { role, count, names } = form.elements;
  role.addEventListener("change", () => {
    const isModel = role.value === "models";
    names.required = isModel;
    for (const each of [$(".model-price", form), $("#model-hint")]) each.hidden = !isModel;
  });
  names.addEventListener("input", () => {
    const named = namesOf(names).length;
    if (named > count.valueAsNumber || (named > 0 && count.dataset.named)) {
      count.value = Math.min(MOST, named);
      count.dataset.named = "yes";
    }
  });
  count.addEventListener("input", () => delete count.dataset.named);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("button", form);
    button.disabled = true;
    await invite(form).catch((error) => $("#problem").replaceChildren(notice("bad", error.text)));
    button.disabled = false;
    $("#inviting").textContent = "";
    after();
  });
}

async function invite(form) {
  const { role, count, names, price } = form.elements;
  const known = namesOf(names);
  const made = [];
  $("#problem").replaceChildren();
  try {
    const isModel = role.value === "models";
    const most = isModel ? known.length : Math.max(count.valueAsNumber, known.length);
    for (let at = 0; at < most; at++) {
      $("#inviting").textContent = t("people.inviting", { n: at + 1, of: most });
      const name = known[at] ?? null;
      const body = isModel ? { model: name, price: price.valueAsNumber } : { name };
      made.push(await one(isModel ? "workers" : role.value, body));
    }
    names.value = "";
    count.value = 1;
  } finally {
    if (made.length) showLinks(made);
  }
}

/** Let a file invite all who are in it, or nobody. */
export function letInviteByFile(after) {
  const form = $("#roll");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("button", form);
    button.disabled = true;
    $("#roll-problem").replaceChildren();
    try {
      showLinks(await callHere("POST", "/invitations", new FormData(form)));
      form.reset();
    } catch (error) {
      $("#roll-problem").replaceChildren(notice("bad", error.text));
    }
    button.disabled = false;
    after();
  });
}

/** Invite one; a server that asks for a pause gets it. */
async function one(role, body) {
  try {
    return await callHere("POST", `/${role}`, body);
  } catch (error) {
    if (error.status !== 429) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.max(1, error.retryAfter)));
    return callHere("POST", `/${role}`, body);
  }
}
