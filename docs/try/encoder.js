// From a problem to clauses: a problem is what satlife's Problem.to_json writes, and the clauses of
// one cell come from Python (tables.json). Here cells are numbered, equal cells get one number,
// and the clauses are repeated for every cell that could live or be born.

import { findEntries, makeClauses } from "./rules.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{period: number, dx?: number, dy?: number}} Motion */
/** @typedef {{t: number, x?: number, y?: number, rows: string[]}} Known */
/**
 * @typedef {object} Problem
 * @property {string[]} boxes @property {number} [schema] @property {string} [kind] @property {string} [rule] @property {Motion} [motion]
 * @property {number} [steps] @property {string} [boundary] @property {string} [symmetry]
 * @property {Known[]} [known] @property {[number, number, number][]} [exempt]
 * @property {Constraint[]} [constraints]
 */
/** @typedef {number | "every" | "least" | "most" | "sum"} Which a generation, every one, the least or most populated one, or all together */
/** @typedef {{type: string, least?: number, most?: number, generation?: Which, x?: number, y?: number, rows?: string[]}} Constraint a bound on the population, or a drawing from which generation 0 differs; most have only a type */
/** @typedef {number[][]} Clauses literals 1 to 10: the nine cells from NW to SE, and the successor */
/** @typedef {import("./rules.js").Sorts & {rules: Record<string, number[]>, turns: Record<string, number[][]>}} Tables */
/**
 * @typedef {object} Formula
 * @property {boolean} clash whether the question contradicts itself
 * @property {number} variables @property {number} count of clauses
 * @property {Int32Array} literals of all clauses, each ended by 0
 * @property {(value: (variable: number) => boolean) => string[][]} decode
 */

const LIFE = "B3/S23";
/** The nodes of cells that are dead and alive; NONE is a cell of which nothing is asked. */
const [DEAD, ALIVE, NONE] = [0, 1, -1];
/** Their literals. */
const [FALSE, TRUE] = [-(2 ** 30), 2 ** 30];

/** Read a box with its place: "5x3-1-1". @param {string} text @returns {Box} */
export function readBox(text) {
  const [, width, height, x, y] = /^(\d+)x(\d+)([+-]\d+)?([+-]\d+)?$/.exec(text) ?? [];
  return { x: Number(x ?? 0), y: Number(y ?? 0), width: Number(width), height: Number(height) };
}

/** Unpack the clauses of a rule: ten bits for the cells that occur dead, ten for those alive. @param {number[]} packed @returns {Clauses} */
export function unpack(packed) {
  return packed.map((clause) => {
    const literals = [];
    for (let slot = 0; slot < 10; slot++) {
      if ((clause >> slot) & 1) literals.push(slot + 1);
      if ((clause >> (slot + 10)) & 1) literals.push(-slot - 1);
    }
    return literals;
  });
}

/** The least box around two. @param {Box} a @param {Box} b @returns {Box} */
function unite(a, b) {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.max(a.x + a.width, b.x + b.width) - x, height: Math.max(a.y + a.height, b.y + b.height) - y };
}

/** @param {Box} box @param {number} n @returns {Box} */
export const grow = (box, n) => ({ x: box.x - n, y: box.y - n, width: box.width + 2 * n, height: box.height + 2 * n });

/** @param {Box} box @returns {Generator<[number, number]>} */
export function* places(box) {
  for (let y = box.y; y < box.y + box.height; y++) for (let x = box.x; x < box.x + box.width; x++) yield [x, y];
}

/** 1, or with a seed 1 or -1 by chance. @param {number} place @param {number} [seed] */
const sign = (place, seed) => (seed === undefined ? 1 : Math.sign(Math.imul(Math.imul(place, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b), 0x2c1b3c6d) | 1));

