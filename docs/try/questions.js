// Questions: from a filled form to the problem that satlife would build, its command and its sentence.
// What does not fit is Wrong, in the words and the field where a person can mend it; what only this
// edition cannot do is Beyond, and the command still says it.

import { SpaceTime, grow, places, readBox } from "./encoder.js";
import { readDrawing } from "./drawings.js";
import { Beyond, Wrong, checkSymmetry, count, joinWords, own, readBound, readMotion, readNumber, readProfile, readSymmetry, shorten, writeBox, writeMotion } from "./notation.js";
import { findEntries, readRule } from "./rules.js";

/** @typedef {import("./encoder.js").Box} Box */
/** @typedef {import("./encoder.js").Problem} Problem */
/** @typedef {import("./drawings.js").Drawing} Drawing */
/** @typedef {import("./notation.js").Known} Known */
/** @typedef {import("./notation.js").Motion} Motion */
/** @typedef {import("./notation.js").Parameter} Parameter */
/** @typedef {{kind: string, values: Record<string, any>}} Question */
/** @typedef {Record<string, string | number | boolean | string[]>} Given */
/** @typedef {import("./encoder.js").Constraint} Constraint */

/** Whether a field was left as it was. @param {unknown} value */
const isEmpty = (value) => value === undefined || value === "" || value === false || (Array.isArray(value) && !value.length);

/** @param {string} name */
const label = (name) => name.replaceAll("_", " ");

/** Check that a question from anywhere, say from a link, has the form of one. @param {any} given @returns {Question} */
export function checkForm(given) {
  const values = given?.values ?? {};
  if (typeof given?.kind !== "string" || typeof values !== "object" || Array.isArray(values)) throw new Wrong("", "this is not a question: it has no kind, or no values");
  return { kind: given.kind, values };
}

// ------------------------------------------------------------------ the problem

/** Build the problem of a question. @param {Question} question @param {Known} known @returns {Problem} */
export function readQuestion(question, known) {
  const { kind, values } = checkForm(question);
  const build = own(BUILDERS, kind);
  const parameters = own(known.kinds, kind);
  if (kind === "find") throw new Beyond("spec", "a problem file is given");
  if (!parameters) throw new Wrong("", `there is no kind of search '${shorten(kind)}'; the kinds are ${Object.keys(known.kinds).join(", ")}`);
  const unknown = Object.keys(values).find((name) => !parameters.some((each) => each.name === name));
  if (unknown !== undefined) throw new Wrong("", `a search of the kind ${kind} has no ${shorten(unknown)}`);
  if (!build) throw new Beyond("", `the question is about ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`);
  /** @type {Given} */
  const given = {};
  for (const each of parameters) {
    const value = own(values, each.name);
    if (isEmpty(value)) {
      if (each.required && each.name === "box") throw new Beyond("box", "no box is given");
      if (each.required) throw new Wrong(each.name, `${label(each.name)} is missing`);
      continue;
    }
    if (!each.taken) throw new Beyond(each.name, `there is the condition '${label(each.name)}'`);
    const types = { flag: ["boolean"], number: ["string", "number"] }[each.reader] ?? ["string"];
    const fits = each.many ? Array.isArray(value) && value.every((one) => typeof one === "string") : types.includes(typeof value);
    if (!fits) throw new Wrong(each.name, `${label(each.name)} is ${each.many ? "a list of texts" : each.reader === "flag" ? "true or false" : "a text"}`);
    given[each.name] = value;
  }
  const problem = tidy({ kind, schema: 1, ...build(given, known) });
  checkSize(problem, known);
  return problem;
}

