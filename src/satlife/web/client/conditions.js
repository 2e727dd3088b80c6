// Conditions that are written as sentences: "at most [20] live cells in [generation 0]".
// What they read and write are the texts of the command line, "<=20@0" and "3,0@2".

import { make, tidy } from "./dom.js";

/** @typedef {import("./form.js").Parameter} Parameter */
/** @typedef {{element: HTMLElement, read: () => string[]}} Rows */

const CELLS = /** @type {Record<string, string>} */ ({ on: "alive", off: "dead" });
const COMPARE = { "<=": "at most", ">=": "at least", "=": "exactly" };
const WHEN = { "": "generation 0", "@every": "every generation", "@least": "the least populated generation", "@most": "the most populated generation", "@sum": "all generations together" };

/** Other conditions in plain words. */
export const PLAIN = /** @type {Record<string, string>} */ ({
  gutter: "No cell ever lives on the mirror’s axis",
  without: "Must not have the symmetry",
  composite: "The period of the whole is enough; no single cell needs it",
  full_period: "At least one cell has the full period",
  include_last: "The box holds the generation that has moved on, too",
  background: "What is outside the box",
  difference: "Near another pattern: its RLE, and below it a number such as <=5",
  margin: "Unknown cells around the drawing, on each side",
  wrap: "Twist of the torus: rows down, columns right",
  slant: "Rows that each copy lies lower than the one to its left",
  turn: "Turn or mirror what comes in",
  transform: "After the period, itself turned or mirrored",
  lanes: "Lanes that the search may choose",
  times: "Times that the search may choose",
  approach: "Generations in which it only flies on",
  field: "Nothing may leave the window",
  finite: "All cells around it are dead, without end",
  unique: "Do all parents have the same cells in its place?",
});

/** The headings, and what stands under each; any other bound is a number of cells, what is left is “Other”. */
export const GROUPS = /** @type {Record<string, string[]>} */ ({
  "Numbers of cells": [],
  Size: ["width", "height", "area", "margin", "field"],
  Cells: ["on", "off", "background", "difference"],
  Symmetry: ["gutter", "without", "wrap", "slant", "turn", "transform"],
  "Time and lane": ["approach", "times", "lanes"],
  Other: [],
});

/** @param {Parameter} p */
export const isSentence = (p) => Boolean(p.counts) || p.name in CELLS;

/** The heading under which a parameter stands. @param {Parameter} p */
export const groupOf = (p) => Object.keys(GROUPS).find((title) => GROUPS[title]?.includes(p.name)) ?? (p.counts ? "Numbers of cells" : "Other");

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
  const state = CELLS[p.name];
  if (state) {
    const [, x = "", y = "", when = ""] = /^([^,@]*),?([^@]*)(@.*)?$/.exec(text) ?? [];
    const [column, row] = [makeInput("column, or a range such as 0..4", x, changed), makeInput("row", y, changed)];
    const time = makeSelect("when", { "": WHEN[""], "@1": "generation 1", "@2": "generation 2", "@every": WHEN["@every"] }, when, changed);
    return [["the cell in column ", column, " and row ", row, ` is ${state} in `, time], () => (column.value || row.value ? `${tidy(column.value)},${tidy(row.value)}${time.value}` : "")];
  }
  const [, compare = "", number = "", time = ""] = /^(<=|>=|=)?([^@]*)(@.*)?$/.exec(text) ?? [];
  const how = makeSelect("how many", { ...COMPARE, "": "between" }, text ? compare : "<=", changed);
  const value = makeInput(`number of ${p.counts}, or a range such as 20..36`, number, changed);
  const at = p.name === "population" ? makeSelect("when", WHEN, time, changed) : null;
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
  const words = p.name in CELLS ? `A cell that is ${CELLS[p.name]}` : `Number of ${p.counts}`;
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
