// To delete a campaign, its name has to be typed.

import { call } from "./api.js";
import { $, notice } from "./dom.js";
import { t } from "./words.js";

const dialog = $("#delete");
const form = $("form", dialog);
const input = $("input", form);
const button = $("button.danger", form);
const same = (one, other) => one.trim().normalize() === other.trim().normalize();
let doomed = { name: "" };
let then = () => {};

/** Ask whether a campaign is to go; `done` is called once it is gone. */
export function askToDelete(campaign, done) {
  doomed = campaign;
  then = done;
  $("#delete-what").textContent = t("campaigns.delete_what", { name: campaign.name });
  $(".problem", form).replaceChildren();
  input.value = "";
  button.disabled = true;
  dialog.showModal();
  input.focus();
}

input.addEventListener("input", () => (button.disabled = !same(input.value, doomed.name)));
$("[data-close]", dialog).addEventListener("click", () => dialog.close());
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!same(input.value, doomed.name)) return;
  button.disabled = true;
  try {
    await call("DELETE", `/campaigns/${doomed.id}`);
    dialog.close();
    then();
  } catch (error) {
    button.disabled = false;
    $(".problem", form).replaceChildren(notice("bad", error.text));
  }
});
