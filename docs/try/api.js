// What `satlife serve` answers, answered in the browser: this file takes the place of the page's own
// api.js, with the same exports. Searches run in workers; nothing leaves the machine.

import { Refusal } from "./dom.js";
import { readDrawing } from "./drawings.js";
import { loadNames } from "./identity.js";
import { Beyond, Wrong, own } from "./notation.js";
import { checkForm, describe, describeShort, lookAt, readQuestion, writeCommand } from "./questions.js";
import { makeFrame } from "./checker.js";
import { makeScene, makeSketch, makeTiles, showFind, showSteps } from "./scene.js";

/** @typedef {import("./notation.js").Known} Known */
/** @typedef {import("./questions.js").Question} Question */
/** @typedef {(kind: string, content: any, number: number) => void} Hear */

/** @param {string} name */
const load = (name) => fetch(new URL(`./${name}.json`, import.meta.url)).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`${name}.json is missing`))));
/** @type {Promise<Known> | undefined} */
let loaded;
/** @returns {Promise<Known>} */
const know = () => (loaded ??= load("tables"));

/**
 * Answer a request.
 * @param {string} method @param {string} path @param {any} [content] @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(method, path, content, signal) {
  const known = await know();
  signal?.throwIfAborted();
  try {
    return await answer(`${method} ${path}`, content, known);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const command = error instanceof Beyond ? writeSafely(content?.question ?? content, known) : "";
    throw new Refusal(error instanceof Beyond && !command ? error.alone : error.message, 422, error.field, command);
  }
}

/** @param {any} question @param {Known} known */
function writeSafely(question, known) {
  return typeof question?.kind === "string" ? writeCommand(checkForm(question), known) : "";
}

/** @param {string} request @param {any} content @param {Known} known */
async function answer(request, content, known) {
  const [, job] = /^(?:GET|DELETE) \/api\/jobs\/(.+)$/.exec(request) ?? [];
  if (job) return stopJob(job, request.startsWith("DELETE"));
  switch (request) {
    case "GET /api/start": return load("start");
    case "POST /api/check": return check(checkForm(content), known);
    case "POST /api/read": return read(content.text, known);
    case "POST /api/scene": return show(content.text, content.question, known);
    case "POST /api/offers": return [];
    case "GET /api/jobs": return [...jobs.values()].reverse().map((each) => each.describe());
    case "POST /api/jobs": return submit(content, known);
    case "GET /api/history": return readRows();
    default: throw new Refusal("This page has no server", 404, "");
  }
}

/** @param {Question} question @param {Known} known */
function check(question, known) {
  const problem = readQuestion(question, known);
  return { kind: question.kind, goal: "find", question, sentence: describe(problem, known), command: writeCommand(question, known), limit: 60, seen: lookAt(problem, known) };
}

/** @param {unknown} text @param {Known} known */
function read(text, known) {
  const { x: left, y: top, cells, rule, exempt } = readDrawing(String(text), "", known);
  for (const [x, y, t] of exempt) {
    const row = cells[t]?.[y] ?? "";
    if (t && row[x] !== "?") throw new Beyond("", "known cells that need not follow are given");
    if (cells[t] && row[x] === "?") cells[t][y] = `${row.slice(0, x)}*${row.slice(x + 1)}`;
  }
  return { x: left, y: top, width: cells[0]?.[0]?.length ?? 0, height: cells[0]?.length ?? 0, rule: /rule/i.test(String(text)) ? rule : "", cells };
}

/** Show a pattern; if it answers a question about some generations, these. @param {unknown} text @param {any} question @param {Known} known */
async function show(text, question, known) {
  const { x, y, cells, rule, torus } = readDrawing(String(text), "", known, true);
  const rows = cells[0] ?? [];
  if (rows.some((row) => row.includes("?"))) throw new Wrong("", "not a complete pattern: some cells are unknown");
  if (torus) return makeTiles(rows, torus, rule, known);
  const first = makeFrame(rows, { x, y });
  try {
    const problem = question && readQuestion(checkForm(question), known);
    if (problem && !problem.motion) return showSteps(first, problem, known);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
  }
  return makeScene(first, rule || "B3/S23", known, await loadNames());
}

