// What needs a look: alerts of all campaigns and of the server, looked up once a minute.

import { call } from "./api.js";
import { h } from "./dom.js";
import { duration, knows, money, number, percent, t } from "./words.js";

const EVERY = 60000;

/** Show alerts in an element and keep them new; only those of one campaign if it is given. */
export async function showAlerts(element, campaign = null) {
  const found = await call("GET", "/alerts").catch(() => null);
  if (found) show(element, found.filter((each) => !campaign || !each.campaign || each.campaign === campaign), campaign);
  setTimeout(showAlerts, EVERY, element, campaign);
}

function show(element, alerts, campaign) {
  const told = JSON.stringify(alerts.map(({ kind, campaign: of, facts }) => [kind, of, facts]));
  if (element.dataset.told === told) return;
  element.dataset.told = told;
  if (!alerts.length) return element.replaceChildren();
  const rows = alerts.map((each) => h("li", {}, placeOf(each, campaign), textOf(each)));
  element.replaceChildren(
    h("div", { class: "notice warn stack tight" }, h("strong", {}, t("alerts.title")), h("ul", {}, rows)),
  );
}

/** Name the campaign of an alert with a link, where several are shown. */
function placeOf(alert, campaign) {
  if (campaign || !alert.campaign) return "";
  return h("span", {}, h("a", { href: `/campaigns/${alert.campaign}`, dir: "auto" }, alert.name), ": ");
}

/** Of kind budget, stalled, idle, experts, disk or backup; others come in the server's words. */
function textOf({ kind, facts, message }) {
  if (!knows(`alerts.${kind}`)) return message;
  const { share, budget, left, present, idle, waiting, queue, seconds, free } = facts;
  const counts = { left, present, idle, waiting, queue };
  const values = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, number(value)]));
  const gigabytes = number(Math.round((free ?? 0) / 1e8) / 10);
  return t(`alerts.${kind}`, {
    ...values, share: percent(share), budget: money(budget), time: duration(seconds ?? 0), free: gigabytes,
  });
}
