// The keyboard on a sentence. All keys act only while the focus is in the editor.

/** Return what a key does: [name of an act, ...arguments], or null if it is not ours. */
export function actOf(event, isRtl) {
  if (event.isComposing) return null;
  return byWord(event, isRtl) ?? withControl(event) ?? (event.ctrlKey || event.metaKey || event.altKey ? bracket(event) : plain(event, isRtl));
}

const IS_MAC = /Mac|iP(ad|hone)/.test(globalThis.navigator?.platform ?? "");

/** Words are stepped over as everywhere: with Ctrl, on a Mac with Option. */
function byWord({ key, ctrlKey, metaKey, altKey, shiftKey }, isRtl) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (!step || metaKey || !(IS_MAC ? altKey : ctrlKey && !altKey)) return null;
  return ["word", isRtl ? -step : step, shiftKey];
}

function withControl({ ctrlKey, metaKey, shiftKey, altKey, key }) {
  if (!(ctrlKey || metaKey) || altKey) return null;
  const name = key.toLowerCase();
  if (name === "z") return [shiftKey ? "redo" : "undo"];
  return name === "y" && !shiftKey ? ["redo"] : null;
}

function plain(event, isRtl) {
  const { key, shiftKey } = event;
  const forward = isRtl ? -1 : 1;
  const acts = {
    ArrowRight: ["move", forward, shiftKey], ArrowLeft: ["move", -forward, shiftKey],
    ArrowDown: ["line", 1, shiftKey], ArrowUp: ["line", -1, shiftKey],
    Home: ["move", -Infinity, shiftKey], End: ["move", Infinity, shiftKey],
    Delete: ["remove"], Backspace: ["remove"], Escape: ["escape"], " ": ["tap"], "/": ["palette"], "?": ["help"],
    n: ["run", 1], N: ["reach"], p: ["run", -1], u: ["doubt"],
  };
  return acts[key] ?? digit(event) ?? bracket(event);
}

function digit({ key, code, shiftKey }) {
  // Where digits need Shift (French keyboards), the place of the key counts.
  const found = /^[1-9]$/.test(key) ? key : shiftKey ? null : /^Digit([1-9])$/.exec(code)?.[1];
  return found ? ["digit", found] : null;
}

/** [ and ] move the end of a span, with Shift its start; by place where a keyboard has other signs there. */
function bracket({ key, code, shiftKey, ctrlKey, metaKey, altKey }) {
  if (key === "[" || key === "]") return ["nudge", "end", key === "[" ? -1 : 1];
  if (key === "{" || key === "}") return ["nudge", "start", key === "{" ? -1 : 1];
  if (ctrlKey || metaKey || altKey || !/^Bracket(Left|Right)$/.test(code)) return null;
  return ["nudge", shiftKey ? "start" : "end", code === "BracketLeft" ? -1 : 1];
}
