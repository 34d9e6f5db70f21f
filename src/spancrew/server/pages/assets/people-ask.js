// Asks before something is done that cannot be undone, and copies text.

import { $, h, say } from "./dom.js";
import { t } from "./words.js";

/** Ask whether something is to be done; `name` is that of its words. Return whether it is. */
export function asked(name, who, isDanger = true) {
  const dialog = $("#ask");
  const yes = h("button", { value: "yes", class: isDanger ? "danger" : "primary" }, t(`people.ask_${name}_yes`));
  dialog.replaceChildren(
    h(
      "form",
      { method: "dialog", class: "stack" },
      h("h2", { id: "ask-title", dir: "auto" }, t(`people.ask_${name}`, { who })),
      h("p", {}, t(`people.ask_${name}_more`)),
      h("div", { class: "row" }, yes, h("button", { value: "", class: "plain" }, t("shared.cancel"))),
    ),
  );
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    const close = () => {
      dialog.replaceChildren();
      resolve(dialog.returnValue === "yes");
    };
    dialog.addEventListener("close", close, { once: true });
  });
}

/** Return a button that copies a text and says so. */
export function copyButton(text, label = t("shared.copy"), properties = {}) {
  const button = h("button", { type: "button", class: "small", ...properties }, label);
  button.addEventListener("click", async () => {
    await copied(text);
    button.textContent = t("shared.copied");
    say(t("shared.copied"));
    setTimeout(() => (button.textContent = label), 2000);
  });
  return button;
}

/** Browsers without a clipboard for us (plain http) get the old way. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h("textarea", { class: "sr-only", "aria-hidden": "true", tabindex: "-1" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}
