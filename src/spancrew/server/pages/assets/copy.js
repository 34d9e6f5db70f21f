// Copies a text for the clipboard.

import { h, say } from "./dom.js";
import { t } from "./words.js";

/** Return a button that copies a text and says so. */
export function copyButton(text, label = t("shared.copy"), properties = {}) {
  const button = h("button", { type: "button", class: "small", ...properties }, label);
  button.addEventListener("click", async () => {
    await copied(text, button.parentElement);
    button.textContent = t("shared.copied");
    say(t("shared.copied"));
    setTimeout(() => (button.textContent = label), 2000);
  });
  return button;
}

// Browsers without a clipboard for us (plain http) get the old way, beside the button: a dialog bars all else.
async function copied(text, place) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h("textarea", { class: "sr-only", "aria-hidden": "true", tabindex: "-1" });
    field.value = text;
    place.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}
