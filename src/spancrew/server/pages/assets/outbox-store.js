// Where answers wait until they are sent: the browser's own storage, which survives a reload and is shared by tabs.

const memory = new Map();

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Values under a prefix. Where the browser keeps nothing (full, or forbidden), they last as long as the page. */
export class Store {
  constructor(prefix) {
    this.prefix = prefix;
  }

  /** Keep a value; tell whether it survives a reload. */
  put(name, value) {
    try {
      localStorage.setItem(this.prefix + name, JSON.stringify(value));
      return true;
    } catch {
      memory.set(this.prefix + name, value);
      return false;
    }
  }

  get(name) {
    return read(this.prefix + name) ?? memory.get(this.prefix + name) ?? null;
  }

  remove(name) {
    memory.delete(this.prefix + name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      // Nothing was kept, so there is nothing to remove.
    }
  }

  /** Return the names of all values. */
  get names() {
    let kept = [];
    try {
      kept = Object.keys(localStorage);
    } catch {
      // Only the memory is left.
    }
    const own = [...kept, ...memory.keys()].filter((key) => key.startsWith(this.prefix));
    return [...new Set(own)].map((key) => key.slice(this.prefix.length));
  }
}
