// Drawings as text: RLE with ?, plaintext, and grids of Logic Life Search.

import { Beyond, Wrong, shorten } from "./notation.js";
import { readRule } from "./rules.js";

/** @typedef {import("./notation.js").Known} Known */
/**
 * @typedef {object} Drawing cells "o", ".", "?"; in generations, then rows
 * @property {number} x @property {number} y @property {string[][]} cells
 * @property {string} rule empty if the drawing is a grid, which has none
 * @property {[number, number, number][]} exempt from the rule
 * @property {number[]} [torus] its width and height; 0 where it does not close
 */

/** The most cells of a drawing that is read at all. */
const MOST = 40_000;

/** Read a drawing. @param {string} text @param {string} field @param {Known} known @param {boolean} [shown] whether it need only be shown: then it may lie on a torus @returns {Drawing} */
export function readDrawing(text, field, known, shown = false) {
  const given = text.replace(/^\ufeff/, "");
  if (!given.trim()) throw new Wrong(field, "paste a pattern: RLE, plaintext, or a grid of Logic Life Search");
  if (looksLikeGrid(given)) return readGrid(given, field);
  const lines = given.split(/\r\n|\r|\n/);
  const told = lines.filter((line) => line.trim());
  if (/^(#Life|\[M)/.test(told[0] ?? "")) throw new Beyond(field, "this is neither RLE, plaintext nor a grid");
  const drawn = told.filter((line) => !line.startsWith("#"));
  const isRle = /^\s*x\s*=/i.test(drawn[0] ?? "") || (!drawn[0]?.startsWith("!") && drawn.some((line) => /[$!]/.test(line)));
  if (isRle) return readRle(lines, field, known, shown);
  if (told[0]?.startsWith("!") || told.every((line) => line.startsWith("!") || /^[.*O?]*\s*$/.test(line))) return readPlaintext(lines, field, known, shown);
  if (/[\n\r$!]/.test(given.trim())) throw new Wrong(field, "this is not a pattern: RLE ends with '!', plaintext is rows of . and O");
  throw new Beyond(field, `'${shorten(given.trim())}' is not RLE, which ends with !, nor plaintext, rows of . and O`, ". satlife itself also reads names, such as pulsar, and codes: copy the command");
}

/** Whether rows are words with commas or blanks between them. @param {string} text */
function looksLikeGrid(text) {
  const rows = text.split(/\r\n|\r|\n/).map((line) => (line.split("#")[0] ?? "").trim()).filter(Boolean).map((line) => line.replace(/^,+|,+$/g, "").split(/[,\s]+/));
  return rows.some((row) => row.length > 1) && rows.every((row) => row.every((word) => CELL.test(word)));
}

const CELL = /^(-*)([0-9A-Za-z_*]+)(['’]?)$/;

/** @param {string} text @param {string} field @returns {Drawing} */
function readGrid(text, field) {
  /** @type {string[][][]} */
  const generations = [[]];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const words = (line.split("#")[0] ?? "").match(/[^,\s]+/g);
    if (words) generations.at(-1)?.push(words);
    else if (!line.includes("#") && generations.at(-1)?.length) generations.push([]);
  }
  if (!generations.at(-1)?.length) generations.pop();
  const [height, width] = [generations[0]?.length ?? 0, generations[0]?.[0]?.length ?? 0];
  /** @type {Drawing["exempt"]} */
  const exempt = [];
  const names = new Set();
  const cells = generations.map((rows, t) => {
    if (rows.length !== height) throw new Wrong(field, `generation ${t} has ${rows.length} rows, the first has ${height}`);
    return rows.map((row, y) => {
      if (row.length !== width) throw new Wrong(field, `row ${y} of generation ${t} has ${row.length} cells, the first has ${width}`);
      return row.map((word, x) => {
        const [, minus = "", name = "", mark] = CELL.exec(word) ?? [];
        if (mark) exempt.push([x, y, t]);
        if (name === "0" || name === "1") return (name === "1") !== (minus.length % 2 === 1) ? "o" : ".";
        if (name !== "*" && names.has(name)) throw new Beyond(field, `several cells are called ${shorten(name)}, so that they are equal`);
        names.add(name);
        return "?";
      }).join("");
    });
  });
  return { x: 0, y: 0, cells, rule: "", exempt };
}

/** Read the rule that a file names. @param {string} text @param {string} field @param {Known} known @param {boolean} shown */
function readSetting(text, field, known, shown) {
  const [name = "", grid] = text.split(":");
  const torus = shown && /^T(\d+),(\d+)$/.exec(grid ?? "");
  if (grid !== undefined && !torus) throw new Beyond(field, "the pattern lies on a bounded grid");
  return { rule: readRule(name, field, known), ...(torus && { torus: [Number(torus[1]), Number(torus[2])] }) };
}

const HEADER = /^\s*x\s*=\s*([0-9]+)\s*,?\s*y\s*=\s*([0-9]+)\s*(?:,?\s*rule\s*=\s*(\S.*?)\s*)?,?\s*$/i;
const PLACE = /^#(?:CXRLE\b.*?\bPos\s*=|[PR]\s)\s*([+-]?[0-9]{1,7})\s*[,\s]\s*([+-]?[0-9]{1,7})\b/;

/** @param {string[]} lines @param {string} field @param {Known} known @param {boolean} shown @returns {Drawing} */
function readRle(lines, field, known, shown) {
  const drawing = { x: 0, y: 0, cells: /** @type {string[][]} */ ([]), rule: "B3/S23", exempt: [] };
  /** @type {string[][]} */
  const rows = [];
  const letters = new Set();
  let [width, height, x, y, run, first, header] = [0, 0, 0, 0, "", true, false];
  /** @param {number} w @param {number} h */
  const limit = (w, h) => {
    if (w * h > MOST) throw new Wrong(field, `the pattern is ${w}x${h}; that is too large for this page`);
  };
  for (const [n, line] of lines.entries()) {
    const place = PLACE.exec(line);
    if (place) [drawing.x, drawing.y] = [Number(place[1]), Number(place[2])];
    else if (line.startsWith("#r")) Object.assign(drawing, readSetting(line.slice(2).trim(), field, known, shown));
    if (line.startsWith("#")) continue;
    if (first && line.trim()) {
      first = false;
      if (/^\s*x/i.test(line)) {
        const match = HEADER.exec(line);
        if (!match) throw new Wrong(field, `line ${n + 1}: the header should read like 'x = 3, y = 3, rule = B3/S23'`);
        [width, height, header] = [Number(match[1]), Number(match[2]), true];
        limit(Math.max(1, width), Math.max(1, height));
        if (match[3]) Object.assign(drawing, readSetting(match[3], field, known, shown));
        continue;
      }
    }
    for (const [, token = ""] of line.matchAll(/([0-9]+|[p-y][A-X]|\S)/g)) {
      if (/^[0-9]/.test(token)) {
        run += token;
        if (run.length > 6) throw new Wrong(field, `line ${n + 1}: a run of ${shorten(run)} cells is too long`);
        continue;
      }
      const length = Number(run || 1);
      if (!length) throw new Wrong(field, `line ${n + 1}: a run of 0 cells`);
      if (token === "!") {
        if (run) throw new Wrong(field, `line ${n + 1}: a number before the '!'`);
        return { ...drawing, cells: fill(rows, width, height) };
      }
      run = "";
      if (token === "$") [x, y] = [0, y + length];
      else if (/^[b.Bo?OA]$/.test(token)) {
        if (letters.add(token).has("A") && letters.has("B")) throw new Beyond(field, "the pattern has more than two states");
        limit(Math.max(width, x + length), Math.max(height, y + 1));
        const state = /[oOA]/.test(token) ? "o" : token === "?" ? "?" : ".";
        while (rows.length <= y) rows.push([]);
        for (let k = 0; k < length; k++) rows[y]?.push(state);
        x += length;
        if (!header || state !== ".") [width, height] = [Math.max(width, x), Math.max(height, y + 1)];
      } else throw new Wrong(field, `line ${n + 1}: '${token}' has no meaning here; expected b, o, ?, $, ! or a number`);
    }
  }
  throw new Wrong(field, "no '!' at the end; the text may be cut off (put '!' after the last cell)");
}

/** @param {string[][]} rows @param {number} width @param {number} height */
function fill(rows, width, height) {
  return [Array.from({ length: height }, (_, j) => (rows[j] ?? []).join("").slice(0, width).padEnd(width, "."))];
}

/** @param {string[]} lines @param {string} field @param {Known} known @param {boolean} shown @returns {Drawing} */
function readPlaintext(lines, field, known, shown) {
  let setting = { rule: "B3/S23" };
  const rows = [];
  for (const [n, line] of lines.entries()) {
    const named = /^!\s*rule\s*[:=]\s*(\S.*?)\s*$/i.exec(line);
    if (named) setting = readSetting(named[1] ?? "", field, known, shown);
    if (line.startsWith("!")) continue;
    const wrong = /[^.*O?]/.exec(line.trimEnd());
    if (wrong) throw new Wrong(field, `line ${n + 1}: '${wrong[0]}' is not a cell; write O for alive, . for dead, ? for unknown`);
    rows.push([...line.trimEnd()].map((c) => (c === "O" || c === "*" ? "o" : c)));
  }
  while (rows.length && !rows.at(-1)?.length) rows.pop();
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width * rows.length > MOST) throw new Wrong(field, `the pattern is ${width}x${rows.length}; that is too large for this page`);
  return { x: 0, y: 0, cells: fill(rows, width, rows.length), ...setting, exempt: [] };
}
