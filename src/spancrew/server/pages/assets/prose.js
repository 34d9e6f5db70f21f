// Instructions with light marks: blank line, "- " list, "# " heading, **bold**. Nothing in them is ever HTML.

import { h } from "./dom.js";

const inline = (text) => text.split(/\*\*(.+?)\*\*/).map((part, k) => (k % 2 ? h("strong", {}, part) : part));

function lines(group) {
  return group.flatMap((line, k) => [k ? h("br") : null, ...inline(line)]);
}

function block(kind, group) {
  if (kind === "heading") return h("h3", { dir: "auto" }, ...inline(group[0]));
  if (kind === "list") return h("ul", { dir: "auto" }, group.map((line) => h("li", {}, ...inline(line))));
  return h("p", { dir: "auto" }, ...lines(group));
}

function kindOf(line) {
  if (line.startsWith("# ")) return ["heading", line.slice(2)];
  if (line.startsWith("- ")) return ["list", line.slice(2)];
  return line.trim() ? ["text", line] : ["", ""];
}

/** Return an element with a text of light marks. */
export function prose(text) {
  const groups = [];
  for (const line of text.split(/\r?\n/)) {
    const [kind, rest] = kindOf(line);
    const last = groups.at(-1);
    if (last?.kind === kind && kind !== "heading") last.group.push(rest);
    else groups.push({ kind, group: [rest] });
  }
  const blocks = groups.filter(({ kind }) => kind).map(({ kind, group }) => block(kind, group));
  return h("div", { class: "prose stack" }, blocks);
}