// ------------------------------------------------------------------ jobs

const OVER = ["found", "impossible", "undecided", "stopped", "failed"];
/** How many searches run at a time, of those that are not over. */
const RUNNING = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
const LARGEST_SEED = 2 ** 31;
/** @type {Map<string, Job>} */
const jobs = new Map();

/** One search, from its question to its end. */
class Job {
  /** @param {any} order @param {import("./encoder.js").Problem} problem @param {Known} known */
  constructor(order, problem, known) {
    this.order = order;
    this.problem = problem;
    this.known = known;
    this.id = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.created = Date.now() / 1000;
    this.state = "queued";
    this.begun = 0;
    this.took = 0;
    /** @type {{number: number, kind: string, content: any}[]} */
    this.log = [];
    this.number = 0;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {Worker | null} */
    this.worker = null;
    this.rle = "";
    this.tell("state", { state: "queued", ahead: waiting().length });
  }

  get isOver() {
    return OVER.includes(this.state);
  }

  get seconds() {
    return this.isOver ? this.took : this.begun ? (performance.now() - this.begun) / 1000 : 0;
  }

  describe() {
    return { id: this.id, state: this.state, created: this.created, seconds: round(this.seconds), finds: this.rle ? 1 : 0, ...this.order };
  }

  /** Add a message; progress takes the place of progress. @param {string} kind @param {any} content */
  tell(kind, content) {
    if (kind === "progress" && this.log.at(-1)?.kind === "progress") this.log.pop();
    if (kind === "state") {
      this.took = this.seconds;
      this.state = content.state;
      content.seconds = round(this.seconds);
    }
    this.log.push({ number: ++this.number, kind, content });
    for (const listener of [...this.listeners]) listener();
  }

  begin() {
    this.begun = performance.now();
    this.tell("state", { state: "encoding", engine: "cadical", sketch: makeSketch(this.problem) });
    try {
      this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    } catch (error) {
      return this.fail(String(error));
    }
    this.worker.onerror = (event) => this.fail(event.message);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.postMessage({ problem: this.problem, seconds: this.order.limit, seed: this.order.seed });
  }

  /** @param {any} told by the worker */
  hear(told) {
    if (this.isOver) return;
    if (told.kind === "built") this.tell("state", { state: "solving", engine: "cadical", numbers: { variables: told.variables, clauses: told.clauses } });
    else if (told.kind === "progress") this.tell("progress", { seconds: round(told.seconds), racer: "cadical", numbers: { conflicts: told.conflicts, memory_bytes: told.bytes }, partial: "" });
    else if (told.kind === "end") void this.finish(told);
  }

  /** @param {any} told */
  async finish(told) {
    const names = told.answer === "found" ? await loadNames() : new Map();
    if (this.isOver) return; // stopped meanwhile
    const words = this.known.answers[this.problem.kind ?? ""];
    if (told.answer === "found") {
      const find = showFind(this.problem, told.frames, this.order.command, this.known, names);
      this.rle = find.rle;
      this.tell("found", { number: 0, ...find, by: "cadical", seconds: round(this.seconds) });
      this.end("found", words?.found || "Found", `${find.words}.`);
    } else if (told.answer === "none") {
      const certify = `${this.order.command} --prove certificate`;
      const statement = `There is no solution: ${this.order.sentence}.\n\nThis is the word of the solver, CaDiCaL in this browser, and has not been checked. The following command writes a proof that anyone can check:\n\n${certify}`;
      const symmetry = own(this.known.boxes, this.problem.symmetry ?? "");
      const title = (told.vacuous ? words?.vacuous : words?.impossible) || `No such pattern exists${symmetry ? ` with the symmetry ${symmetry.name}` : ""}`;
      this.end("impossible", title, `${begin(told.reason)}. So far this is the solver's word; a proof that anyone can check is written by: ${certify}`, { statement });
    } else if (told.answer === "undecided") this.end("undecided", `Undecided: ${told.reason}`, "Neither found nor refuted: whether such a pattern exists is not known.");
    else this.fail(told.reason);
  }