/** @type {Record<string, (given: Given, known: Known) => Problem>} */
const BUILDERS = {
  "still-life": (given, known) => buildObject(given, known, { period: 1, dx: 0, dy: 0 }, [{ type: "not-empty" }]),
  oscillator(given, known) {
    const motion = readMotion(String(given.period), "period");
    if (motion.dx || motion.dy) throw new Wrong("period", `${given.period} moves; ask for a ship`);
    return buildObject(given, known, motion, [motion.period === 1 ? { type: "not-empty" } : { type: given.composite ? "pattern-period" : "full-period" }]);
  },
  ship(given, known) {
    const motion = readMotion(String(given.speed), "speed");
    if (!motion.dx && !motion.dy) throw new Wrong("speed", `${given.speed} does not move; ask for an oscillator`);
    return buildObject(given, known, motion, [{ type: given.composite ? "pattern-period" : "full-period" }, { type: "not-empty" }]);
  },
  complete: buildComplete,
  parent: buildParent,
  orphan: buildOrphan,
  forced: buildForced,
};

/** What is asked of the number of live cells; bounds on the same generation are one. @param {Given} given @param {number} generations @returns {Constraint[]} */
function readPopulation(given, generations) {
  /** @type {Map<import("./encoder.js").Which, Constraint>} */
  const merged = new Map();
  for (const text of /** @type {string[]} */ (given.population ?? [])) {
    const { least, most = Infinity, generation } = readBound(text, "population");
    if (typeof generation === "number" && generation >= generations) throw new Wrong("population", `there is no generation ${generation}: they are 0 to ${generations - 1}`);
    const before = merged.get(generation);
    merged.set(generation, { type: "population", generation, least: Math.max(least, before?.least ?? 0), most: Math.min(most, before?.most ?? Infinity) });
  }
  return [...merged.values()].flatMap(({ least = 0, most = Infinity, generation = 0 }) => {
    if (least > most) throw new Wrong("population", `nothing has at least ${least} and at most ${most} live cells in ${nameGeneration(generation)}; for a range write '${most}..${least}'`);
    return least || most < Infinity ? [{ type: "population", ...(least && { least }), ...(most < Infinity && { most }), ...(generation && { generation }) }] : [];
  });
}

/** @param {import("./encoder.js").Which} which */
const nameGeneration = (which) => (which === "every" ? "every generation" : which === "sum" ? "all generations together" : typeof which === "number" ? `generation ${which}` : `the ${which} populated generation`);

/** @param {Given} given @param {Known} known */
const ruleOf = (given, known) => readRule(String(given.rule ?? "B3/S23"), "rule", known);

/** @param {Given} given @param {Box} box @param {Motion | null} motion @param {Known} known */
function symmetryOf(given, box, motion, known) {
  const symmetry = readSymmetry(String(given.symmetry ?? "C1"), known);
  checkSymmetry(symmetry, box, motion, known);
  return symmetry;
}

/** @param {Given} given @param {Known} known @param {Motion} motion @param {Constraint[]} constraints @returns {Problem} */
function buildObject(given, known, motion, constraints) {
  const rule = ruleOf(given, known);
  const boxes = readProfile(String(given.box), motion.period);
  const symmetry = symmetryOf(given, /** @type {Box} */ (boxes[0]), motion, known);
  return { rule, boxes: boxes.map(writeBox), motion, symmetry, constraints: [...constraints, ...readPopulation(given, motion.period)] };
}

/** @param {Drawing} drawing @param {number} n @returns {Box} */
const boxOf = ({ x, y, cells }, n) => grow({ x, y, width: cells[0]?.[0]?.length ?? 0, height: cells[0]?.length ?? 0 }, n);

