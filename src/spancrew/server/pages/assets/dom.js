// Small helpers to build pages without innerHTML.

/** Return the first element that a selector finds. */
export const $ = (selector, root = document) => root.querySelector(selector);

/** Make an element: properties, `data` and `on` handlers, then children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

function set(element, name, value) {
  if (value == null || value === false) return;
  if (name === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "class") element.className = value;
  else element.setAttribute(name, value === true ? "" : value);
}

/** Fetch a style that few pages need; return when it is there. */
export function styled(name) {
  return new Promise((done) => {
    const href = new URL(name, import.meta.url).href;
    document.head.append(h("link", { rel: "stylesheet", href, on: { load: done, error: done } }));
  });
}

/** Say something to those who cannot see the page. */
export function say(text) {
  const region = document.getElementById("say");
  region.textContent = "";
  requestAnimationFrame(() => (region.textContent = text));
}

/** Return a notice: kind is info, good, warn or bad. */
export function notice(kind, text, ...more) {
  return h("p", { class: `notice ${kind}` }, text, ...more);
}
