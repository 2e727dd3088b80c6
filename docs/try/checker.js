// Does a solution solve its problem? By simulation alone: nothing of the encoder is used but what a
// problem is, and the cells are those of an unbounded plane, stepped by the player.

import { readBox } from "./encoder.js";
import { readTable, step } from "./player.js";
import { findTable } from "./rules.js";

/** @typedef {import("./encoder.js").Problem} Problem */
/** @typedef {{x: number, y: number, w: number, h: number, cells: Uint8Array}} Frame */
/** @typedef {Set<string>} Cells places, as "x,y" */

/** @param {string[]} rows @param {{x: number, y: number}} box @returns {Frame} */
export function makeFrame(rows, { x, y }) {
  const w = rows[0]?.length ?? 0;
  return { x, y, w, h: rows.length, cells: Uint8Array.from(rows.join(""), (state) => Number(state === "o")) };
}

/** @param {Frame} frame @returns {Cells} */
function list({ x, y, w, cells }) {
  const alive = new Set();
  cells.forEach((state, k) => state && alive.add(`${x + (k % w)},${y + Math.floor(k / w)}`));
  return alive;
}

/** @param {Cells} cells @param {(x: number, y: number) => [number, number]} map @returns {Cells} */
const carry = (cells, map) => new Set([...cells].map((place) => map(.../** @type {[number, number]} */ (place.split(",").map(Number))).join()));

/** @param {Cells} one @param {Cells} other */
const equal = (one, other) => one.size === other.size && [...one].every((place) => other.has(place));

/** The places of one that the other has not. @param {Cells} one @param {Cells} other */
const apart = (one, other) => [...one].filter((place) => !other.has(place));

/** Say what is wrong with a solution; nothing if it is one.
 * @param {Problem} problem @param {string[][]} drawn rows of "o" and "." for each generation
 * @param {import("./rules.js").Sorts & {turns: Record<string, number[][]>}} known of rules and symmetries */
export function complain(problem, drawn, known) {
  const boxes = problem.boxes.map(readBox);
  const boxAt = (/** @type {number} */ t) => /** @type {{x: number, y: number, width: number, height: number}} */ (boxes[boxes.length > 1 ? t : 0]);
  const table = readTable(findTable(problem.rule ?? "B3/S23", known));
  const { period = 0, dx = 0, dy = 0 } = problem.motion ?? {};
  const frames = drawn.map((rows, t) => makeFrame(rows, boxAt(t)));
  const life = frames.map(list);
  const exempt = new Set((problem.exempt ?? []).map((place) => place.join()));
  const moveOn = (/** @type {Cells[]} */ [first = new Set()]) => carry(first, (x, y) => [x + dx, y + dy]);
  for (const [t, frame] of frames.entries()) {
    const then = life[t + 1] ?? (period ? moveOn(life) : null);
    const next = list(step(frame, table, 2));
    const differs = then ? [...apart(next, then), ...apart(then, next)] : [];
    if (problem.boundary !== "free" && differs.some((place) => !exempt.has(`${place},${t + 1}`))) return `generation ${t + 1} does not follow from generation ${t}`;
    if (problem.boundary === "free" && then) life[t + 1] = next; // only given cells are asked for
  }
  const after = period ? [...life, moveOn(life)] : life;
  for (const { t, x = 0, y = 0, rows } of problem.known ?? [])
    for (const [j, row] of rows.entries())
      for (const [i, state] of [...row].entries())
        if (state !== "?" && Boolean(after[t]?.has(`${x + i},${y + j}`)) !== (state === "o")) return `cell (${x + i}, ${y + j}) of generation ${t} is not as given`;
  const [u, v] = [2 * boxAt(0).x + boxAt(0).width - 1, 2 * boxAt(0).y + boxAt(0).height - 1];
  for (const [a = 0, b = 0, c = 0, d = 0] of known.turns[problem.symmetry ?? "C1"] ?? [])
    for (const cells of life)
      if (!equal(cells, carry(cells, (x, y) => [(a * (2 * x - u) + b * (2 * y - v) + u) / 2, (c * (2 * x - u) + d * (2 * y - v) + v) / 2]))) return `it does not have the symmetry ${problem.symmetry}`;
  return (problem.constraints ?? []).map((each) => (holds(each, life, period, dx, dy) ? "" : `it is not true that it is ${each.type}`)).find(Boolean) ?? "";
}

/** @param {import("./encoder.js").Constraint} constraint @param {Cells[]} life @param {number} period @param {number} dx @param {number} dy */
function holds({ type, least = 0, most = Infinity, generation = 0, x: left = 0, y: top = 0, rows = [] }, life, period, dx, dy) {
  if (type === "population") {
    const counts = life.map((cells) => cells.size);
    const asked = typeof generation === "number" ? [counts[generation] ?? NaN]
      : { every: counts, least: [Math.min(...counts)], most: [Math.max(...counts)], sum: [counts.reduce((a, b) => a + b, 0)] }[generation];
    return asked.every((count) => least <= count && count <= most);
  }
  if (type === "difference") return rows.some((row, j) => [...row].some((state, i) => state !== "?" && Boolean(life[0]?.has(`${left + i},${top + j}`)) !== (state === "o")));
  /** Whether a cell lives, in any generation. @param {number} x @param {number} y @param {number} t */
  const lives = (x, y, t) => Boolean(life[t % period]?.has(`${x - dx * Math.floor(t / period)},${y - dy * Math.floor(t / period)}`));
  const parts = Array.from({ length: Math.max(0, period - 1) }, (_, k) => k + 2).filter((q) => !(period % q) && !(dx % q) && !(dy % q));
  if (type === "not-empty" || !parts.length) return Boolean(life[0]?.size);
  /** Whether a cell differs from itself p/q later. @param {number} x @param {number} y @param {number} t @param {number} q */
  const differs = (x, y, t, q) => lives(x, y, t) !== lives(x + dx / q, y + dy / q, t + period / q);
  const reach = Math.max(Math.abs(dx), Math.abs(dy));
  const all = new Set();
  for (const cells of life)
    for (const place of cells) {
      const [x = 0, y = 0] = place.split(",").map(Number);
      for (let i = -reach; i <= reach; i++) for (let j = -reach; j <= reach; j++) all.add(`${x + i},${y + j}`);
    }
  const places = [...all].map((place) => /** @type {[number, number]} */ (place.split(",").map(Number)));
  if (type === "pattern-period") return parts.every((q) => places.some(([x, y]) => differs(x, y, 0, q)));
  return type === "full-period" && places.some(([x, y]) => parts.every((q) => life.some((_, t) => differs(x, y, t, q))));
}
