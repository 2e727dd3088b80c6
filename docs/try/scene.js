// Finds as the player shows them: generations, what they are, and their RLE.

import { makeFrame } from "./checker.js";
import { listBoxes } from "./questions.js";
import { findCode, findName } from "./identity.js";
import { Wrong, own, writeMotion } from "./notation.js";
import { findPeriods, readTable, step } from "./player.js";
import { writeRle, writeRuns } from "./rle.js";
import { findTable } from "./rules.js";

/** @typedef {import("./encoder.js").Problem} Problem */
/** @typedef {import("./notation.js").Known} Known */
/** @typedef {{x: number, y: number, w: number, h: number, cells: Uint8Array}} Frame */
/** @typedef {import("./identity.js").Loop} Loop */
/** @typedef {import("./identity.js").Names} Names */

/** How many generations are shown of what does not come back. */
const LONGEST = 130;
/** How many generations are looked at for the first to come back, and how many cells in all of them. */
const [LONGEST_PERIOD, MOST_CELLS] = [3000, 20_000_000];

/** Cut away what is dead around a frame. @param {Frame} frame @returns {Frame} */
function crop({ x, y, w, h, cells }) {
  let [left, top, right, bottom] = [w, h, -1, -1];
  cells.forEach((state, k) => {
    if (!state) return;
    [left, right] = [Math.min(left, k % w), Math.max(right, k % w)];
    [top, bottom] = [Math.min(top, Math.floor(k / w)), Math.floor(k / w)];
  });
  if (right < 0) return { x: 0, y: 0, w: 0, h: 0, cells: new Uint8Array() };
  const cut = new Uint8Array((right - left + 1) * (bottom - top + 1));
  for (let j = top; j <= bottom; j++) cut.set(cells.subarray(j * w + left, j * w + right + 1), (j - top) * (right - left + 1));
  return { x: x + left, y: y + top, w: right - left + 1, h: bottom - top + 1, cells: cut };
}

/** @param {Frame} frame */
const drawRows = ({ w, h, cells }) => Array.from({ length: h }, (_, j) => Array.from(cells.subarray(j * w, (j + 1) * w), (state) => (state ? "o" : ".")).join(""));

/** Write a pattern as RLE, with its place. @param {Frame} frame @param {string} rule */
const writePattern = (frame, rule) => writeRle(drawRows(frame), frame, rule);

/** Follow a pattern until it comes back. @param {Frame} first @param {string} table */
function follow(first, table) {
  const frames = [first];
  for (let [frame, left] = [first, MOST_CELLS]; frames.length <= LONGEST_PERIOD && left > 0; ) {
    frame = step(frame, table, 2);
    left -= frame.w * frame.h;
    const same = frame.w === first.w && frame.h === first.h && frame.cells.every((state, k) => state === first.cells[k]);
    if (same) return { frames, loop: /** @type {Loop} */ ({ period: frames.length, dx: frame.x - first.x, dy: frame.y - first.y }) };
    frames.push(frame);
    if (!frame.w) break;
  }
  return { frames: frames.slice(0, LONGEST + 1), loop: null };
}

/** @param {string} rule @param {Known} known */
const nameRule = (rule, known) => (own(known.titles, rule) ? `${rule} (${own(known.titles, rule)})` : rule);

/** @param {number} least @param {number} most */
const countCells = (least, most) => (least === most ? `${most} cell${most === 1 ? "" : "s"}` : `${least} to ${most} cells`);

/** @param {Frame} frame */
const populationOf = ({ cells }) => cells.reduce((sum, state) => sum + state, 0);

