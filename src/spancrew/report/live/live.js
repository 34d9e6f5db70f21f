"use strict";
// The page is complete without this. It adds reading off values (pointer, touch, arrow keys), and
// hiding or stressing a series from the legend; the curves that are left are stretched to the plot.
(() => {
  const MOST_STRETCH = 8; // further, the rounding of the drawn coordinates would show

  const make = (svg, name, attributes, text = "") => {
    const part = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    part.textContent = text;
    return part;
  };

  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

  // Round values as on the axes that were drawn beforehand, with their labels.
  const ticks = (low, high, percent) => {
    const span = high - low;
    const power = 10 ** Math.floor(Math.log10(span / 6));
    const step = [1, 2, 5, 10].map((m) => m * power).find((m) => m * 6 >= span * (1 - 1e-9));
    const unit = percent ? 100 : 1;
    const digits = Math.min(9, Math.max(0, -Math.floor(Math.log10(step * unit) + 1e-9)));
    const form = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) {
      const label = form.format(k * step * unit).replace("-", "\u2212").replace(/^\u2212(0(\.0*)?)$/, "$1");
      found.push([k * step, percent ? `${label}%` : label]);
    }
    return found;
  };

  const start = (figure) => {
    const { by, prefix, stops, zoom } = JSON.parse(figure.querySelector("script").textContent);
    const stage = figure.querySelector(".stage");
    const card = figure.querySelector(".card");
    const title = figure.querySelector(".at");
    const legend = figure.querySelector(".legend");
    const entries = [...legend.querySelectorAll("li")];
    const sheets = [...stage.querySelectorAll("svg[data-plot]")];
    const rest = [...legend.querySelectorAll(".at, .value, .around")].map((part) => [part, part.textContent]);
    const axes = new Map(sheets.map((svg) => [svg, [...(svg.querySelector(".ups")?.childNodes ?? [])]]));
    const hidden = new Set();
    let view = [0, 1]; // the part of the upright axis that is shown
    let now = -1;

    // From fractions of the plot to units of the drawing, and on to pixels of the window.
    const geometry = (svg = sheets.find((one) => one.getClientRects().length)) => {
      const [left, top, width, height] = svg.dataset.plot.split(" ").map(Number);
      const box = svg.getBoundingClientRect();
      const scale = box.width / svg.viewBox.baseVal.width;
      const seen = (y) => (y - view[0]) / (view[1] - view[0]);
      const units = (x, y) => [left + x * width, top + (1 - seen(y)) * height];
      return { svg, box, scale, units, left, top, width, height };
    };

    const readings = (stop) => stop[3].filter(([series]) => !hidden.has(series));

    const clear = () => {
      now = -1;
      for (const svg of sheets) svg.querySelector(".guide").replaceChildren();
      for (const [part, text] of rest) part.textContent = text;
      card.hidden = true;
    };

    const point = ([x, y], seen) => {
      const { svg, units, left, top, width, height } = geometry();
      const guide = svg.querySelector(".guide");
      const [across, up] = units(x, y);
      if (by === "x") guide.append(make(svg, "path", { d: `M${across} ${top}v${height}` }));
      if (by === "y") guide.append(make(svg, "path", { d: `M0 ${up}H${left + width}`, class: "row" }));
      for (const [series, place] of by === "y" ? [] : seen) {
        const [cx, cy] = units(x, place);
        const look = svg.querySelector(`[data-series="${series}"]`).getAttribute("class").replace("series", "");
        guide.append(make(svg, "circle", { cx, cy, r: 4, class: look }));
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
      const lines = seen.flatMap((reading) => reading.slice(2)).map((text) => element("span", text));
      card.replaceChildren(element("b", stop[2]), ...lines);
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

    const spoken = (stop, seen) => {
      const name = ([series]) => (by === "x" ? `${entries[series].querySelector(".name").textContent} ` : "");
      return [prefix + stop[2], ...seen.map((reading) => name(reading) + reading.slice(2).join(", "))].join("; ");
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

    const nearest = (event) => {
      const { box, scale, left, top, width, height } = geometry();
      const x = (event.clientX - box.left) / scale - left;
      const y = top + height - (event.clientY - box.top) / scale;
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

    // In a figure that scrolls, keep the row in view that the keys have reached.
    const reveal = () => {
      const rows = stage.querySelector(".rows");
      const { box, scale, height } = geometry();
      const middle = (1 - stops[now][1]) * height * scale + box.top - rows.getBoundingClientRect().top;
      rows.scrollTop += middle - rows.clientHeight / 2;
      fillCard(stops[now], readings(stops[now]));
    };

    const press = (event) => {
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
      if (event.key === "Escape") clear();
      if (!(event.key in steps)) return;
      event.preventDefault();
      const from = now < 0 && steps[event.key] < 0 ? stops.length : now;
      show(Math.max(0, Math.min(stops.length - 1, from + steps[event.key])));
      if (by === "y" && now >= 0) reveal();
    };

    const stretched = () => {
      const reach = zoom.reach.filter((ends, series) => ends && !hidden.has(series)).flat();
      if (!hidden.size || !reach.length) return [0, 1];
      const low = Math.min(...zoom.always, ...reach);
      const high = Math.max(...zoom.always, ...reach, low + 1 / MOST_STRETCH);
      return [low, Math.min(1, low + (high - low) * 1.03)];
    };

    const stretch = () => {
      if (!zoom) return;
      view = stretched();
      const whole = view[0] === 0 && view[1] === 1;
      const value = (fraction) => zoom.low + fraction * (zoom.high - zoom.low);
      for (const svg of sheets) {
        const { units, left, top, width, height } = geometry(svg);
        const factor = 1 / (view[1] - view[0]);
        const shift = units(0, 0)[1] - factor * (top + height);
        for (const group of svg.querySelectorAll(".series")) group.style.transform = whole ? "" : `matrix(1, 0, 0, ${factor}, 0, ${shift})`;
        const drawn = ticks(...view.map(value), zoom.percent).flatMap(([tick, label]) => {
          const y = units(0, (tick - zoom.low) / (zoom.high - zoom.low))[1];
          return [
            make(svg, "path", { d: `M${left} ${y}h${width}`, class: "grid" }),
            make(svg, "text", { x: left - 8, y: y + 4.5, "text-anchor": "end" }, label),
          ];
        });
        svg.querySelector(".ups").replaceChildren(...(whole ? axes.get(svg) : drawn));
      }
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

    const all = Object.assign(element("button", "Hide all"), { type: "button", className: "all" });

    const changed = () => {
      all.textContent = hidden.size ? "Show all" : "Hide all";
      clear();
      stretch();
    };

    entries.forEach((entry, series) => {
      const button = entry.querySelector("button");
      button.addEventListener("click", () => {
        toggle(series, hidden.has(series));
        stress(series);
        changed();
      });
      for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => stress(series));
      for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => stress(-1));
    });
    all.addEventListener("click", () => {
      const on = hidden.size > 0;
      entries.forEach((_, series) => toggle(series, on));
      changed();
    });
    if (entries.length > 3) legend.append(all);

    if (!stops.length) return;
    const name = figure.querySelector("figcaption b").textContent;
    const role = { role: "slider", tabindex: 0, "aria-label": name, "aria-valuemin": 0, "aria-valuemax": stops.length - 1 };
    const value = { "aria-valuenow": 0, "aria-valuetext": prefix + stops[0][2] };
    for (const [key, given] of Object.entries({ ...role, ...value })) stage.setAttribute(key, given);
    for (const move of ["pointermove", "pointerdown"]) stage.addEventListener(move, (event) => show(nearest(event)));
    stage.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && clear());
    stage.addEventListener("blur", clear);
    stage.addEventListener("keydown", press);
  };

  document.querySelectorAll("figure.live").forEach(start);
})();
