// Where to go after the way in.

/** Return the page of ours that was asked for, else the start. */
export function aim() {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  return /^\/[a-z0-9/-]*$/.test(next) && !next.startsWith("//") ? next : "/";
}
