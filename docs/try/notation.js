// What people write in the fields of a question: motions, boxes, symmetries, numbers; rules.js has the
// rules. The notations and most messages are satlife's; which symmetries there are stands in tables.json.

/** @typedef {import("./encoder.js").Box} Box */
/** @typedef {{period: number, dx: number, dy: number}} Motion */
/** @typedef {{name: string, option: string, reader: string, many: boolean, required: boolean, taken: boolean}} Parameter */
/**
 * @typedef {object} Known what Python has written into tables.json
 * @property {Record<string, number[]>} rules the clauses of some, and below how neighbourhoods are sorted
 * @property {string[]} sorts @property {number[]} neighbourhoods
 * @property {Record<string, number[][]>} turns
 * @property {Record<string, string>} names of rules, in small letters without blanks
 * @property {Record<string, string>} titles of rules
 * @property {Record<string, {name: string, words: string, square: boolean, parities: [number, number][], like: string[]}>} boxes that symmetries fit, and what these mean
 * @property {Record<string, string>} spellings of symmetries
 * @property {Record<string, Parameter[]>} kinds
 * @property {Record<string, string>} words of conditions
 * @property {Record<string, {found: string, impossible: string, vacuous: string}>} answers of kinds, if they are special
 * @property {{cells: number, seconds: number, largest: number}} limits
 */

/** What is wrong with a question, and in which field. */
export class Wrong extends Error {
  /** @param {string} field @param {string} words */
  constructor(field, words) {
    super(words.charAt(0).toUpperCase() + words.slice(1));
    this.field = field;
  }
}

/** A question that makes sense to satlife, but not to this edition. */
export class Beyond extends Wrong {
  /** @param {string} field @param {string} words what the edition does not do @param {string} [ending] */
  constructor(field, words, ending = ". This page cannot do that without a server; satlife itself can: copy the command") {
    super(field, words + ending);
    this.alone = new Wrong(field, words).message;
  }
}

/** Return what an object has of that name itself; nothing that every object has. @template T @param {Record<string, T>} object @param {string} name @returns {T | undefined} */
export const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

/** @param {string} text */
export const shorten = (text) => (text.length <= 40 ? text : `${text.slice(0, 12)}... (${text.length} characters)`);

/** @param {number} number @param {string} noun */
export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Read a whole number. @param {string | number} given @param {string} field @param {number} least */
export function readNumber(given, field, least) {
  const text = String(given).trim();
  if (!/^[+-]?\d+$/.test(text)) throw new Wrong(field, `'${shorten(text)}' is not a whole number`);
  if (text.replace(/^[+-]?0*/, "").length > 9) throw new Wrong(field, `${shorten(text)} is too large a number`);
  if (Number(text) < least) throw new Wrong(field, `${field} is at least ${least}, got ${Number(text)}`);
  return Number(text);
}

/** Read a bound on the population: >=36, <=20@3, 20..36@every. @param {string} given @param {string} field @returns {{least: number, most?: number, generation: import("./encoder.js").Which}} */
export function readBound(given, field) {
  const [, bound = "", which] = /^([^@]*)(?:@(.*))?$/.exec(given) ?? [];
  const generation = which === undefined ? 0 : /^\d+$/.test(which.trim()) ? readNumber(which, field, 0) : which.trim();
  if (typeof generation === "string" && !/^(every|least|most|sum)$/.test(generation)) throw new Wrong(field, `'${shorten(which ?? "")}' is not a generation; write a number, every, least, most or sum`);
  const when = /** @type {import("./encoder.js").Which} */ (generation);
  const [range, from = "", to = ""] = /^(\d*)\.\.(\d*)$/.exec(bound.trim()) ?? [];
  if (from || to) {
    const [least, most] = [readNumber(from || "0", field, 0), to ? readNumber(to, field, 0) : undefined];
    if (most !== undefined && least > most) throw new Wrong(field, `the range ${range} is empty; write the lower number first`);
    return { least, ...(most !== undefined && { most }), generation: when };
  }
  const [whole, sign = "=", digits = ""] = /^(<=|>=|==?|<|>)?\s*(\d+)$/.exec(bound.trim()) ?? [];
  if (!whole) throw new Wrong(field, `'${shorten(bound)}' is not a bound; write >=36, <=20, =9 or 20..36`);
  const number = readNumber(digits, field, 0);
  const least = sign.startsWith("<") ? 0 : number + Number(sign === ">");
  const most = number - Number(sign === "<");
  if (most < 0 && sign === "<") throw new Wrong(field, `nothing is ${bound.trim()}: no number here is negative`);
  return { least, ...(!sign.startsWith(">") && { most }), generation: when };
}

/** Read a period or a speed. @param {string} notation @param {string} field @returns {Motion} */
export function readMotion(notation, field) {
  const text = notation.replaceAll(" ", "");
  const [period, dx, dy] = splitMotion(text, notation, field);
  const far = Math.max(Math.abs(dx), Math.abs(dy));
  if (period < 1) throw new Wrong(field, `a period is at least 1, got ${period}`);
  if (far > period) throw new Wrong(field, `nothing moves ${count(far, "cell")} in ${count(period, "generation")}: the speed of light is one cell in each`);
  return { period, dx, dy };
}

