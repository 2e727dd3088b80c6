// The page: a question on the left, the pattern in the middle, results below.

import { Refusal, ask, listen, recall } from "./api.js";
import { announce, copyFrom, get, make } from "./dom.js";
import { Field } from "./field.js";
import { DRAWN, Form, cardOf } from "./form.js";
import { Job, STATES } from "./job.js";
import * as link from "./link.js";
import { mount } from "./player.js";
import { drawThumb } from "./thumb.js";

/** @typedef {{scene: any, rle: string, words: string}} Find */

const start = await ask("GET", "/api/start").catch((error) => {
  offline(error);
  throw error;
});
const form = new Form(get("sentence"), get("more"), start.kinds, start.symmetries, changed);
const field = new Field(get("drawing"), (text) => ask("POST", "/api/read", { text }), changed);
/** @type {Map<string, Job>} */
const jobs = new Map();
/** @type {{job: string | null, find: number}} */
let selected = { job: null, find: 0 };
/** @type {any} */
let player;
/** @type {any} */
let playing;
/** @type {Find | null} the find that goes into the link */
let current = null;
/** @type {AbortController | undefined} */
let checking;
let valid = false;

// ------------------------------------------------------------------ the question

/** @returns {link.Question} */
function readQuestion() {
  const values = form.read();
  const drawn = DRAWN[form.kind];
  if (drawn) values[drawn.parameter] = field.write();
  return { kind: form.kind, values };
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
function changed() {
  clearTimeout(soon);
  soon = setTimeout(() => void check(), 150);
}

/** Ask the server what the question means; return whether it is one. */
async function check() {
  clearTimeout(soon);
  checking?.abort();
  const mine = (checking = new AbortController());
  const question = readQuestion();
  try {
    accept(question, await ask("POST", "/api/check", question, mine.signal));
    online();
  } catch (error) {
    if (mine.signal.aborted) return false;
    valid = false;
    if (!(error instanceof Refusal) || error.status === 401) return offline(error), false;
    const there = form.blame(error.field, error.message);
    get("wrong").textContent = error.message;
    get("wrong").hidden = there;
    get("command").textContent = "";
    get("files").replaceChildren();
    field.mark({ cells: [], wrong: [], clash: "" });
  }
  return valid;
}

/** Take in what the server says of a question that is one. @param {link.Question} question @param {any} told */
function accept(question, told) {
  valid = true;
  form.blame("", "");
  get("wrong").hidden = true;
  get("command").textContent = told.command;
  showFiles(question);
  field.mark(form.kind === "complete" ? told.seen : { cells: [], wrong: [], clash: "" });
  share(question);
}

/** Offer the files that the command names. @param {link.Question} question */
function showFiles(question) {
  const kind = form.chosen;
  const links = [];
  for (const p of kind.parameters) {
    const text = question.values[p.name];
    if (typeof text !== "string" || !p.reader.includes("file") || (p.reader !== "file" && /^\s*-?\d+\.\./.test(text))) continue;
    const name = p.name === "spec" ? "problem.toml" : p.name === "partial" ? "partial.txt" : `${p.name}.rle`;
    links.push(make("a", { class: "button", download: name, href: URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" })) }, `Save ${name}`));
  }
  for (const old of get("files").querySelectorAll("a")) URL.revokeObjectURL(old.href);
  get("files").replaceChildren(...links);
}

/** @param {link.Question} question */
function share(question) {
  history.replaceState(null, "", link.write({ question, ...(current ? { rle: current.rle } : {}) }));
}

/** Show the card of a kind. @param {string} kind @param {Record<string, any>} [values] */
function showKind(kind, values) {
  form.show(kind, values);
  const drawn = DRAWN[form.kind];
  for (const button of get("cards").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.card === cardOf(form.kind)));
  get("drawing").hidden = !drawn;
  if (drawn) {
    field.set(drawn.empty, drawn.generations);
    const text = values?.[drawn.parameter];
    if (text) void field.paste(text);
  }
}

const FIRST_OF = /** @type {Record<string, string>} */ ({ find: "ship", complete: "complete", none: "orphan" });
get("cards").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const card = /** @type {HTMLElement} */ (event.target).dataset.card;
  if (!card || card === cardOf(form.kind)) return;
  form.read();
  if (card === "find") {
    showKind("ship", { ...start.first.question.values });
    showPattern({ scene: start.first.scene, rle: start.first.rle });
    get("actions").replaceChildren();
  } else {
    current = null;
    showPattern(null);
    get("actions").replaceChildren();
    showKind(/** @type {string} */ (FIRST_OF[card]), {});
  }
  select(null);
  changed();
});

get("form").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  void search();
});

