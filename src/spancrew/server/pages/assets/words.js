// The words of this page, in the language that the server chose.

const texts = JSON.parse(document.getElementById("words").textContent);
export const language = document.documentElement.lang;
const plural = new Intl.PluralRules(language);

/** Return a text by its name; {values} are filled in, and `n` chooses the plural form. */
export function t(name, values = {}) {
  const found = texts[name];
  if (found === undefined) throw new Error(`no words for ${name}`);
  const text = typeof found === "string" ? found : (found[plural.select(values.n)] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}

/** Tell whether there is a text of this name. */
export const knows = (name) => name in texts;

const numbers = new Intl.NumberFormat(language);
const moneys = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percents = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });

/** Return numbers as the reader writes them; what is not known is a dash. */
export const number = (value) => (value == null ? "–" : numbers.format(value));
export const money = (value) => (value == null ? "–" : moneys.format(value));
export const percent = (value) => (value == null ? "–" : percents.format(value));

/** Return seconds as minutes and seconds, such as 2:05. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${parts.join(":")}` : parts.join(":").replace(/^0/, "");
}

/** Return a time as people say it, such as 3 hours. */
export function duration(seconds) {
  const hours = seconds / 3600;
  const short = seconds < 90 ? [5 * Math.max(Math.ceil(seconds / 5), 1), "second"] : [seconds / 60, "minute"];
  const [value, unit] = hours < 2 ? short : hours < 48 ? [hours, "hour"] : [hours / 24, "day"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(Math.round(value));
}