/** @param {string} text @param {string} notation @param {string} field @returns {[number, number, number]} */
function splitMotion(text, notation, field) {
  let match = /^p?(\d{1,6})$/.exec(text);
  if (match) return [Number(match[1]), 0, 0];
  match = /^\((\d{1,6}),(\d{1,6})\)c\/(\d{1,6})$/.exec(text);
  if (match) {
    const [near = 0, far = 0] = [Number(match[1]), Number(match[2])].sort((a, b) => a - b);
    return [Number(match[3]), 0 - near, 0 - far];
  }
  match = /^(\d{0,6})c(?:\/(\d{1,6}))?(orthogonal|diagonal|o|d)?$/.exec(text);
  const cells = Number(match?.[1] || 1);
  if (match && cells) return [Number(match[2] || 1), match[3]?.startsWith("d") ? -cells : 0, -cells];
  match = /^(\d*c)(\d+[od]?)$/.exec(text);
  const hint = match ? `is not a speed; did you mean ${match[1]}/${match[2]}?` : "is not a motion; write a period (p5) or a speed (c/3, 2c/5, c/4d, (2,1)c/6)";
  throw new Wrong(field, `'${shorten(notation)}' ${hint}`);
}

/** Write a motion, whatever its direction. @param {Motion} motion */
export function writeMotion({ period, dx, dy }) {
  const [near = 0, far = 0] = [Math.abs(dx), Math.abs(dy)].sort((a, b) => a - b);
  if (!far) return `p${period}`;
  if (near && near !== far) return `(${far},${near})c/${period}`;
  return `${far > 1 ? far : ""}c${period > 1 || near ? `/${period}` : ""}${near ? "d" : ""}`;
}

/** @param {number} number */
const sign = (number) => (number < 0 ? String(number) : `+${number}`);

/** Write a box with its place. @param {Box} box */
export const writeBox = ({ x, y, width, height }) => `${width}x${height}${x || y ? sign(x) + sign(y) : ""}`;

/** Read one box for all generations, or one for each: 10x13,8x13*9. @param {string} given @param {number} generations @returns {Box[]} */
export function readProfile(given, generations) {
  const text = given.replaceAll(" ", "").replaceAll("×", "x").toLowerCase();
  if (/^\d+x\*$/.test(text)) throw new Beyond("box", `${shorten(text)} has any height`);
  /** @type {Box[]} */
  const boxes = [];
  let many = 0;
  for (const part of text.split(",")) {
    const match = /^(\d+)x(\d+)(?:([+-]\d+)([+-]\d+))?(?:\*(\d+))?$/.exec(part);
    if (!match) throw new Wrong("box", `'${shorten(part)}' is not a box; ${advise(text)}`);
    const [width, height] = [readNumber(match[1] ?? "", "box", 0), readNumber(match[2] ?? "", "box", 0)];
    if (!width || !height) throw new Wrong("box", `the box ${width}x${height} has no cells; both sizes are at least 1`);
    const first = boxes[0] ?? { width, height };
    const box = {
      x: Math.floor((first.width - width) / 2) + readNumber(match[3] ?? "0", "box", -Infinity),
      y: Math.floor((first.height - height) / 2) + readNumber(match[4] ?? "0", "box", -Infinity), width, height,
    };
    const times = readNumber(match[5] ?? "1", "box", 0);
    many += times;
    for (let k = 0; k < times && boxes.length < generations; k++) boxes.push(box);
  }
  if (many !== 1 && many !== generations) throw new Wrong("box", `the profile '${shorten(text)}' has ${many} boxes for ${count(generations, "generation")}; give one${generations > 1 ? ` for all of them, or ${generations}` : ""}`);
  return boxes;
}

/** @param {string} text */
function advise(text) {
  let match = /^(\d+)$/.exec(text);
  if (match) return `write the width and the height: ${shorten(text)}x${shorten(text)}`;
  match = /^(\d+),(\d+)$/.exec(text);
  return match ? `write ${match[1]}x${match[2]}` : "write for example 16x7, or 10x13,8x13*9";
}

/** Read a symmetry's name. @param {string} given @param {Known} known */
export function readSymmetry(given, known) {
  const [first = "", second = ""] = given.trim().split(":");
  const [lower, upper] = [first, second || first].map((name) => own(known.spellings, name) ?? name);
  for (const name of [lower ?? "", upper ?? ""]) if (!Object.hasOwn(known.turns, name)) throw new Wrong("symmetry", `no symmetry '${shorten(name)}'; there are ${Object.keys(known.turns).join(", ")}`);
  if (lower !== upper) throw new Beyond("symmetry", `'${shorten(given)}' is a symmetry in time`);
  return lower ?? "C1";
}

/** Check that a symmetry fits the box and the motion. @param {string} name @param {Box} box @param {Motion | null} motion @param {Known} known */
export function checkSymmetry(name, box, motion, known) {
  /** @param {string} each */
  const fits = (each) => {
    const wanted = own(known.boxes, each);
    return wanted && (box.width === box.height || !wanted.square) && wanted.parities.some(([w, h]) => box.width % 2 === w && box.height % 2 === h);
  };
  const wanted = own(known.boxes, name);
  if (!fits(name)) {
    const others = wanted?.like.filter(fits) ?? [];
    throw new Wrong("symmetry", `${name} needs ${wanted?.words}, got ${box.width}x${box.height}${others.length ? `; use ${others.join(" or ")}` : ""}`);
  }
  const { dx, dy } = motion ?? { dx: 0, dy: 0 };
  if ((own(known.turns, name) ?? []).some(([a = 0, b = 0, c = 0, d = 0]) => a * dx + b * dy !== dx || c * dx + d * dy !== dy)) {
    const where = dx && dy ? (Math.abs(dx) === Math.abs(dy) ? "diagonally" : "obliquely") : "north or south";
    const may = dx === dy ? "C1, D2\\ or C1:D2\\" : dx ? "C1 only" : "C1, D2|, C1:D2|";
    throw new Wrong("symmetry", `a pattern with symmetry ${name} cannot move ${where}; it may have ${may}`);
  }
}

/** Write words as a shell reads them. @param {string[]} words */
export const joinWords = (words) => words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)).join(" ");
