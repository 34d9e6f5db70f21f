// The sentences of a campaign: search, filters and pages in the address, so that every view is a link.

import { callHere } from "./api.js";
import { $, h, notice } from "./dom.js";
import { marked } from "./marks.js";
import { letAdd } from "./sentences-add.js";
import { chipsOf } from "./sentence-chips.js";
import { number, t } from "./words.js";

const form = $("#filter");
const CHOICES = ["text", "state", "by", "label", "worker", "doubt", "audit", "sort", "disputed", "corrected"];
let asked = 0; // answers to earlier questions come too late
let typing = 0;

const here = () => new URLSearchParams(location.search);

function told(error) {
  $("#problem").replaceChildren(error ? notice("bad", error.text ?? String(error)) : "");
}

/** Put what the address says into the form. */
function fill() {
  const wanted = here();
  for (const name of CHOICES) {
    const field = form.elements[name];
    if (!field) continue;
    if (field.type === "checkbox") field.checked = wanted.get(name) === "true";
    else if (field !== document.activeElement) field.value = wanted.get(name) ?? "";
  }
}

/** Go to what the form says; typing changes the address in place. */
function choose(isTyping = false) {
  const wanted = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim() !== ""));
  const address = `${location.pathname}?${wanted}`;
  if (isTyping) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  show();
}

async function show() {
  const turn = ++asked;
  const wanted = here();
  const isOne = wanted.has("sentence");
  $("#list").hidden = isOne;
  $("#one").hidden = !isOne;
  try {
    if (isOne) {
      const { Sentence } = await import("./sentence-one.js");
      const found = await callHere("GET", `/sentences/${wanted.get("sentence")}`);
      if (turn === asked) new Sentence($("#one"), found, { again: show, told });
    } else {
      fill();
      const found = await callHere("GET", `/sentences?${wanted}`);
      if (turn === asked) list(found);
    }
    if (turn === asked) told(null);
  } catch (error) {
    if (turn === asked) told(error);
  }
}

function list({ sentences, total, page, size, labels_offered: labels }) {
  offer(labels);
  $("#count").textContent = t("sentences.found", { n: total, count: number(total) });
  $("#found").replaceChildren(...sentences.map((hit) => row(hit, labels)));
  const last = Math.max(0, Math.ceil(total / size) - 1);
  $("#pages").hidden = last === 0;
  $("#where").textContent = t("sentences.page", { n: number(page + 1), all: number(last + 1) });
  for (const [id, to] of [["before", page - 1], ["after", page + 1]]) {
    const isOn = to >= 0 && to <= last;
    $(`#${id}`).setAttribute("aria-disabled", String(!isOn));
    $(`#${id}`).onclick = () => isOn && turnTo(to);
  }
}

function row(hit, labels) {
  const address = `${location.pathname}?sentence=${hit.number}`;
  const link = h("a", { href: address, class: "name", dir: "auto" }, hit.sentence.id);
  return h("li", { class: "card" }, link, h("div", { class: "chips" }, ...chipsOf(hit)),
    marked(hit.sentence, hit.labels, labels, { compact: true }));
}

function turnTo(page) {
  const wanted = here();
  wanted.set("page", String(page));
  history.pushState(null, "", `${location.pathname}?${wanted}`);
  show();
  scrollTo(0, 0);
}

/** Let people choose from the labels of the plan, once they are known. */
function offer(labels) {
  const { label: field } = form.elements;
  if (field.options.length > 1) return;
  field.append(...labels.map((label) => h("option", { value: label }, label)));
  field.value = here().get("label") ?? "";
}

form.addEventListener("change", (event) => event.target.name !== "text" && form.reportValidity() && choose());
form.addEventListener("submit", (event) => (event.preventDefault(), choose()));
form.elements.text.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => choose(true), 250);
});
addEventListener("popstate", show);
if ($("#add")) letAdd($("#add"), show);
show();