  /** @param {string} reason */
  fail(reason) {
    this.end("failed", "The search has failed", `The solver could not be loaded, or has broken down (${reason || "no reason was given"}). Load the page again; if that does not help, copy the command.`);
  }

  /** @param {string} state @param {string} title @param {string} words @param {object} [more] */
  end(state, title, words, more = {}) {
    if (this.isOver) return;
    this.worker?.terminate();
    this.worker = null;
    this.tell("state", { state, title, words, ...more });
    if (state !== "stopped" && state !== "failed") remember(this);
    beginNext();
  }
}

/** @param {number} seconds */
const round = (seconds) => Math.round(seconds * 100) / 100;
/** @param {string} words */
const begin = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const waiting = () => [...jobs.values()].filter((job) => job.state === "queued");

function beginNext() {
  const running = [...jobs.values()].filter((job) => !job.isOver && job.begun).length;
  for (const job of waiting().slice(0, Math.max(0, RUNNING - running))) job.begin();
}

/** @param {any} request @param {Known} known */
function submit(request, known) {
  const { goal = "find", engine = null, seconds = 60, jobs: racers = 1, seed } = request;
  const question = checkForm(request.question);
  if (goal !== "find") throw new Beyond("", `the goal is ${goal}`);
  if (engine || racers !== 1) throw new Beyond("", "another engine is asked for, or several jobs");
  if (!(seconds > 0 && seconds <= known.limits.seconds)) throw new Wrong("seconds", `a search may take ${known.limits.seconds} seconds here, got ${seconds}`);
  if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed < LARGEST_SEED)) throw new Wrong("seed", `a seed is 0 to ${LARGEST_SEED - 1}, got ${seed}`);
  const problem = readQuestion(question, known);
  const order = { kind: question.kind, goal, question, sentence: describe(problem, known), short: describeShort(problem), command: writeCommand(question, known), limit: seconds, seed };
  const job = new Job(order, problem, known);
  jobs.set(job.id, job);
  beginNext();
  return job.describe();
}

/** @param {string} id @param {boolean} stops */
function stopJob(id, stops) {
  const job = jobs.get(id);
  if (!job) throw new Refusal("This search is not here any more", 404, "");
  if (stops) job.end("stopped", "Stopped", job.begun ? "Neither found nor refuted." : "It had not begun.");
  return job.describe();
}

/**
 * Listen to a job, from a message on.
 * @param {string} id @param {number} after @param {Hear} hear @param {(connected: boolean) => void} _connection
 * @returns {() => void} ends it
 */
export function listen(id, after, hear, _connection) {
  const job = jobs.get(id);
  let last = after;
  let left = false;
  // Later, as from a server: whoever listens has not finished what it does now.
  const alert = () => setTimeout(() => {
    for (const { number, kind, content } of job?.log.filter((message) => message.number > last) ?? []) {
      if (left) return;
      last = number;
      hear(kind, content, number);
    }
  });
  job?.listeners.add(alert);
  alert();
  return () => {
    left = true;
    job?.listeners.delete(alert);
  };
}

/** Tell again what a job has told. @param {string} id @param {Hear} hear */
export async function recall(id, hear) {
  await Promise.resolve();
  for (const { number, kind, content } of [...(jobs.get(id)?.log ?? [])]) hear(kind, content, number);
}

// ------------------------------------------------------------------ history

const PLACE = "satlife-history";
const KEPT = 50;

/** @returns {any[]} */
function readRows() {
  try {
    const rows = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(rows) ? rows.filter((row) => typeof row?.state === "string" && typeof row.command === "string" && typeof row.sentence === "string" && typeof row.question?.kind === "string" && typeof row.question.values === "object" && row.question.values) : [];
  } catch {
    return [];
  }
}

/** Write an answer into the history; the browser may refuse to keep it. @param {Job} job */
function remember({ order: { kind, question, sentence, short, command }, state, rle }) {
  const row = { kind, question, sentence, short, command, state, time: Date.now() / 1000, ...(rle && { rle }) };
  try {
    localStorage.setItem(PLACE, JSON.stringify([row, ...readRows()].slice(0, KEPT)));
  } catch {
    // A page without storage works, and forgets.
  }
}