/** @param {Given} given @param {Known} known @returns {Problem} */
function buildComplete(given, known) {
  const drawing = readDrawing(String(given.partial), "partial", known);
  const margin = readNumber(/** @type {string} */ (given.margin ?? 0), "margin", 0);
  if (!boxOf(drawing, 0).width) throw new Wrong("partial", "there is nothing to complete: the pattern has no cells");
  const rule = given.rule === undefined ? drawing.rule || "B3/S23" : ruleOf(given, known);
  const box = boxOf(drawing, margin);
  const generations = drawing.cells.length;
  const drawn = drawing.cells.map((rows, t) => ({ t, x: drawing.x, y: drawing.y, rows }));
  const exempt = drawing.exempt.filter(([, , t]) => t).sort(byPlace);
  if (generations > 1 && given.motion === undefined) {
    const symmetry = symmetryOf(given, box, null, known);
    return { rule, boxes: [writeBox(box)], steps: generations - 1, symmetry, known: drawn, exempt, constraints: readPopulation(given, generations) };
  }
  const motion = readMotion(String(given.motion ?? "p1"), "motion");
  if (generations > motion.period + 1) throw new Wrong("motion", `${generations} generations do not fit into the period ${motion.period}`);
  const constraints = [...readPopulation(given, motion.period), ...(motion.period > 1 ? [{ type: given.full_period ? "full-period" : "pattern-period" }] : [])];
  return { rule, boxes: [writeBox(box)], motion, symmetry: symmetryOf(given, box, motion, known), known: drawn, exempt, constraints };
}

/** @param {[number, number, number]} a @param {[number, number, number]} b */
const byPlace = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Read a drawing of one generation. @param {Given} given @param {Known} known */
function readPattern(given, known) {
  const text = String(given.pattern);
  const drawing = readDrawing(text, "pattern", known);
  if (!drawing.rule) throw new Wrong("pattern", "a grid of Logic Life Search is for a drawing to complete; write RLE or plaintext here");
  return drawing;
}

/** @param {Given} given @param {Known} known @returns {Problem} */
function buildParent(given, known) {
  let drawing = readPattern(given, known);
  const generations = readNumber(/** @type {string} */ (given.generations ?? 1), "generations", 1);
  const margin = readNumber(/** @type {string} */ (given.margin ?? 1), "margin", 0);
  // Without unknown cells it is a pattern, of which dead cells at the edge are no part.
  if (!drawing.cells[0]?.some((row) => row.includes("?"))) drawing = trim(drawing);
  if (!boxOf(drawing, 0).width) throw new Wrong("pattern", "the pattern is empty, and so may its ancestors be: nothing to search");
  if (generations > known.limits.cells) throw new Beyond("generations", `${generations} generations back are many`);
  const boxes = Array.from({ length: generations + 1 }, (_, t) => writeBox(boxOf(drawing, margin * (generations - t))));
  return { rule: drawing.rule, boxes, steps: generations, known: [{ t: generations, x: drawing.x, y: drawing.y, rows: drawing.cells[0] ?? [] }], constraints: readPopulation(given, generations + 1) };
}

/** @param {Given} given @param {Known} known @returns {Problem} */
function buildOrphan(given, known) {
  const drawing = readPattern(given, known);
  const rows = drawing.cells[0] ?? [];
  if (!boxOf(drawing, 0).width) throw new Wrong("pattern", "the pattern has no cells; everything is a parent of nothing");
  /** @type {[number, number, number][]} */
  const exempt = rows.flatMap((row, j) => [...row].flatMap((state, i) => (state === "?" ? [/** @type {[number, number, number]} */ ([drawing.x + i, drawing.y + j, 1])] : [])));
  return { rule: drawing.rule, boxes: [writeBox(boxOf(drawing, 1)), writeBox(boxOf(drawing, 0))], steps: 1, boundary: "free", known: [{ t: 1, x: drawing.x, y: drawing.y, rows }], exempt: exempt.sort(byPlace) };
}

/** Ask for a parent that differs from the drawing, in its place. @param {Given} given @param {Known} known @returns {Problem} */
function buildForced(given, known) {
  const asked = buildOrphan(given, known);
  const { x = 0, y = 0, rows = [] } = asked.known?.[0] ?? {};
  if (!/[o.]/.test(rows.join(""))) throw new Wrong("pattern", "no cell of the pattern is known; there is nothing that it could force");
  const edge = "?".repeat((rows[0]?.length ?? 0) + 2);
  return { ...asked, constraints: [{ type: "difference", least: 1, ...(x !== 1 && { x: x - 1 }), ...(y !== 1 && { y: y - 1 }), rows: [edge, ...rows.map((row) => `?${row}?`), edge] }] };
}

