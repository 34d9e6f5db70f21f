// A call of the API whose answer comes as lines of JSON.

import { ApiError } from "./api.js";

/** Send a form; `onLine` gets each line as it comes. The last one is returned. */
export async function callLines(path, body, onLine, signal) {
  const headers = { "X-CSRF-Token": document.querySelector("meta[name=csrf]")?.content ?? "" };
  try {
    const answer = await fetch(`/api/v1${path}`, { method: "POST", headers, body, signal });
    if (!answer.ok) throw await refusal(answer);
    return await readLines(answer.body, onLine);
  } catch (error) {
    if (error.name === "AbortError" || error instanceof ApiError) throw error;
    throw new ApiError(0, { code: "offline", message: String(error) });
  }
}

async function refusal(answer) {
  const told = await answer.json().catch(() => ({}));
  return new ApiError(answer.status, told.error ?? { code: "internal", message: answer.statusText });
}

async function readLines(body, onLine) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let last = {};
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    for (const line of lines) onLine((last = JSON.parse(line)));
    if (done) break;
  }
  if (last.error) throw new ApiError(503, last.error);
  if (!last.forecast && !last.plan) throw new ApiError(0, { code: "offline", message: "the answer ended early" });
  return last;
}
