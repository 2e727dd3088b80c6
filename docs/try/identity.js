// What a pattern is called: its apgcode, from its generations, and its name in satlife's catalogue.
// The catalogue is loaded when the first name is asked for: names by the hashes of their codes.

import { findTable } from "./rules.js";
import { readTable, step } from "./player.js";

/** @typedef {{x: number, y: number, w: number, h: number, cells: Uint8Array}} Frame */
/** @typedef {{period: number, dx: number, dy: number}} Loop */
/** @typedef {Map<string, string>} Names by the hashes of codes */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const STRIP = 5;
/** The longest run of empty columns that has letters of its own. */
const LONGEST_RUN = 39;
/** As on Catagolue, a phase whose box, with a margin of one cell, is larger has no word, and a longer word does not count. */
const [LARGEST_BOX, LONGEST_WORD] = [40_000, 1280];
/** Characters of a hash. */
export const HASHED = 11;

/** Hash a code: two sums of FNV-1a, of 32 and 20 bits. @param {string} code */
export function hash(code) {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (const c of code) {
    one = Math.imul(one ^ c.charCodeAt(0), 0x01000193);
    other = Math.imul(other ^ c.charCodeAt(0), 0x85ebca6b);
  }
  return (one >>> 0).toString(36).padStart(7, "0") + (other >>> 12).toString(36).padStart(4, "0");
}

/** @type {Promise<Names> | undefined} */
let loaded;
/** Load the names; without them, everything works, and has none. @returns {Promise<Names>} */
export const loadNames = () => (loaded ??= fetch(new URL("./names.json", import.meta.url)).then((answer) => answer.json())
  .then(({ hashes, names }) => new Map(names.map((/** @type {string} */ name, /** @type {number} */ n) => [hashes.slice(HASHED * n, HASHED * (n + 1)), name])))
  .catch(() => {
    loaded = undefined;
    return new Map();
  }));

/** Write a number of empty columns. @param {number} zeros */
function shorten(zeros) {
  const rest = zeros % LONGEST_RUN;
  return "yz".repeat(Math.floor(zeros / LONGEST_RUN)) + (rest < 4 ? ["", "0", "w", "x"][rest] : `y${DIGITS[rest - 4]}`);
}

/** Write cells in the extended Wechsler format, as far as this may be the shortest. @param {number} w @param {number} h @param {(x: number, y: number) => number | undefined} at @param {number} longest */
function writeWord(w, h, at, longest) {
  let word = "";
  for (let top = 0; top < h; top += STRIP) {
    if (top) word += "z";
    for (let x = 0, zeros = 0; x < w; x++) {
      let column = 0;
      for (let bit = 0; bit < STRIP && top + bit < h; bit++) if (at(x, top + bit)) column |= 1 << bit;
      if (!column) zeros++;
      else {
        word += shorten(zeros) + DIGITS[column];
        if (word.length > longest) return word;
        zeros = 0;
      }
    }
  }
  return word.replace(/z+$/, "");
}

/** The apgcode of a pattern that recurs, by a rule that no turn changes. @param {Frame[]} frames of one period @param {Loop} loop */
export function findCode(frames, { period, dx, dy }) {
  const kind = dx || dy ? `q${period}` : period > 1 ? `p${period}` : `s${frames[0]?.cells.reduce((sum, state) => sum + state, 0)}`;
  let best = "";
  for (const { w, h, cells } of frames) {
    if ((w + 2) * (h + 2) > LARGEST_BOX) continue;
    for (let turn = 0; turn < 8; turn++) {
      const [across, down] = turn & 4 ? [h, w] : [w, h];
      const word = writeWord(across, down, (i, j) => {
        const [x, y] = turn & 4 ? [j, i] : [i, j];
        return cells[(turn & 2 ? h - 1 - y : y) * w + (turn & 1 ? w - 1 - x : x)];
      }, best.length || Infinity);
      if (!best || word.length < best.length || (word.length === best.length && word < best)) best = word;
    }
  }
  return best && best.length <= LONGEST_WORD ? `x${kind}_${best}` : `ov_${kind}`;
}

/** The name of a pattern that recurs: that of an object of Life, if all generations follow each other there, too.
 * @param {string} code @param {Frame[]} frames @param {string} rule @param {Names} names @param {import("./rules.js").Sorts} known */
export function findName(code, frames, rule, names, known) {
  const name = names.get(hash(code));
  if (!name || rule === "B3/S23") return name ?? "";
  const life = readTable(findTable("B3/S23", known));
  const lives = frames.every((frame, t) => {
    const [next, there] = [step(frame, life, 2), frames[(t + 1) % frames.length] ?? frame];
    return next.w === there.w && next.h === there.h && next.cells.every((state, k) => state === there.cells[k]);
  });
  return lives ? name : "";
}