/** Cut a drawing to the cells that are not dead, or with another letter not that. @param {Drawing} drawing @param {string} [empty] @returns {Drawing} */
function trim({ x, y, cells, ...rest }, empty = ".") {
  const rows = cells[0] ?? [];
  const filled = rows.flatMap((row, j) => ([...row].some((state) => state !== empty) ? [j] : []));
  const columns = [...(rows[0] ?? "")].flatMap((_, i) => (rows.some((row) => row[i] !== empty) ? [i] : []));
  const [top = 0, bottom = -1, left = 0, right = -1] = [filled[0], filled.at(-1), columns[0], columns.at(-1)];
  const cut = rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1));
  return { x: cut.length ? x + left : 0, y: cut.length ? y + top : 0, cells: [cut], ...rest };
}

/** Leave out what is as always, and write known cells without what is unknown around them. @param {Problem} problem @returns {Problem} */
function tidy({ rule, boxes, motion, symmetry, known, exempt, constraints, ...rest }) {
  const same = boxes.every((box) => box === boxes[0]);
  const drawn = (known ?? []).map(({ t, x = 0, y = 0, rows }) => ({ t, ...trim({ x, y, cells: [rows], rule: "", exempt: [] }, "?") })).filter(({ cells }) => cells[0]?.length);
  return {
    ...rest,
    boxes: same ? boxes.slice(0, 1) : boxes,
    ...(rule !== "B3/S23" && { rule: rule ?? "" }),
    ...(motion && { motion: { period: motion.period, ...(motion.dx && { dx: motion.dx }), ...(motion.dy && { dy: motion.dy }) } }),
    ...(symmetry && symmetry !== "C1" && { symmetry }),
    ...(drawn.length && { known: drawn.map(({ t, x, y, cells }) => ({ t, rows: cells[0] ?? [], ...(x && { x }), ...(y && { y }) })) }),
    ...(exempt?.length && { exempt }),
    ...(constraints?.length && { constraints }),
  };
}

/** The box of every generation. @param {Problem} problem @returns {Box[]} */
export function listBoxes(problem) {
  const boxes = problem.boxes.map(readBox);
  const generations = problem.motion?.period ?? (problem.steps ?? 0) + 1;
  return Array.from({ length: generations }, (_, t) => /** @type {Box} */ (boxes[boxes.length > 1 ? t : 0]));
}

/** @param {Problem} problem @param {Known} known */
function checkSize(problem, known) {
  const areas = problem.boxes.map(readBox).map(({ width, height }) => width * height);
  const generations = problem.motion?.period ?? (problem.steps ?? 0) + 1;
  const cells = areas.reduce((sum, area) => sum + area, 0) * (areas.length > 1 ? 1 : generations);
  const field = ["box", "margin"].find((name) => known.kinds[problem.kind ?? ""]?.some((each) => each.name === name && each.taken)) ?? "pattern";
  if (cells > known.limits.largest) throw new Wrong(field, `${cells.toLocaleString("en")} cells are too many; ${known.limits.largest.toLocaleString("en")} is the most`);
  if (cells > known.limits.cells) throw new Beyond(field, `these are ${cells.toLocaleString("en")} cells in all generations together, and ${known.limits.cells.toLocaleString("en")} is the most here`);
  for (const { type, least = 0, most = 0, generation = 0 } of problem.constraints ?? []) {
    const [all, together] = [typeof generation === "number" ? cells / generations : cells, generation === "sum" ? cells : cells / generations];
    if (type === "population" && all * Math.min(Math.max(least, most), together / 2) > MOST_COUNTERS) throw new Beyond("population", "counting so many cells needs a larger formula than this page can build");
  }
}

/** Of more counters than these, formulas are too large. */
const MOST_COUNTERS = 60_000;

// ------------------------------------------------------------------ the command and the sentence