/** The cells of a problem: equal ones have one node. Solvers try what is true first, so a seed makes some literals negative. */
export class SpaceTime {
  /** @param {Problem} problem @param {Tables["turns"]} turns @param {number} [seed] */
  constructor(problem, turns, seed) {
    this.motion = problem.motion ? { dx: 0, dy: 0, ...problem.motion } : null;
    this.steps = this.motion?.period ?? problem.steps ?? 0;
    this.free = problem.boundary === "free";
    const boxes = problem.boxes.map(readBox);
    this.boxes = Array.from({ length: this.steps + (this.motion ? 0 : 1) }, (_, t) => /** @type {Box} */ (boxes[boxes.length > 1 ? t : 0]));
    /** @type {number[]} the first node of each generation */
    this.first = [];
    let nodes = 2;
    for (const box of this.boxes) {
      this.first.push(nodes);
      nodes += box.width * box.height;
    }
    this.same = Int32Array.from({ length: nodes }, (_, node) => node);
    for (const turn of turns[problem.symmetry ?? "C1"] ?? []) this.#turn(turn);
    for (const known of problem.known ?? [])
      known.rows.forEach((row, y) => [...row].forEach((state, x) => {
        const node = this.at(x + (known.x ?? 0), y + (known.y ?? 0), known.t);
        if (state !== "?" && node !== NONE) this.join(node, state === "o" ? ALIVE : DEAD);
      }));
    this.clash = this.find(ALIVE) === this.find(DEAD);
    /** @type {Int32Array} the literal of each node */
    this.literals = new Int32Array(nodes);
    this.variables = 0;
    for (let node = 0; node < nodes; node++) {
      const root = this.find(node);
      if (node < 2) this.literals[node] = node === ALIVE ? TRUE : FALSE;
      else this.literals[node] = root === node ? ++this.variables * sign(node, seed) : /** @type {number} */ (this.literals[root]);
    }
  }

  /** Make the cells equal that a turn about the centre of the first box maps to each other. @param {number[]} turn */
  #turn([a, b, c, d] = []) {
    const box = /** @type {Box} */ (this.boxes[0]);
    const [u, v] = [2 * box.x + box.width - 1, 2 * box.y + box.height - 1]; // twice the centre
    this.boxes.forEach((each, t) => {
      for (const [x, y] of places(each)) {
        const [i, j] = [2 * x - u, 2 * y - v];
        const image = this.at((Number(a) * i + Number(b) * j + u) / 2, (Number(c) * i + Number(d) * j + v) / 2, t);
        if (image !== NONE) this.join(this.at(x, y, t), image);
      }
    });
  }

  /** @param {number} node */
  find(node) {
    const { same } = this;
    while (same[node] !== node) node = same[node] = /** @type {number} */ (same[/** @type {number} */ (same[node])]);
    return node;
  }

  /** @param {number} one @param {number} other */
  join(one, other) {
    const [a, b] = [this.find(one), this.find(other)];
    this.same[Math.max(a, b)] = Math.min(a, b);
  }

  /** The node of a cell; with a motion, generation p is generation 0 moved on. @param {number} x @param {number} y @param {number} t */
  at(x, y, t) {
    for (; this.motion && t >= this.steps; t -= this.steps) [x, y] = [x - this.motion.dx, y - this.motion.dy];
    const box = /** @type {Box} */ (this.boxes[t]);
    if (x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height) return this.free ? NONE : DEAD;
    return /** @type {number} */ (this.first[t]) + (y - box.y) * box.width + x - box.x;
  }

  /** The literal of a cell. @param {number} x @param {number} y @param {number} t */
  literal(x, y, t) {
    const node = this.at(x, y, t);
    return node === NONE ? FALSE : /** @type {number} */ (this.literals[node]);
  }

  /** The state of a cell, as far as it is clear: "o", ".", "?", or "-" where nothing is asked. @param {number} x @param {number} y @param {number} t */
  state(x, y, t) {
    const node = this.at(x, y, t);
    const literal = node === NONE ? 0 : this.literals[node];
    return node === NONE ? "-" : literal === TRUE ? "o" : literal === FALSE ? "." : "?";
  }

  /** The places whose step from t to t + 1 is asked for: all where a cell could be born. @param {number} t */
  centres(t) {
    const now = /** @type {Box} */ (this.boxes[t]);
    const then = this.boxes[t + 1] ?? { ...now, ...this.boxes[0], x: Number(this.boxes[0]?.x) + (this.motion?.dx ?? 0), y: Number(this.boxes[0]?.y) + (this.motion?.dy ?? 0) };
    return this.free ? then : grow(unite(now, then), 1);
  }

  /** A place that could hold a cell in any generation, or its image in a smaller period. */
  frame() {
    return grow(this.boxes.reduce(unite), Math.max(Math.abs(this.motion?.dx ?? 0), Math.abs(this.motion?.dy ?? 0)));
  }
}

/** Clauses as they are made; literals may be constants. */
class Writer {
  /** @param {number} variables */
  constructor(variables) {
    this.variables = variables;
    this.literals = new Int32Array(1 << 16);
    this.size = this.count = 0;
    /** @type {Map<string, number>} */
    this.differences = new Map();
  }

  /** Add a clause, without repeated and false literals, unless it is true. @param {Iterable<number>} clause */
  add(clause) {
    const kept = new Set(clause);
    for (const literal of kept) if (literal === TRUE || kept.has(-literal)) return;
    kept.delete(FALSE);
    this.write([...kept]);
  }