/** @param {Record<string, any>} [how] */
async function search(how = {}) {
  if (!(await check())) {
    const first = document.querySelector("[aria-invalid]");
    if (first instanceof HTMLElement) first.focus();
    announce(`Not started: ${get("wrong").textContent}`, true);
    return;
  }
  const seed = get("seed").value;
  await submit({
    question: readQuestion(),
    engine: get("engine").value || null,
    seconds: Number(get("seconds").value) || 60,
    jobs: Number(get("jobs").value) || 1,
    ...(seed === "" ? {} : { seed: Number(seed) }),
    ...how,
  });
}

/** @param {any} request */
async function submit(request) {
  try {
    const told = await ask("POST", "/api/jobs", request);
    current = null;
    attach(told);
    select(told.id);
    get("status").scrollIntoView({ block: "nearest" });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 401) return offline(error);
    get("wrong").hidden = form.blame(error.field, error.message);
    get("wrong").textContent = error.message;
    announce(error.message, true);
  }
}

async function stop() {
  const job = jobs.get(selected.job ?? "");
  const running = job && !job.over ? job : [...jobs.values()].find((each) => !each.over);
  if (!running) return;
  try {
    await ask("DELETE", `/api/jobs/${running.id}`);
    // Whoever goes on to another job no longer listens to this one: hear its end first.
    if (!running.over) await recall(running.id, (...heard) => running.hear(...heard));
  } catch (error) {
    offline(error);
  }
}

// ------------------------------------------------------------------ jobs and results

/** @param {any} told */
function attach(told) {
  if (jobs.has(told.id)) return;
  /** @type {Job} */
  const job = new Job(told, () => update(job));
  jobs.set(told.id, job);
  showStrip();
  tune();
}

/** @type {{id: string, leave: () => void} | null} */
let tuned = null;

/** Listen to one job: the selected one if it runs, else the first that does.
 *
 * A browser has six connections for all of its pages here, so a page takes one, and a page that
 * nobody sees none.
 */
function tune() {
  const open = [...jobs.values()].filter((job) => !job.over);
  const job = document.hidden ? undefined : open.find((each) => each.id === selected.job) ?? open[0];
  if (tuned?.id === job?.id) return;
  tuned?.leave();
  tuned = job ? { id: job.id, leave: listen(job.id, job.last, (...heard) => job.hear(...heard), (connected) => (connected ? online() : job.over || offline(new TypeError("lost")))) } : null;
}
document.addEventListener("visibilitychange", tune);

/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;

/** @param {Job} job */
function update(job) {
  if (selected.job === job.id) {
    if (job.finds.length && selected.find < 0) selected.find = 0;
    if (job.finds.length && (job.told.goal === "smallest" || selected.find >= job.finds.length)) selected.find = job.finds.length - 1;
    showSelected();
  }
  showStrip();
  tune();
  if (job.over) void showHistory();
}

/** Ask once what a job that was over before this page was opened has told. @param {Job | undefined} job */
function remember(job) {
  if (!job?.over || job.last || job.asked) return;
  job.asked = true;
  void recall(job.id, (...heard) => job.hear(...heard)).catch(offline);
}

/** @param {string | null} id @param {number} [find] */
function select(id, find = 0) {
  selected = { job: id, find };
  remember(jobs.get(id ?? ""));
  showSelected();
  showStrip();
  tune();
}