/** Write the command that asks the same; nothing if there is none. @param {Question} question @param {Known} known */
export function writeCommand({ kind, values }, known) {
  if (kind === "find") return "satlife find --spec problem.toml";
  const parameters = own(known.kinds, kind);
  if (!parameters) return "";
  const words = ["satlife", kind];
  /** @type {string[]} */
  const options = [];
  for (const each of parameters) {
    const value = own(values, each.name);
    if (isEmpty(value)) continue;
    for (const one of each.many && Array.isArray(value) ? value : [value]) {
      if (!each.option) words.push(writeValue(each, one));
      else if (one === true) options.push(each.option);
      else options.push(each.option, ...(Array.isArray(one) ? [fileName(each), ...one.slice(1).map(String)] : [writeValue(each, one)]));
    }
  }
  return joinWords([...words, ...options]);
}

/** @param {Parameter} parameter */
const fileName = ({ name }) => (name === "partial" ? "partial.txt" : `${name}.rle`);

/** @param {Parameter} parameter @param {unknown} value */
function writeValue(parameter, value) {
  const isText = parameter.reader.includes("file") && /[\n$!]/.test(String(value));
  return isText || parameter.reader === "file" ? fileName(parameter) : String(value);
}

/** Say in one sentence, without a full stop, what a problem asks. @param {Problem} problem @param {Known} known */
export function describe(problem, known) {
  const said = [`a pattern of ${problem.rule ?? "B3/S23"}${describeMotion(problem)}`, `${describeBoxes(problem)}, ${problem.boundary === "free" ? "cells outside are unconstrained" : "all outside is dead"}`];
  if (problem.symmetry) said.push(`it has the symmetry ${problem.symmetry}`);
  for (const { t, rows } of problem.known ?? []) {
    const cells = rows.join("").replaceAll("?", "").length;
    said.push(`${count(cells, "cell")} of generation ${t} ${cells === 1 ? "is" : "are"} known`);
  }
  if (problem.exempt) said.push(`${count(problem.exempt.length, "cell")} exempt from the rule`);
  for (const each of problem.constraints ?? []) said.push(describeConstraint(each) || (own(known.words, each.type) ?? each.type));
  return said.join("; ");
}

/** Describe a condition that has numbers. @param {Constraint} constraint */
function describeConstraint({ type, least = 0, most = Infinity, generation = 0, rows = [] }) {
  if (type === "difference") return `at least 1 cell of generation 0 is not as in a drawing of ${count(rows.join("").split("o").length - 1, "live cell")}`;
  if (type !== "population") return "";
  const numbers = least === most ? `exactly ${least}` : [least || most === Infinity ? `at least ${least}` : "", most < Infinity ? `at most ${most}` : ""].filter(Boolean).join(" and ");
  return `${numbers} ${(most < Infinity ? most : least) === 1 ? "cell" : "cells"} in ${nameGeneration(generation)}`;
}

/** Say it in a few words. @param {Problem} problem */
export function describeShort({ kind, motion, boxes, symmetry, rule }) {
  const moves = motion ? writeMotion({ dx: 0, dy: 0, ...motion }) : "";
  const size = (boxes.at(-1) ?? "").split(/[+-]/)[0];
  const words = kind === "forced" ? `other parent of ${size}` : kind === "parent" || kind === "orphan" ? `parent of ${size}` : `${moves === "p1" ? "still life" : moves || "pattern"} in ${size}`;
  return [words, symmetry, rule].filter(Boolean).join(", ");
}

/** @param {Problem} problem */
function describeMotion({ motion, steps }) {
  if (!motion) return steps ? ` and its next ${count(steps, "generation")}` : "";
  const { period, dx = 0, dy = 0 } = motion;
  if (dx || dy) return ` that moves by (${dx}, ${dy}) in ${count(period, "generation")}`;
  return period === 1 ? " that does not change" : ` of period ${period}`;
}