  /** Add a clause as it is. @param {number[]} clause */
  write(clause) {
    if (this.size + clause.length >= this.literals.length) {
      const more = new Int32Array(2 * (this.size + clause.length + 1));
      more.set(this.literals);
      this.literals = more;
    }
    for (const literal of clause) this.literals[this.size++] = literal;
    this.literals[this.size++] = 0;
    this.count++;
  }

  /** A literal that is true if and only if at least this many others are: they are counted one after another (Sinz 2005).
   * @param {number[]} literals @param {number} number @returns {number} */
  atLeast(literals, number) {
    if (number <= 0) return TRUE;
    if (number > literals.length) return FALSE;
    if (2 * number > literals.length + 1) return -this.atLeast(literals.map((each) => -each), literals.length - number + 1);
    /** @type {number[]} whether at least 1, 2 … of those so far are true */
    let counts = Array(number).fill(FALSE);
    for (const literal of literals)
      counts = counts.map((enough, k) => {
        const fewer = k ? /** @type {number} */ (counts[k - 1]) : TRUE;
        if (fewer === FALSE) return FALSE;
        const now = ++this.variables;
        for (const clause of [[-enough, now], [-literal, -fewer, now], [-now, enough, literal], [-now, enough, fewer]]) this.add(clause);
        return now;
      });
    return counts[number - 1] ?? TRUE;
  }

  /** A literal that is true only if two others differ. @param {number} a @param {number} b */
  differ(a, b) {
    if (a === b) return FALSE;
    for (const [one, other] of /** @type {[number, number][]} */ ([[a, b], [b, a]])) {
      if (one === FALSE) return other;
      if (one === TRUE) return -other;
    }
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    let d = this.differences.get(key);
    if (d === undefined) {
      this.differences.set(key, (d = ++this.variables));
      this.add([a, b, -d]);
      this.add([-a, -b, -d]);
    }
    return d;
  }
}

/** A bound on the live cells of one generation, or of several. @param {SpaceTime} cells @param {Writer} writer @param {Constraint} bound */
function addPopulation(cells, writer, { least = 0, most = Infinity, generation = 0 }) {
  const all = cells.boxes.map((box, t) => [...places(box)].map(([x, y]) => cells.literal(x, y, t)));
  const counted = generation === "sum" ? [all.flat()] : typeof generation === "number" ? all.slice(generation, generation + 1) : all;
  const enough = counted.map((literals) => writer.atLeast(literals, least));
  const few = counted.map((literals) => -writer.atLeast(literals, most + 1));
  // The most populated generation has enough if any has; the least populated one few if any has.
  for (const [each, any] of /** @type {[number[], boolean][]} */ ([[enough, generation === "most"], [few, generation === "least"]]))
    for (const clause of any ? [each] : each.map((literal) => [literal])) writer.add(clause);
}

/** Ask for a cell of generation 0 that is not as drawn. @param {SpaceTime} cells @param {Writer} writer @param {Constraint} drawn */
function addDifference(cells, writer, { x = 0, y = 0, rows = [] }) {
  writer.add(rows.flatMap((row, j) => [...row].flatMap((state, i) => (state === "?" ? [] : [cells.literal(x + i, y + j, 0) * (state === "o" ? -1 : 1)]))));
}

/** Leave out clauses that others imply, of a template with equal and constant cells. @param {Clauses} clauses @param {number[]} row @returns {Clauses} */
function simplify(clauses, row) {
  /** @type {Map<string, number[]>} */
  const kept = new Map();
  const first = row.map((literal) => row.indexOf(literal) + 1);
  for (const clause of clauses) {
    const value = clause.map((slot) => Math.sign(slot) * /** @type {number} */ (row[Math.abs(slot) - 1]));
    if (value.includes(TRUE) || value.some((literal) => value.includes(-literal))) continue;
    const slots = [...new Set(clause.filter((_, k) => value[k] !== FALSE).map((slot) => Math.sign(slot) * /** @type {number} */ (first[Math.abs(slot) - 1])))];
    kept.set(slots.sort((a, b) => a - b).join(), slots);
  }
  const sets = [...kept.values()].sort((a, b) => a.length - b.length);
  return sets.filter((slots, k) => !sets.slice(0, k).some((less) => less.length < slots.length && less.every((slot) => slots.includes(slot))));
}

