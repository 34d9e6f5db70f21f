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

// A spreadsheet takes a cell for text, never for a formula.
const plain = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
const cell = (text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Save the links as a table, with whose they are; the mark at its beginning tells Excel that it is UTF-8. */
function download() {
  const rows = made.map(({ person, state, url }) => [person.pseudonym, person.name ?? "", state ?? "invited", url]);
  const lines = [["who", "name", "state", "link"], ...rows].map((row) => row.map(plain).map(cell).join(","));
  const file = new Blob([`\ufeff${lines.join("\r\n")}\r\n`], { type: "text/csv" });
  const link = h("a", { href: URL.createObjectURL(file), download: "links.csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const nameOf = ({ person }) => person.name ?? person.pseudonym;

function draw() {
  const all = made.map((each) => `${nameOf(each)}\t${each.url}`).join("\n");
  const done = h("button", { type: "button", class: "plain small", on: { click: clear } }, t("people.links_done"));
  const save = h("button", { type: "button", class: "small", on: { click: download } }, t("people.download_links"));
  $("#links").hidden = made.length === 0;
  $("#links").replaceChildren(
    h("h3", {}, t("people.links", { n: made.length })),
    notice("warn", t("people.links_once")),
    h("div", { class: "link-list" }, ...made.map(row)),
    h("div", { class: "row" }, made.length > 1 && copyButton(all, t("people.copy_all")), save, done),
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
