// Rules: by the count of the neighbours (B3/S23, also of the four at the sides, B2/S013V) and by their
// arrangement (B2-a/S12, in Hensel's notation). How neighbourhoods are sorted comes from Python, in
// tables.json; tables and clauses are computed here.

import { Beyond, Wrong, own, shorten } from "./notation.js";

/** @typedef {{sorts: string[], neighbourhoods: number[], names: Record<string, string>}} Sorts the letters of each count, and the sort of each of the 512 neighbourhoods: of dead cells, then of living ones */
/** @typedef {boolean[]} Entries whether a cell lives, by the sort of its neighbourhood */

const HALF = "([0-9ac-rt-z-]*)";
/** The forms of a rule, and which half of each the births are. */
const FORMS = /** @type {[RegExp, number][]} */ ([
  [`b${HALF}/?s${HALF}`, 1], [`s${HALF}/?b${HALF}`, 2], [`b${HALF}/${HALF}`, 1],
  [`s${HALF}/${HALF}`, 2], [`${HALF}/s${HALF}`, 1], [`${HALF}/b?${HALF}`, 2],
].map(([form, births]) => [new RegExp(`^${form}$`), births]));
/** The bits of the neighbours at the sides, and of the cell itself. */
const [SIDES, CENTRE] = [[128, 32, 8, 2], 16];

/** Read a rule, and write it as satlife does. @param {string} text @param {string} field @param {Sorts} known */
export function readRule(text, field, known) {
  const name = /[a-z]/i.test(text) ? own(known.names, text.toLowerCase().replace(/[^a-z0-9]/g, "")) : undefined;
  if (name) return name;
  const rule = writeTable(readHalves(text, field, known) ?? refuse(text, field), known);
  if (/^B0/.test(rule)) throw new Beyond(field, `empty space does not stay empty by the rule ${shorten(text.trim())}, which this page does not know`);
  return rule;
}

/** @param {string} text @param {string} field @returns {never} */
function refuse(text, field) {
  throw new Beyond(field, `'${shorten(text)}' is not a rule that this page knows without a server, such as HighLife, B36/S23 or B2-a/S12`, ". satlife itself knows more: copy the command");
}

/** The table of a rule in any notation, by neighbourhood; none if this is no rule. @param {string} text @param {string} field @param {Sorts} known @returns {boolean[] | null} */
function readHalves(text, field, known) {
  const squeezed = text.replace(/\s+/g, "").toLowerCase().replaceAll("_", "/");
  const ofSides = squeezed.endsWith("v");
  for (const [form, births] of FORMS) {
    const match = form.exec(ofSides ? squeezed.slice(0, -1) : squeezed);
    if (!match) continue;
    const halves = [match[births] ?? "", match[3 - births] ?? ""];
    if (!halves.every((half) => (ofSides ? /^\d*$/ : /^(\d-?[aceijknqrtwyz]*)*$/).test(half))) return null;
    for (const half of halves) checkDigits(half, text, field, ofSides ? 4 : 8);
    if (ofSides) return makeTable((k) => Boolean(halves[k & CENTRE ? 1 : 0]?.includes(String(countSides(k)))));
    const entries = halves.flatMap((half) => readHalf(half, text, field, known));
    return makeTable((k) => Boolean(entries[known.neighbourhoods[k] ?? 0]));
  }
  return null;
}

/** @param {string} half @param {string} text @param {string} field @param {number} most */
function checkDigits(half, text, field, most) {
  const digits = half.replace(/\D/g, "");
  const large = [...digits].find((digit) => Number(digit) > most);
  if (large) throw new Wrong(field, `the rule ${shorten(text)} counts to ${large}, but a cell has ${most} neighbours`);
  const twice = [...digits].find((digit, k) => digits.indexOf(digit) !== k);
  if (twice) throw new Wrong(field, `the rule ${shorten(text)} has the digit ${twice} twice in ${half}`);
}

/** An entry for each sort of neighbourhood. @param {string} half @param {string} text @param {string} field @param {Sorts} known @returns {Entries} */
function readHalf(half, text, field, { sorts }) {
  /** @type {Record<string, string>} */
  const chosen = {};
  for (const [, digit = "", minus, letters = ""] of half.matchAll(/(\d)(-?)([a-z]*)/g)) {
    const all = sorts[Number(digit)] ?? "";
    const wrong = [...letters].find((letter) => !all.includes(letter));
    if (wrong) throw new Wrong(field, `the rule ${shorten(text)}: ${digit}${wrong} is not a neighbourhood of ${digit} cells; ${all ? `there are ${[...all].join(", ")}` : "none has letters"}`);
    const twice = [...letters].find((letter, k) => letters.indexOf(letter) !== k);
    if (twice) throw new Wrong(field, `the rule ${shorten(text)} has ${twice} twice in ${digit}${letters}`);
    if (minus && !letters) throw new Wrong(field, `the rule ${shorten(text)} has a minus without letters after it`);
    chosen[digit] = letters && !minus ? letters : [...(all || " ")].filter((letter) => !letters.includes(letter)).join("");
  }
  // A count that has one neighbourhood only has no letter for it.
  return sorts.flatMap((all, count) => [...(all || " ")].map((letter) => Boolean(chosen[count]?.includes(letter))));
}

/** @param {(k: number) => boolean} lives */
const makeTable = (lives) => Array.from({ length: 512 }, (_, k) => lives(k));

/** @param {number} k */
const countSides = (k) => SIDES.filter((bit) => k & bit).length;