/** Say how each generation follows from the one before. @param {SpaceTime} cells @param {Problem} problem @param {Clauses} clauses @param {Writer} writer */
function addTransitions(cells, problem, clauses, writer) {
  const exempt = new Set((problem.exempt ?? []).map((place) => place.join()));
  const counts = /^B\d*\/S\d*$/.test(problem.rule ?? LIFE); // the order of the neighbours does not matter
  const seen = new Set();
  /** @type {Map<string, Clauses>} */
  const simple = new Map();
  for (let t = 0; t < cells.steps; t++)
    for (const [x, y] of places(cells.centres(t))) {
      if (exempt.has([x, y, t + 1].join())) continue;
      const nodes = [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((i) => cells.at(x + i, y + j, t)));
      nodes.push(cells.at(x, y, t + 1));
      if (nodes.includes(NONE)) continue;
      const row = nodes.map((node) => /** @type {number} */ (cells.literals[node]));
      if (counts) {
        const around = row.filter((_, k) => k !== 4 && k !== 9).sort((a, b) => a - b);
        row.splice(0, 9, ...around.slice(0, 4), /** @type {number} */ (row[4]), ...around.slice(4));
      }
      const key = row.join();
      if (seen.has(key)) continue;
      seen.add(key);
      const shape = row.map((literal) => (Math.abs(literal) === TRUE ? literal : row.indexOf(literal))).join();
      let mine = simple.get(shape);
      if (!mine) simple.set(shape, (mine = simplify(clauses, row)));
      for (const clause of mine) writer.write(clause.map((slot) => Math.sign(slot) * /** @type {number} */ (row[Math.abs(slot) - 1])));
    }
}

/** Say that generation 0 is not empty. @param {SpaceTime} cells @param {Writer} writer */
function addNotEmpty(cells, writer) {
  writer.add([...places(/** @type {Box} */ (cells.boxes[0]))].map(([x, y]) => cells.literal(x, y, 0)));
}

/** Exclude the smaller periods: for a cell (it differs, in some generation, from itself p/q later), or for the pattern.
 * @param {SpaceTime} cells @param {Writer} writer @param {boolean} ofOneCell */
function addPeriod(cells, writer, ofOneCell) {
  const { period, dx, dy } = /** @type {{period: number, dx: number, dy: number}} */ (cells.motion);
  const parts = Array.from({ length: period }, (_, k) => k + 1).filter((q) => q > 1 && period % q === 0 && dx % q === 0 && dy % q === 0);
  if (!parts.length) return addNotEmpty(cells, writer);
  const around = [...places(cells.frame())];
  /** @param {number} x @param {number} y @param {number} t @param {number} q */
  const difference = (x, y, t, q) => writer.differ(cells.literal(x, y, t), cells.literal(x + dx / q, y + dy / q, t + period / q));
  if (!ofOneCell) {
    for (const q of parts) writer.add(around.map(([x, y]) => difference(x, y, 0, q)));
    return;
  }
  const selectors = around.map(([x, y]) => {
    const selector = ++writer.variables;
    for (const q of parts) writer.add([-selector, ...Array.from({ length: period }, (_, t) => difference(x, y, t, q))]);
    return selector;
  });
  writer.add(selectors);
}

/** Encode a problem; a seed shuffles. @param {Problem} problem @param {Tables} tables @param {number} [seed] @returns {Formula} */
export function encode(problem, tables, seed) {
  const cells = new SpaceTime(problem, tables.turns, seed);
  const writer = new Writer(cells.variables);
  const rule = problem.rule ?? LIFE;
  const packed = tables.rules[rule]; // the best clauses of some rules are there; of others, good ones are made
  addTransitions(cells, problem, packed ? unpack(packed) : makeClauses(findEntries(rule, tables)), writer);
  for (const constraint of problem.constraints ?? []) {
    const { type } = constraint;
    if (type === "population") addPopulation(cells, writer, constraint);
    else if (type === "difference") addDifference(cells, writer, constraint);
    else if (type === "not-empty") addNotEmpty(cells, writer);
    else if (type === "full-period" || type === "pattern-period") addPeriod(cells, writer, type === "full-period");
    else throw new Error(`the small edition does not know ${type}`);
  }
  return {
    clash: cells.clash,
    variables: writer.variables,
    count: writer.count,
    literals: writer.literals.subarray(0, writer.size),
    decode: (value) => cells.boxes.map((box, t) => Array.from({ length: box.height }, (_, j) => Array.from({ length: box.width }, (_, i) => {
      const literal = cells.literal(box.x + i, box.y + j, t);
      return (Math.abs(literal) === TRUE ? literal === TRUE : value(literal)) ? "o" : ".";
    }).join(""))),
  };
}
