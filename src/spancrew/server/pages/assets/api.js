// Calls of the HTTP API, and what to tell people when one is refused.

import { knows, t } from "./words.js";

const csrf = document.querySelector("meta[name=csrf]")?.content ?? "";
export const campaign = document.body.dataset.campaign ?? "";

/** A call that the server refused, or that never reached it (status 0). */
export class ApiError extends Error {
  constructor(status, { code, message, remedy, option, value, reading }, retryAfter = 0) {
    super(message);
    Object.assign(this, { status, code, remedy, option, value, reading, retryAfter });
  }

  /** Tell whether the same call may work later. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Return what would help; where the page has words for an option of the reader, those. */
  get help() {
    const name = `new.mend_${this.option}`;
    return this.option && knows(name) ? t(name, { value: this.value }) : this.remedy;
  }

  /** Return what to tell the person at the screen. */
  get text() {
    const name = `shared.error_${this.code}`;
    if (this.status === 0) return t("shared.offline");
    return knows(name) ? t(name) : [this.message, this.help].filter(Boolean).join(". ");
  }
}

/** Call the API: path after /api/v1, body as JSON or a form; return the JSON of the answer. */
export async function call(method, path, body, options = {}) {
  const isForm = body instanceof FormData;
  const headers = { "X-CSRF-Token": csrf };
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  const sent = body === undefined || isForm ? body : JSON.stringify(body);
  const answer = await reached(fetch(`/api/v1${path}`, { method, headers, body: sent, ...options }));
  if (answer.ok) return await reached(answer.json());
  const told = await answer.json().catch(() => ({}));
  const problem = told.error ?? { code: "internal", message: answer.statusText };
  throw new ApiError(answer.status, problem, Number(answer.headers.get("Retry-After")));
}

/** Call the API on the campaign of this page. */
export const callHere = (method, path, body, options) =>
  call(method, `/campaigns/${campaign}${path}`, body, options);

async function reached(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { code: "offline", message: String(error) });
  }
}