/** Write the shortest notation of a table; of two equally short ones, the one without a minus. @param {boolean[]} table @param {Sorts} known */
function writeTable(table, known) {
  const { sorts, neighbourhoods } = known;
  /** @type {boolean[]} */
  const entries = [];
  neighbourhoods.forEach((sort, k) => (entries[sort] = table[k] ?? false));
  const half = entries.length / 2;
  /** @param {boolean[]} part */
  const write = (part) => {
    const rest = [...part];
    return sorts.map((all, count) => {
      const letters = [...(all || " ")];
      const alive = letters.map(() => rest.shift());
      const [chosen, others] = [true, false].map((value) => letters.filter((_, n) => alive[n] === value).join(""));
      if (!chosen) return "";
      return !others ? String(count) : `${count}${chosen.length <= others.length + 1 ? chosen : `-${others}`}`;
    }).join("");
  };
  const written = `B${write(entries.slice(0, half))}/S${write(entries.slice(half))}`;
  if (/^B\d*\/S\d*$/.test(written)) return written;
  const [births, survivals] = [0, CENTRE].map((centre) => [0, 128, 160, 168, 170].flatMap((k, n) => (table[k | centre] ? [n] : [])).join(""));
  const ofSides = table.every((next, k) => next === (k & CENTRE ? survivals : births)?.includes(String(countSides(k))));
  return ofSides ? `B${births}/S${survivals}V` : written;
}

/** @type {Map<string, boolean[]>} */
const tables = new Map();

/** Whether a cell lives next, by the neighbourhood: nine bits, row by row. @param {string} rule as it is written here @param {Sorts} known */
export function findEntries(rule, known) {
  let table = tables.get(rule);
  if (!table) tables.set(rule, (table = readHalves(rule, "rule", known) ?? refuse(rule, "rule")));
  return table;
}

/** The table of a rule, as the player reads it. @param {string} rule @param {Sorts} known */
export function findTable(rule, known) {
  const bytes = new Uint8Array(64);
  findEntries(rule, known).forEach((next, k) => next && (bytes[k >> 3] = (bytes[k >> 3] ?? 0) | (128 >> (k & 7))));
  return btoa(String.fromCharCode(...bytes));
}

/** Write clauses over the nine cells, and the next state as the tenth: prime implicates (Quine and McCluskey), few of them chosen greedily.
 * @param {boolean[]} table @returns {number[][]} */
export const makeClauses = (table) => [true, false].flatMap((next) =>
  cover(findCubes(table, next), table.map((each) => each === next)).map((cube) => [...listFixed(cube).map(([slot, alive]) => (alive ? -slot : slot)), next ? 10 : -10]));

/** The largest sets of neighbourhoods, with some cells fixed and the others free, after which a cell has one state. Digits of base 3: dead, alive, free.
 * @param {boolean[]} table @param {boolean} next @returns {number[]} */
function findCubes(table, next) {
  const powers = Array.from({ length: 9 }, (_, n) => 3 ** n);
  const inside = new Uint8Array(3 ** 9);
  for (let cube = 0; cube < inside.length; cube++) {
    const free = powers.find((power) => Math.floor(cube / power) % 3 === 2);
    inside[cube] = Number(free ? inside[cube - free] && inside[cube - 2 * free] : table[parseInt(cube.toString(3), 2)] === next);
  }
  return [...inside.keys()].filter((cube) => inside[cube] && powers.every((power) => {
    const digit = Math.floor(cube / power) % 3;
    return digit === 2 || !inside[cube + (2 - digit) * power];
  }));
}

/** The cells that a cube fixes, by slot, and whether they live. @param {number} cube @returns {[number, boolean][]} */
const listFixed = (cube) => [...cube.toString(3).padStart(9, "0")].flatMap((digit, n) => (digit === "2" ? [] : [/** @type {[number, boolean]} */ ([n + 1, digit === "1"])]));

/** Choose cubes that cover all points that are asked for. @param {number[]} cubes @param {boolean[]} asked @returns {number[]} */
function cover(cubes, asked) {
  /** @type {number[][]} */
  const cubesAt = Array.from({ length: 512 }, () => []);
  const points = cubes.map((cube, n) => {
    const digits = [...cube.toString(3).padStart(9, "0")];
    const own = digits.reduce((some, digit) => some.flatMap((k) => (digit === "2" ? [2 * k, 2 * k + 1] : [2 * k + Number(digit)])), [0]);
    for (const k of own) cubesAt[k]?.push(n);
    return own;
  });
  const costs = cubes.map((cube) => listFixed(cube).length + 2);
  const gains = points.map((own) => own.length);
  const times = new Int32Array(512);
  /** @type {number[]} */
  const chosen = [];
  while (asked.some((each, k) => each && !times[k])) {
    let best = 0;
    gains.forEach((gain, n) => (gain / (costs[n] ?? 1) > (gains[best] ?? 0) / (costs[best] ?? 1) ? (best = n) : 0));
    chosen.push(best);
    for (const k of points[best] ?? []) {
      const before = times[k] ?? 0;
      times[k] = before + 1;
      if (!before) for (const n of cubesAt[k] ?? []) gains[n] = (gains[n] ?? 0) - 1;
    }
  }
  // What others cover too is left out, the longest clauses first.
  const kept = new Set(chosen);
  for (const n of chosen.sort((a, b) => (costs[b] ?? 0) - (costs[a] ?? 0)))
    if (points[n]?.every((k) => (times[k] ?? 0) > 1)) {
      kept.delete(n);
      for (const k of points[n] ?? []) times[k] = (times[k] ?? 0) - 1;
    }
  return [...kept].map((n) => cubes[n] ?? 0);
}
