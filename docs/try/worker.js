// A search in a thread of its own: a problem comes in, and messages go out until its end.

import { Cadical, createModule } from "./cadical/index.js";
import { complain } from "./checker.js";
import { encode } from "./encoder.js";

/** Conflicts between two messages; at first fewer, so that there soon is one. */
const SLICES = [500, 2000, 5000];
/** The most memory that the solver may take, in bytes. */
const MOST_BYTES = 2 ** 30;

const tables = fetch(new URL("./tables.json", import.meta.url)).then((answer) => answer.json());
const module = createModule();
postMessage({ kind: "ready" });

onmessage = async ({ data: { problem, seconds, seed } }) => {
  try {
    postMessage({ kind: "end", ...search(problem, seconds, seed, await tables, await module) });
  } catch (error) {
    postMessage({ kind: "end", answer: "failed", reason: String(error) });
  }
};

/** Begin elsewhere: each cell is tried alive or dead first, by chance. @param {Cadical} solver @param {number} variables @param {number} seed */
function shuffle(solver, variables, seed) {
  for (let variable = 1, state = seed; variable <= variables; variable++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    solver.phase(state & 0x10000 ? variable : -variable);
  }
}

/** @param {import("./encoder.js").Problem} problem @param {number} seconds @param {number | undefined} seed @param {any} known @param {any} wasm */
function search(problem, seconds, seed, known, wasm) {
  const begun = performance.now();
  const formula = encode(problem, known);
  postMessage({ kind: "built", variables: formula.variables, clauses: formula.count });
  if (formula.clash) return { answer: "none", reason: "what is given contradicts itself" };
  const solver = new Cadical(wasm, { quiet: true });
  solver.ensureVars(formula.variables);
  for (let at = 0, end = 0; at < formula.literals.length; at = end + 1) {
    end = formula.literals.indexOf(0, at);
    solver.addClause(formula.literals.subarray(at, end));
  }
  if (seed !== undefined) shuffle(solver, formula.variables, seed);
  const isLate = () => performance.now() - begun > seconds * 1000;
  solver.setTerminate(isLate);
  for (let conflicts = 0, turn = 0; ; turn++) {
    const slice = /** @type {number} */ (SLICES[Math.min(turn, SLICES.length - 1)]);
    const answer = solver.solve({ conflicts: slice });
    const bytes = wasm.HEAP32.buffer.byteLength;
    if (answer === "satisfiable") {
      const frames = formula.decode((variable) => solver.value(variable));
      const wrong = complain(problem, frames, known);
      return wrong ? { answer: "failed", reason: `a solution failed its check: ${wrong}` } : { answer: "found", frames };
    }
    if (answer === "unsatisfiable") return { answer: "none", reason: "the solver has excluded every filling" };
    if (isLate()) return { answer: "undecided", reason: `time limit of ${seconds} s` };
    if (bytes > MOST_BYTES) return { answer: "undecided", reason: `memory limit of ${MOST_BYTES / 2 ** 20} MiB` };
    conflicts += slice;
    postMessage({ kind: "progress", conflicts, bytes, seconds: (performance.now() - begun) / 1000 });
  }
}
