// All final labels as a file, and what its format cannot hold.

import { ApiError, campaign } from "./api.js";
import { h, notice } from "./dom.js";
import { number, t } from "./words.js";

/** Save the file that a form asks for, and say beside it what became of it. */
export async function download(form, note, options) {
  const given = new FormData(form);
  const query = new URLSearchParams({ format: given.get("format") });
  for (const each of Object.keys(options)) query.set(each, given.has(each));
  const answer = await fetch(`/api/v1/campaigns/${campaign}/export?${query}`).catch((error) => {
    throw new ApiError(0, { code: "offline", message: String(error) });
  });
  if (!answer.ok) throw new ApiError(answer.status, (await answer.json()).error);
  const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "labels";
  const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  const [settled, count] = (answer.headers.get("X-Spancrew-Settled") ?? "").split("/").map(Number);
  const nothing = () => notice("warn", t("dashboard.none_settled", { count: number(count) }));
  note.replaceChildren(settled === 0 ? nothing() : lossesIn(answer.headers.get("X-Spancrew-Losses")));
}

/** Return what the format cannot hold, as the server reports it. */
function lossesIn(text) {
  let losses = [];
  try {
    losses = JSON.parse(text ?? "[]");
  } catch {
    losses = [];
  }
  const words = losses.length ? t("dashboard.losses", { what: losses.join("; ") }) : t("dashboard.downloaded");
  return notice(losses.length ? "warn" : "good", words);
}