function showSelected() {
  const job = jobs.get(selected.job ?? "");
  const busy = [...jobs.values()].some((each) => !each.over);
  get("stop").hidden = !busy;
  get("search").hidden = busy && Boolean(job && !job.over);
  clearInterval(ticking);
  if (!job) {
    get("status").hidden = true;
    return;
  }
  job.show();
  if (!job.over) ticking = setInterval(() => { job.show(); showOffers(job); }, 1000);
  showOffers(job);
  const find = job.finds[selected.find];
  if (find) showPattern({ ...find, job: job.id, number: find.number });
  else showPattern(job.sketch && !job.over ? { scene: job.sketch, sketch: true } : null);
  showActions(job, find);
}

/** Play a pattern. @param {any} find */
function showPattern(find) {
  if (playing?.scene === find?.scene) return;
  player?.destroy();
  player = find ? mount(get("shown"), find.scene, { autoplay: !find.sketch }) : undefined;
  playing = find;
  current = find && !find.sketch ? { scene: find.scene, rle: find.rle, words: find.words ?? "" } : null;
  if (current && valid) share(readQuestion());
}

/** @param {Job} job @param {any} find */
function showActions(job, find) {
  /** @type {any[]} */
  const made = [];
  /** @param {string} words @param {() => void} act */
  const button = (words, act) => made.push(make("button", { type: "button", click: act }, words));
  const again = { question: job.told.question, seconds: job.told.limit };
  if (find) {
    const copy = make("button", { type: "button", click: () => void copyFrom(copy, find.rle) }, "Copy RLE");
    made.push(copy);
    for (const suffix of ["svg", "gif", "html"]) made.push(make("a", { class: "button", href: `/api/jobs/${job.id}/picture/${find.number}.${suffix}`, download: true }, suffix.toUpperCase()));
    const shared = make("button", { type: "button", click: () => void copyFrom(shared, location.origin + "/" + link.write({ question: job.told.question, rle: find.rle })) }, "Copy link");
    made.push(shared);
  }
  if (job.over && find) {
    button("Another", () => void submit({ ...again, seed: Math.floor(Math.random() * 2 ** 30) }));
    button("Smaller", () => void submit({ ...again, goal: "smallest" }));
    button("All", () => void submit({ ...again, goal: "all" }));
  }
  if (job.state === "impossible" || job.state === "exhausted") button("Make a certificate", () => void submit({ ...again, goal: "certificate", seconds: Math.max(300, job.told.limit) }));
  if (job.state === "certified") made.push(make("a", { class: "button primary", href: `/api/jobs/${job.id}/certificate.zip`, download: true }, `Download the certificate (${Math.ceil(job.end.bytes / 1024)} kB)`));
  if (job.state === "undecided") button("Try longer", () => void submit({ ...again, goal: job.told.goal, seconds: Math.min(start.limits.seconds, 4 * job.told.limit) }));
  if (job.state === "stopped" || job.state === "failed") button("Search again", () => void submit({ ...again, goal: job.told.goal }));
  if (job.over && JSON.stringify(job.told.question) !== JSON.stringify(readQuestion())) button("Edit this question", () => { showKind(job.told.question.kind, job.told.question.values); changed(); });
  const key = made.map((each) => each.textContent + (each.href ?? "")).join();
  if (get("actions").dataset.key === key && get("actions").childElementCount) return;
  get("actions").dataset.key = key;
  get("actions").replaceChildren(...made);
}

/** After a while, offer what really helps. @param {Job} job */
function showOffers(job) {
  const box = get("offers");
  const late = !job.over && job.state !== "queued" && job.seconds > 10;
  box.hidden = !late || !box.childElementCount || box.dataset.job !== job.id;
  if (!late || box.dataset.job === job.id) return;
  box.dataset.job = job.id;
  box.replaceChildren();
  void makeOffers(job).then((made) => {
    if (!made.length || box.dataset.job !== job.id) return;
    box.replaceChildren(make("p", {}, "This takes a while. What often helps:"), make("div", {}, ...made));
    box.hidden = job.over || selected.job !== job.id;
  });
}

/** Return a button for each change that the server advises. @param {Job} job */
async function makeOffers(job) {
  const { kind, values } = job.told.question;
  /** @type {any[]} */
  const advised = await ask("POST", "/api/offers", job.told.question).catch(() => []);
  return advised.map(({ changes: { jobs, ...changed }, words }) => make("button", { type: "button", click: async () => {
    await stop();
    showKind(kind, { ...values, ...changed });
    get("jobs").value = jobs ?? "1";
    await search();
  } }, words));
}

