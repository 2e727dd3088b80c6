// Conditions that are written as sentences: "at most [20] live cells in [generation 0]".
// What they read and write are the texts of the command line, "<=20@0" and "3,0@2".

import { make, tidy } from "./dom.js";

/** @typedef {import("./form.js").Parameter} Parameter */
/** @typedef {{element: HTMLElement, read: () => string[]}} Rows */

const COMPARE = { "<=": "at most", ">=": "at least", "=": "exactly" };
const WHEN = { "": "generation 0", "@every": "every generation", "@least": "the least populated generation", "@most": "the most populated generation", "@sum": "all generations together" };

/** @param {Parameter} p */
export const isSentence = (p) => Boolean(p.counts || p.cell);

/** @param {string} label @param {Record<string, string>} options @param {string} value @param {() => void} changed */
function makeSelect(label, options, value, changed) {
  const select = make("select", { "aria-label": label, change: changed });
  for (const [name, words] of Object.entries(value in options ? options : { ...options, [value]: value.replace("@", "generation ") }))
    select.append(make("option", { value: name, selected: name === value }, words));
  return select;
}

/** @param {string} label @param {string} value @param {() => void} changed */
const makeInput = (label, value, changed) => make("input", { type: "text", inputmode: "numeric", "aria-label": label, value, size: 4, spellcheck: "false", input: changed });

/** A sentence for one condition, and how to read it. @param {Parameter} p @param {string} text @param {() => void} changed @returns {[(Node | string)[], () => string]} */
function makeRow(p, text, changed) {
  if (p.cell) {
    const [, x = "", y = "", when = ""] = /^([^,@]*),?([^@]*)(@.*)?$/.exec(text) ?? [];
    const [column, row] = [makeInput("column, or a range such as 0..4", x, changed), makeInput("row", y, changed)];
    const time = makeSelect("when", { "": WHEN[""], "@1": "generation 1", "@2": "generation 2", "@every": WHEN["@every"] }, when, changed);
    return [["the cell in column ", column, " and row ", row, ` is ${p.cell} in `, time], () => (column.value || row.value ? `${tidy(column.value)},${tidy(row.value)}${time.value}` : "")];
  }
  const [, compare = "", number = "", time = ""] = /^(<=|>=|=)?([^@]*)(@.*)?$/.exec(text) ?? [];
  const how = makeSelect("how many", { ...COMPARE, "": "between" }, text ? compare : "<=", changed);
  const value = makeInput(`number of ${p.counts}, or a range such as 20..36`, number, changed);
  const at = p.timed || time ? makeSelect("when", WHEN, time, changed) : null;
  const read = () => {
    const written = tidy(value.value).replace(/(\d)\s*(?:–|-|to|and|\.\.)\s*(\d)/, "$1..$2");
    return written && `${written.includes("..") ? "" : how.value}${written}${at?.value ?? ""}`;
  };
  return [[how, value, ` ${p.counts}`, ...(at ? [" in ", at] : [])], read];
}

/** Make the sentences of a parameter, and a button for one more. @param {Parameter} p @param {string[]} texts @param {() => void} changed @returns {Rows} */
export function makeRows(p, texts, changed) {
  /** @type {Map<HTMLElement, () => string>} */
  const rows = new Map();
  const list = make("div", {});
  const words = p.cell ? `A cell that is ${p.cell}` : `Number of ${p.counts}`;
  const more = make("button", { type: "button", id: `f-${p.name}`, class: "add", "aria-describedby": `f-${p.name}-error`, click: () => {
    add("");
    list.lastElementChild?.querySelector("input")?.focus();
  } }, `+ ${words}`);
  /** @param {string} text */
  function add(text) {
    const [parts, read] = makeRow(p, text, changed);
    const row = make("div", { class: "condition" }, ...parts, make("button", { type: "button", class: "remove", "aria-label": `Remove: ${words.toLowerCase()}`, click: () => {
      rows.delete(row);
      row.remove();
      show();
      more.focus();
      changed();
    } }, "×"));
    rows.set(row, read);
    list.append(row);
    show();
  }
  const show = () => (more.hidden = !p.many && rows.size > 0);
  texts.forEach(add);
  return { element: make("div", { class: "conditions" }, list, more), read: () => [...rows.values()].map((read) => read()).filter(Boolean) };
}