/** Say what a pattern is. @param {Frame[]} frames @param {Loop | null} loop @param {string} rule @param {Known} known @param {Names} names */
function describePattern(frames, loop, rule, known, names) {
  const counts = frames.map(populationOf);
  const first = /** @type {Frame} */ (frames[0]);
  if (!loop) {
    const end = frames.at(-1)?.w ? `does not recur within ${LONGEST} generations` : `dies in generation ${frames.length - 1}`;
    return { title: countCells(counts[0] ?? 0, counts[0] ?? 0), facts: [`${first.w}x${first.h}`, ...(first.w ? [end] : []), nameRule(rule, known)], code: "" };
  }
  if (!first.w) return { title: "nothing alive", facts: ["0 cells", "0x0", nameRule(rule, known)], code: "" };
  const moves = loop.dx || loop.dy;
  const largest = frames.reduce((one, other) => (other.w * other.h > one.w * one.h ? other : one));
  const code = findCode(frames, loop);
  const name = findName(code, frames, rule, names, known);
  const period = loop.period > 1 ? [`period ${loop.period}`] : [];
  const composite = !moves && ![...findPeriods(frames).values()].includes(loop.period) ? ["no cell has the full period"] : [];
  const facts = [...composite, countCells(Math.min(...counts), Math.max(...counts)), `${largest.w}x${largest.h}`, nameRule(rule, known)];
  const kind = moves ? `spaceship ${writeMotion(loop)}` : loop.period > 1 ? "oscillator" : "still life";
  if (name) return { title: name, facts: [kind, ...period, ...facts], code };
  if (moves) return { title: `${writeMotion(loop)} spaceship`, facts: [...period, ...facts], code };
  return { title: loop.period > 1 ? `period-${loop.period} oscillator` : kind, facts, code };
}

/** @param {number} frames */
const chooseRate = (frames) => (frames <= 20 ? 5 : frames <= 200 ? 10 : 20);

/** A scene of a pattern that lives by its rule. @param {Frame} given @param {string} rule @param {Known} known @param {Names} [names] */
export function makeScene(given, rule, known, names = new Map()) {
  const first = crop(given);
  const coded = findTable(rule, known);
  const { frames, loop } = follow(first, readTable(coded));
  return {
    caption: describePattern(frames, loop, rule, known, names), rule, states: 2, tables: [coded], phase: 0,
    frames: [[first.x, first.y, writeRuns(drawRows(first)).join("")]], length: frames.length, loop: loop && [loop.dx, loop.dy],
    rate: chooseRate(frames.length), margin: 1, rle: writePattern(first, rule), view: "cells",
  };
}

/** How many cells the copies of a tile fill at least, in each direction. */
const TILED = 16;
/** Rows or columns that a step adds at each end where a torus does not close. */
const GROWTH = 2;

/** A scene of a tile on a torus, as copies that fill a part of the plane. @param {string[]} rows @param {number[]} torus @param {string} rule @param {Known} known */
export function makeTiles(rows, [width = 0, height = 0], rule, known) {
  if (Math.max(width, height, rows.length, rows[0]?.length ?? 0) > 64) throw new Wrong("", "the torus is too large for this page");
  const table = readTable(findTable(rule, known));
  /** @param {number} side @param {number} size */
  const reach = (side, size) => (size ? Array.from({ length: Math.ceil(TILED / size) * size }, (_, k) => k % size) : Array.from({ length: side }, (_, k) => k));
  /** @type {string[]} */
  let tile = Array.from({ length: height || rows.length }, (_, j) => (rows[j] ?? "").padEnd(width || (rows[0]?.length ?? 0), "."));
  const drawn = [];
  const boxes = [];
  const seen = new Set();
  for (let [x, y] = [0, 0]; drawn.length <= LONGEST; [x, y] = [x - (width ? 0 : GROWTH), y - (height ? 0 : GROWTH)]) {
    const bare = width && height ? tile.join("$") : writeRuns(tile).join("").replace(/^[\d$]*\$/, "");
    if (seen.has(bare)) break;
    seen.add(bare);
    const now = tile;
    const plane = reach(now.length, height).map((j) => reach(now[0]?.length ?? 0, width).map((i) => now[j]?.[i] ?? ".").join(""));
    drawn.push(plane);
    boxes.push({ x, y, width: plane[0]?.length ?? 0, height: plane.length });
    tile = stepTile(now, [width, height], table);
  }
  const most = drawn.length > LONGEST ? "" : ` p${drawn.length}`;
  const caption = { title: `${width && height ? "agar" : "wick"}${most}`, facts: [`tile of ${width || "any width"} by ${height || "any height"}`, nameRule(rule, known)] };
  return { ...makeFilm(caption, drawn, boxes, rule), margin: Number(!(width && height)) };
}