function showStrip() {
  /** @type {any[]} */
  const items = [];
  for (const job of [...jobs.values()].reverse()) {
    const finds = job.finds.length ? job.finds : [null];
    finds.slice(0, 60).forEach((find, n) => {
      const key = `${job.id}-${n}`;
      const marked = selected.job === job.id && selected.find === n;
      let button = /** @type {any} */ (document.querySelector(`[data-key="${key}"]`));
      const words = find ? find.words : job.told.sentence;
      const state = find ? "found" : job.state;
      if (!button || button.dataset.state !== state) {
        const sign = find ? make("canvas", { "aria-hidden": "true" }) : make("span", { class: "sign", "aria-hidden": "true" }, STATES[state]?.[0] ?? "");
        if (find) drawThumb(sign, find.scene);
        button = make("button", { type: "button", "data-key": key, "data-state": state, click: () => select(job.id, n) }, sign, make("span", { class: "state" }, find ? "Found" : job.title), make("span", { class: "what" }, words));
      } else button.querySelector(".state").textContent = find ? "Found" : job.title;
      button.setAttribute("aria-current", String(marked));
      items.push(button.parentElement ?? make("li", {}, button));
    });
  }
  get("no-results").hidden = items.length > 0;
  const strip = get("strip");
  // Elements that stay are not moved, so that the focus stays too.
  if (items.length !== strip.childElementCount || items.some((item, n) => strip.children[n] !== item)) {
    const focused = document.activeElement;
    strip.replaceChildren(...items);
    if (focused instanceof HTMLElement && strip.contains(focused)) focused.focus();
  }
}

async function showHistory() {
  if (!get("history").open) return;
  const told = await ask("GET", "/api/history").catch(() => null);
  if (!told) return;
  const rows = told.asked.map((/** @type {any} */ row) => make("li", {}, make("button", { type: "button", click: () => openPast(row, told.finds) },
    `${STATES[row.state]?.[0] ?? "·"} ${STATES[row.state]?.[1] ?? row.state}: ${row.command.startsWith("satlife find") ? row.sentence : row.command}`)));
  get("past").replaceChildren(...(rows.length ? rows : [make("li", {}, "Nothing has been asked yet.")]));
}

/** @param {any} row @param {any[]} finds */
async function openPast(row, finds) {
  const find = finds.find((each) => each.sentence === row.sentence);
  showKind("find", { spec: row.spec });
  select(null);
  if (find) await playText(find.rle);
  changed();
  get("question-title").scrollIntoView();
}

get("history").addEventListener("toggle", () => void showHistory());
get("import").addEventListener("change", async (/** @type {Event} */ event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const file = input.files?.[0];
  if (!file) return;
  try {
    const told = await ask("POST", "/api/history/import", { text: await file.text() });
    get("imported").textContent = `${told.new} new entries${told.refused.length ? `, ${told.refused.length} refused: ${told.refused[0]}` : ""}`;
    await showHistory();
  } catch (error) {
    get("imported").textContent = /** @type {Error} */ (error).message;
  }
  input.value = "";
});

// ------------------------------------------------------------------ links, connection, keys, theme

/** Play a pattern that came as text; what it is is computed by the server. @param {string} rle */
async function playText(rle) {
  try {
    const scene = await ask("POST", "/api/scene", { text: rle });
    showPattern({ scene, rle });
    get("actions").replaceChildren();
    get("actions").dataset.key = "";
  } catch (error) {
    get("wrong").textContent = `The pattern of this link cannot be shown: ${/** @type {Error} */ (error).message}`;
    get("wrong").hidden = false;
  }
}

/** Fill the form from a link, and play its pattern; a link never starts a search. */
async function openLink() {
  const shared = link.read(location.hash);
  if (!shared?.question && !shared?.rle) return false;
  if (shared.question) showKind(shared.question.kind, shared.question.values);
  select(null);
  if (shared.rle) await playText(shared.rle);
  await check();
  return true;
}