/** @param {Problem} problem */
function describeBoxes(problem) {
  const boxes = problem.boxes;
  const last = (problem.motion?.period ?? (problem.steps ?? 0) + 1) - 1;
  if (boxes.length === 1) return `${last ? `generations 0 to ${last} are` : "generation 0 is"} in a ${boxes[0]} box`;
  const words = [];
  for (let first = 0, t = 1; t <= boxes.length; t++)
    if (boxes[t] !== boxes[first]) {
      words.push(`${boxes[first]} in ${first === t - 1 ? `generation ${first}` : `generations ${first} to ${t - 1}`}`);
      first = t;
    }
  return `the boxes are ${words.join(", ")}`;
}

// ------------------------------------------------------------------ what follows before a search

/** Say which cells follow from a drawing by symmetry, and which cannot be as drawn. @param {Problem} problem @param {Known} known */
export function lookAt(problem, known) {
  const space = new SpaceTime(problem, known.turns);
  if (space.clash) return { cells: [], places: [], wrong: [], clash: describeClash(problem, known) };
  const letters = space.boxes.map((box) => Array.from({ length: box.height }, () => ""));
  space.boxes.forEach((box, t) => {
    for (const [x, y] of places(box)) /** @type {string[]} */ (letters[t])[y - box.y] += space.state(x, y, t);
  });
  return { cells: letters, places: space.boxes.map(({ x, y }) => [x, y]), wrong: findWrong(space, problem, known), clash: "" };
}

/** Find cells (x, y, t) that cannot follow, whatever the unknown cells are. @param {SpaceTime} space @param {Problem} problem @param {Known} known */
function findWrong(space, problem, known) {
  const table = findEntries(problem.rule ?? "B3/S23", known);
  const exempt = new Set((problem.exempt ?? []).map((place) => place.join()));
  /** @type {Map<string, boolean>} */
  const fits = new Map();
  const wrong = [];
  for (let t = 0; t < space.steps; t++)
    for (const [x, y] of places(space.centres(t))) {
      const then = space.state(x, y, t + 1);
      if ((then !== "o" && then !== ".") || exempt.has(`${x},${y},${t + 1}`)) continue;
      let around = "";
      for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) around += space.state(x + i, y + j, t);
      if (around.includes("-")) continue; // nothing is asked of a cell there
      const key = around + then;
      let fit = fits.get(key);
      if (fit === undefined) {
        const fixed = parseInt(around.replace(/[o.]/g, "1").replaceAll("?", "0"), 2);
        const alive = parseInt(around.replaceAll("o", "1").replace(/[.?]/g, "0"), 2);
        fits.set(key, (fit = table.some((next, k) => (k & fixed) === alive && next === (then === "o"))));
      }
      if (fit) continue;
      const last = problem.motion && t + 1 >= problem.motion.period;
      wrong.push(last ? [x - (problem.motion?.dx ?? 0), y - (problem.motion?.dy ?? 0), 0] : [x, y, t + 1]);
    }
  return wrong;
}

/** Say which known cells contradict each other. @param {Problem} problem @param {Known} known */
function describeClash(problem, known) {
  const space = new SpaceTime({ ...problem, known: [] }, known.turns);
  /** @type {Map<number, [string, string]>} */
  const seen = new Map();
  for (const { t, x = 0, y = 0, rows } of problem.known ?? [])
    for (const [j, row] of rows.entries())
      for (const [i, state] of [...row].entries()) {
        const fixed = state === "?" ? "-" : space.state(x + i, y + j, t);
        if (fixed === "-") continue;
        const where = `cell (${x + i}, ${y + j}) of generation ${t}`;
        const word = state === "o" ? "alive" : "dead";
        if (fixed !== "?" && fixed !== state) return `${where} is given ${word}, but it is outside the box, or equal to a cell that is`;
        const root = space.find(space.at(x + i, y + j, t));
        const other = seen.get(root);
        if (other && other[0] !== state) return `${where} is given ${word}, which contradicts ${other[1]}`;
        if (!other) seen.set(root, [state, where]);
      }
  return "the known cells contradict each other, the symmetry or the motion";
}
