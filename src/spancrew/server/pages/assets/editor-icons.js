// Small drawings on buttons.

const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  undo: "M7 5 3.5 8.5 7 12M4 8.5h7.5a4.5 4.5 0 0 1 0 9H8",
  redo: "M13 5l3.5 3.5L13 12M16 8.5H8.5a4.5 4.5 0 0 0 0 9H12",
  remove: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6",
  unsure: "M3 12c2-5 5-5 7 0s5 5 7 0M3 7c2-4 5-4 7 0s5 4 7 0",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.5-1.1 1-1.1 1.8M10 14.8v.2",
};

/** Return a drawing by its name; it says nothing to screen readers. */
export function icon(name) {
  const drawing = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  const attributes = { class: "icon", viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" };
  for (const [key, value] of Object.entries(attributes)) drawing.setAttribute(key, value);
  path.setAttribute("d", PATHS[name]);
  drawing.append(path);
  return drawing;
}