/** @param {any} error */
function offline(error) {
  const stale = error instanceof Refusal && error.status === 401;
  const words = stale
    ? "This page belongs to a server that has ended. Open the address that satlife serve has printed now; your question is in the link above."
    : "Disconnected: the server does not answer. Searches go on while it runs; trying again …";
  if (error instanceof Refusal && !stale) {
    get("wrong").textContent = error.message;
    get("wrong").hidden = false;
    return;
  }
  get("offline").textContent = words;
  get("offline").hidden = false;
  clearTimeout(retrying);
  if (!stale) retrying = setTimeout(() => void ask("GET", "/api/jobs").then(online, offline), 1500);
}
/** @type {ReturnType<typeof setTimeout> | undefined} */
var retrying;

function online() {
  clearTimeout(retrying);
  get("offline").hidden = true;
}

const keysOn = () => localStorage.getItem("satlife-keys") !== "off";
get("keys").checked = keysOn();
get("keys").addEventListener("change", () => localStorage.setItem("satlife-keys", get("keys").checked ? "on" : "off"));
document.addEventListener("keydown", (event) => {
  const inside = /** @type {HTMLElement} */ (event.target);
  if (get("shortcuts").open) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") void search();
  else if (event.key === "Escape" && !get("stop").hidden) void stop();
  else if (event.ctrlKey || event.metaKey || event.altKey || !keysOn() || inside.closest("input, select, textarea, #board, .satlife-player")) return;
  else if (event.key === "?") openHelp();
  else if (event.key === " " && !inside.closest("button, a, summary")) /** @type {HTMLElement | null} */ (document.querySelector(".satlife-bar [aria-label='Play'], .satlife-bar [aria-label='Pause']"))?.click();
  else return;
  event.preventDefault();
});

function openHelp() {
  get("shortcuts").showModal();
}
get("help").addEventListener("click", openHelp);
get("close-help").addEventListener("click", () => get("shortcuts").close());
get("stop").addEventListener("click", () => void stop());
get("copy-command").addEventListener("click", () => void copyFrom(get("copy-command"), get("command").textContent));

const THEMES = /** @type {[string, string][]} */ ([["", "as the system"], ["light", "light"], ["dark", "dark"]]);
/** @param {string} theme */
function showTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  get("theme").setAttribute("aria-label", `Theme: ${THEMES.find(([name]) => name === theme)?.[1] ?? ""}`);
  get("theme").textContent = { "": "◐", light: "☀", dark: "☾" }[theme] ?? "◐";
  for (const job of jobs.values()) job.finds.forEach((find, n) => {
    const canvas = document.querySelector(`[data-key="${job.id}-${n}"] canvas`);
    if (canvas instanceof HTMLCanvasElement) drawThumb(canvas, find.scene);
  });
}
get("theme").addEventListener("click", () => {
  const now = THEMES.findIndex(([name]) => name === (localStorage.getItem("satlife-theme") ?? ""));
  const theme = THEMES[(now + 1) % THEMES.length]?.[0] ?? "";
  localStorage.setItem("satlife-theme", theme);
  showTheme(theme);
});

// ------------------------------------------------------------------ begin

showTheme(localStorage.getItem("satlife-theme") ?? "");
get("engine").append(make("option", { value: "" }, "chosen for you"), ...start.engines.map((/** @type {any} */ each) => make("option", { value: each.name }, `${each.name}: ${each.title}`)));
get("seconds").max = start.limits.seconds;
window.addEventListener("hashchange", () => void openLink());
const running = start.jobs.find((/** @type {any} */ job) => STATES[job.state] && !["found", "impossible", "exhausted", "certified", "undecided", "stopped", "failed"].includes(job.state));
for (const told of [...start.jobs].reverse()) attach(told);
if (!(await openLink())) {
  showKind(start.first.question.kind, start.first.question.values);
  showPattern({ scene: start.first.scene, rle: start.first.rle });
  accept(readQuestion(), start.first);
}
if (running) select(running.id);
for (const told of start.jobs.slice(0, 8)) remember(jobs.get(told.id));
document.documentElement.dataset.ready = "yes";
