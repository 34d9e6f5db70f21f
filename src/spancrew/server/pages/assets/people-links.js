// Links that were just made: they are shown only now.

import { $, h, notice, say } from "./dom.js";
import { copyButton } from "./copy.js";
import { t } from "./words.js";

const made = [];

/** Return a whole address: a server that was not told its own leaves out where it is. */
export const whole = (url) => new URL(url, location.origin).href;

/** Show the links of these invitations, above those that were made before. */
export function showLinks(invitations) {
  made.unshift(...invitations.map((each) => ({ ...each, url: whole(each.url) })));
  draw();
  say(t("people.links_said", { n: invitations.length }));
  $("#links").scrollIntoView({ block: "nearest" });
}

const nameOf = ({ person }) => person.name ?? person.pseudonym;

function draw() {
  const all = made.map((each) => `${nameOf(each)}\t${each.url}`).join("\n");
  const done = h("button", { type: "button", class: "plain small", on: { click: clear } }, t("people.links_done"));
  $("#links").hidden = made.length === 0;
  $("#links").replaceChildren(
    h("h3", {}, t("people.links", { n: made.length })),
    notice("warn", t("people.links_once")),
    h("div", { class: "link-list" }, ...made.map(row)),
    h("div", { class: "row" }, made.length > 1 && copyButton(all, t("people.copy_all")), done),
  );
}

function row(invitation) {
  const who = nameOf(invitation);
  const url = h("input", { class: "link-url", readonly: true, value: invitation.url, "aria-label": t("people.link_of", { who }) });
  url.addEventListener("focus", () => url.select());
  const name = h("span", { class: "strong small", dir: "auto" }, who);
  return h("div", { class: "link" }, name, url, copyButton(invitation.url, t("shared.copy"), { "aria-label": t("people.copy_of", { who }) }));
}

function clear() {
  made.length = 0;
  draw();
}
