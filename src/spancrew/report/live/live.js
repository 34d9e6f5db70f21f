"use strict";
// The page is complete without this. It adds reading off values (pointer, touch, arrow keys)
// and hiding or stressing a series from the legend.
(() => {
  const start = (figure) => {
    const { by, prefix, stops } = JSON.parse(figure.querySelector("script").textContent);
    const stage = figure.querySelector(".stage");
    const card = figure.querySelector(".card");
    const title = figure.querySelector(".at");
    const entries = [...figure.querySelectorAll(".legend li")];
    const rest = [title, ...figure.querySelectorAll(".value, .around")].map((part) => [part, part?.textContent]);
    const hidden = new Set();
    let now = -1;

    const sheet = () => [...stage.querySelectorAll("svg[data-plot]")].find((svg) => svg.getClientRects().length);

    // From fractions of the plot to units of the drawing, and on to pixels of the window.
    const geometry = () => {
      const svg = sheet();
      const [left, top, width, height] = svg.dataset.plot.split(" ").map(Number);
      const box = svg.getBoundingClientRect();
      const scale = box.width / svg.viewBox.baseVal.width;
      const units = (x, y) => [left + x * width, top + (1 - y) * height];
      return { svg, box, scale, units, left, top, width, height };
    };

    const readings = (stop) => stop[3].filter(([series]) => !hidden.has(series));

    const draw = (svg, name, attributes, classes = "") => {
      const part = document.createElementNS(svg.namespaceURI, name);
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
      part.setAttribute("class", classes);
      svg.querySelector(".guide").append(part);
    };

    const clear = () => {
      now = -1;
      for (const guide of stage.querySelectorAll(".guide")) guide.replaceChildren();
      for (const [part, text] of rest) if (part) part.textContent = text;
      card.hidden = true;
    };

    const point = ([x, y], seen) => {
      const { svg, units, left, top, width, height } = geometry();
      const [across, up] = units(x, y);
      if (by === "x") draw(svg, "path", { d: `M${across} ${top}v${height}` });
      if (by === "y") draw(svg, "path", { d: `M0 ${up}H${left + width}` }, "row");
      for (const [series, place] of by === "y" ? [] : seen) {
        const [cx, cy] = units(x, place);
        const look = svg.querySelector(`[data-series="${series}"]`).getAttribute("class");
        draw(svg, "circle", { cx, cy, r: 4 }, look.replace("series", ""));
      }
    };

    const fillLegend = (stop, seen) => {
      title.textContent = prefix + stop[2];
      entries.forEach((entry, series) => {
        const [, , value = "", around = ""] = seen.find((reading) => reading[0] === series) ?? [];
        entry.querySelector(".value").textContent = value;
        entry.querySelector(".around").textContent = around;
      });
    };

    const fillCard = (stop, seen) => {
      const lines = seen.flatMap((reading) => reading.slice(2)).map((text) => Object.assign(document.createElement("span"), { textContent: text }));
      card.replaceChildren(Object.assign(document.createElement("b"), { textContent: stop[2] }), ...lines);
      card.hidden = false;
      const { box, scale, units } = geometry();
      const frame = stage.getBoundingClientRect();
      const [x, y] = units(by === "y" ? Math.max(...seen.map((reading) => reading[1])) : stop[0], stop[1]);
      const left = box.left - frame.left + x * scale + 14;
      const top = box.top - frame.top + y * scale - card.offsetHeight - 10;
      const flipped = left + card.offsetWidth > frame.width ? left - card.offsetWidth - 28 : left;
      card.style.left = `${Math.max(0, Math.min(flipped, frame.width - card.offsetWidth))}px`;
      card.style.top = `${top < 0 ? top + card.offsetHeight + 24 : top}px`;
    };

    const show = (k) => {
      if (k === now) return;
      clear();
      const stop = stops[k];
      const seen = stop ? readings(stop) : [];
      if (!seen.length) return;
      now = k;
      point(stop, seen);
      (by === "x" ? fillLegend : fillCard)(stop, seen);
      stage.setAttribute("aria-valuenow", k);
      stage.setAttribute("aria-valuetext", spoken(stop, seen));
    };

    const spoken = (stop, seen) => {
      const name = ([series]) => (by === "x" ? `${entries[series].querySelector(".name").textContent} ` : "");
      return [prefix + stop[2], ...seen.map((reading) => name(reading) + reading.slice(2).join(", "))].join("; ");
    };

    const nearest = (event) => {
      const { box, scale, units, width, height } = geometry();
      const [x0, y0] = units(0, 0);
      const x = (event.clientX - box.left) / scale - x0;
      const y = y0 - (event.clientY - box.top) / scale;
      let best = -1;
      let least = by === "xy" ? 60 : Infinity;
      stops.forEach((stop, k) => {
        const across = by === "y" ? 0 : stop[0] * width - x;
        const up = by === "x" ? 0 : stop[1] * height - y;
        const distance = Math.hypot(across, up);
        if (distance < least && readings(stop).length) [best, least] = [k, distance];
      });
      return best;
    };

    const press = (event) => {
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
      if (event.key === "Escape") clear();
      if (!(event.key in steps)) return;
      event.preventDefault();
      const from = now < 0 ? (steps[event.key] < 0 ? stops.length : -1) : now;
      show(Math.max(0, Math.min(stops.length - 1, from + steps[event.key])));
      if (by === "y") reveal();
    };

    // In a figure that scrolls, keep the row in view that the keys have reached.
    const reveal = () => {
      const rows = stage.querySelector(".rows");
      const { box, scale, height } = geometry();
      const middle = (1 - stops[now][1]) * height * scale + box.top - rows.getBoundingClientRect().top;
      const before = rows.scrollTop;
      rows.scrollTop += middle - rows.clientHeight / 2;
      if (rows.scrollTop !== before) fillCard(stops[now], readings(stops[now]));
    };

    const toggle = (series, on) => {
      hidden[on ? "delete" : "add"](series);
      entries[series].querySelector("button").setAttribute("aria-pressed", on);
      for (const group of stage.querySelectorAll(`[data-series="${series}"]`)) group.classList.toggle("off", !on);
    };

    const stress = (series) => {
      figure.classList.toggle("stressed", series >= 0 && !hidden.has(series));
      for (const group of stage.querySelectorAll(".series")) group.classList.toggle("stress", group.dataset.series === String(series));
    };

    entries.forEach((entry, series) => {
      const button = entry.querySelector("button");
      button.addEventListener("click", () => {
        toggle(series, hidden.has(series));
        stress(series);
        clear();
      });
      for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => stress(series));
      for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => stress(-1));
    });

    const addAll = () => {
      const all = Object.assign(document.createElement("button"), { type: "button", className: "all", textContent: "Hide all" });
      all.addEventListener("click", () => {
        const on = hidden.size > 0;
        entries.forEach((_, series) => toggle(series, on));
        clear();
      });
      const name = () => { all.textContent = hidden.size ? "Show all" : "Hide all"; };
      figure.querySelector(".legend").addEventListener("click", name);
      figure.querySelector(".legend").append(all);
    };

    if (entries.length > 3) addAll();
    if (!stops.length) return;
    const role = { role: "slider", tabindex: 0, "aria-label": figure.querySelector("figcaption b").textContent, "aria-valuemin": 0, "aria-valuemax": stops.length - 1, "aria-valuenow": 0, "aria-valuetext": prefix + stops[0][2] };
    for (const [key, value] of Object.entries(role)) stage.setAttribute(key, value);
    stage.addEventListener("pointermove", (event) => show(nearest(event)));
    stage.addEventListener("pointerdown", (event) => show(nearest(event)));
    stage.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") clear(); });
    stage.addEventListener("blur", clear);
    stage.addEventListener("keydown", press);
  };

  document.querySelectorAll("figure.live").forEach(start);
})();