/** The next generation of a tile; it grows on each side where it does not close. @param {string[]} tile @param {number[]} torus @param {string} table */
function stepTile(tile, [width = 0, height = 0], table) {
  const [w, h] = [tile[0]?.length ?? 0, tile.length];
  const [left, top] = [width ? 0 : GROWTH, height ? 0 : GROWTH];
  /** @param {number} i @param {number} j */
  const at = (i, j) => tile[height ? (j + h) % h : j]?.[width ? (i + w) % w : i] ?? ".";
  return Array.from({ length: h + 2 * top }, (_, j) => Array.from({ length: w + 2 * left }, (_, i) => {
    let index = ""; // the player's tables go down the columns
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) index += at(i - left + dx, j - top + dy) === "o" ? 1 : 0;
    return table[parseInt(index, 2)] === "1" ? "o" : ".";
  }).join(""));
}

/** A scene whose generations are all given. @param {{title: string, facts: string[]}} caption @param {string[][]} drawn @param {import("./encoder.js").Box[]} boxes @param {string} rule */
function makeFilm(caption, drawn, boxes, rule) {
  return {
    caption: { ...caption, code: "" }, rule, states: 2, tables: /** @type {string[]} */ ([]), phase: 0,
    frames: drawn.map((rows, t) => [boxes[t]?.x ?? 0, boxes[t]?.y ?? 0, writeRuns(rows).join("")]), length: drawn.length, loop: null,
    rate: chooseRate(drawn.length), margin: 1, rle: "", view: "cells",
  };
}

/** What is asked, to be shown until there is a better picture. @param {Problem} problem */
export function makeSketch(problem) {
  const boxes = listBoxes(problem);
  const drawn = boxes.map((box, t) => {
    const states = Array.from({ length: box.height }, () => Array.from({ length: box.width }, () => "?"));
    for (const known of problem.known ?? [])
      if (known.t === t)
        known.rows.forEach((row, j) => [...row].forEach((state, i) => {
          const line = states[j + (known.y ?? 0) - box.y];
          const x = i + (known.x ?? 0) - box.x;
          if (state !== "?" && line?.[x] !== undefined) line[x] = state;
        }));
    return states.map((row) => row.join(""));
  });
  return makeFilm({ title: "What is asked", facts: [`generations 0 to ${boxes.length - 1}`] }, drawn, boxes, problem.rule ?? "B3/S23");
}

/** Whether a solution is shown to who asks whether there is one. @param {Problem} problem */
const asksPast = ({ kind = "" }) => ["orphan", "forced"].includes(kind);

/** @param {Problem} problem */
const entitle = (problem) => (asksPast(problem) ? "parent" : problem.kind ?? "");

/** The generations that a problem asks about, from the first on. @param {Frame} first @param {Problem} problem @param {Known} known */
export function showSteps(first, problem, known) {
  const [rule, steps] = [problem.rule ?? "B3/S23", problem.steps ?? 0];
  const cells = countCells(populationOf(first), populationOf(first));
  const caption = { title: entitle(problem), facts: [cells, `generations 0 to ${steps}`, nameRule(rule, known)], code: "" };
  return { ...makeScene(first, rule, known), caption, length: steps + 1, loop: null, rate: chooseRate(steps + 1) };
}

/** A solution as the page shows it. @param {Problem} problem @param {string[][]} drawn @param {string} command @param {Known} known @param {Names} names */
export function showFind(problem, drawn, command, known, names) {
  const [rule, boxes] = [problem.rule ?? "B3/S23", listBoxes(problem)];
  const first = crop(makeFrame(drawn[0] ?? [], boxes[0] ?? { x: 0, y: 0 }));
  const by = `#C ${asksPast(problem) ? "A parent, found" : "Found"} and verified by ${command}`;
  if (problem.motion) {
    const scene = makeScene(first, rule, known, names);
    const words = [scene.caption.title, ...scene.caption.facts, scene.caption.code].join(", ");
    return { words, rle: [`#C ${words}`, by, scene.rle, ""].join("\n"), scene };
  }
  const rle = writePattern(first, rule);
  const cells = countCells(populationOf(first), populationOf(first));
  const title = entitle(problem);
  const scene = makeFilm({ title, facts: [cells, `generations 0 to ${boxes.length - 1}`, nameRule(rule, known)] }, drawn, boxes, rule);
  return { words: `${cells} in ${first.w}x${first.h}`, rle: [by, rle, ""].join("\n"), scene: { ...scene, rle } };
}
