// A search in a thread of its own: a problem comes in, and messages go out until its end.

import { Cadical, createModule } from "./cadical/index.js";
import { complain } from "./checker.js";
import { encode } from "./encoder.js";

/** Simplify seldom: most searches here end before it pays, and its code would have to be compiled first. */
const OPTIONS = { quiet: true, inprobeint: 2000, elimint: 20_000, lucky: false, walk: false };
/** Milliseconds between two messages. */
const PAUSE = 250;
/** The most memory that the solver may take, in bytes. */
const MOST_BYTES = 2 ** 30;
/** Literals of the longest clauses whose learning is counted: of all. */
const LONGEST = 2 ** 30;

const tables = fetch(new URL("./tables.json", import.meta.url)).then((answer) => answer.json());
const module = createModule();
postMessage({ kind: "ready" });

onmessage = async ({ data: { problem, seconds, seed } }) => {
  try {
    const answer = await search(problem, seconds, seed, await tables, module);
    postMessage({ kind: "end", ...(problem.kind === "forced" && answer.answer === "none" ? await suppose(problem, seconds, answer) : answer) });
  } catch (error) {
    postMessage({ kind: "end", answer: "failed", reason: String(error) });
  }
};

/** What has no parent at all forces nothing. @param {import("./encoder.js").Problem} problem @param {number} seconds @param {any} none @returns {Promise<any>} */
async function suppose(problem, seconds, none) {
  const { answer, reason } = await search({ ...problem, constraints: [] }, seconds, undefined, await tables, module);
  return answer === "found" ? none : answer === "none" ? { ...none, vacuous: true } : { answer, reason };
}

/** @param {import("./encoder.js").Problem} problem @param {number} seconds @param {number | undefined} seed @param {any} known @param {Promise<any>} loaded */
async function search(problem, seconds, seed, known, loaded) {
  const begun = performance.now();
  const formula = encode(problem, known, seed);
  postMessage({ kind: "built", variables: formula.variables, clauses: formula.count });
  if (formula.clash) return { answer: "none", reason: "what is given contradicts itself" };
  const wasm = await loaded;
  const solver = new Cadical(wasm, OPTIONS);
  solver.ensureVars(formula.variables);
  for (let at = 0, end = 0; at < formula.literals.length; at = end + 1) {
    end = formula.literals.indexOf(0, at);
    solver.addClause(formula.literals.subarray(at, end));
  }
  let [conflicts, told, reason] = [0, 0, ""];
  // One call solves all, for each begins anew what simplifies. From inside it tells what it learns from each conflict,
  // and asks all the time whether to stop.
  solver.setLearn(LONGEST, () => void conflicts++);
  solver.setTerminate(() => {
    const [spent, bytes] = [performance.now() - begun, wasm.HEAP32.buffer.byteLength];
    if (spent > seconds * 1000) reason = `time limit of ${seconds} s`;
    else if (bytes > MOST_BYTES) reason = `memory limit of ${MOST_BYTES / 2 ** 20} MiB`;
    else if (spent > told + PAUSE) postMessage({ kind: "progress", conflicts, bytes, seconds: (told = spent) / 1000 });
    return reason !== "";
  });
  const answer = solver.solve();
  if (answer === "unsatisfiable") return { answer: "none", reason: "the solver has excluded every filling" };
  if (answer === "unknown") return { answer: "undecided", reason };
  const frames = formula.decode((literal) => solver.value(literal));
  const wrong = complain(problem, frames, known);
  return wrong ? { answer: "failed", reason: `a solution failed its check: ${wrong}` } : { answer: "found", frames };
}
