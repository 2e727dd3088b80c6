// The page: a question, the pattern beside it, results below.

import { Refusal, ask, listen, recall } from "./api.js";
import { announce, copyFrom, get, make } from "./dom.js";
import { Field, findPlace } from "./field.js";
import { DRAWN, Form, cardOf } from "./form.js";
import { Job, STATES } from "./job.js";
import * as link from "./link.js";
import { mount, readScene } from "./player.js";
import { drawThumb, drawWatch } from "./thumb.js";

/** @typedef {{scene: any, rle: string, words?: string, number?: number}} Find */

const start = await ask("GET", "/api/start").catch((error) => {
  offline(error);
  throw error;
});
/** Whether this edition of the page can do something. @param {string} what */
const can = (what) => start.can.includes(what);
const form = new Form({ sentence: get("sentence"), texts: get("texts"), more: get("more"), explain: get("explain") }, start, changed, choose);
const field = new Field(get("drawing"), (text) => ask("POST", "/api/read", { text }), changed);
/** @type {Map<string, Job>} */
const jobs = new Map();
/** @type {{job: string | null, find: number}} */
let selected = { job: null, find: 0 };
/** @type {any} */
let player;
/** @type {Find | null} the find that plays, and goes into the link */
let current = null;
/** @type {AbortController | undefined} */
let checking;
let valid = false;
/** Whether a search was asked for that could not begin: then every wrong field is told. */
let pressed = false;
/** @type {Record<string, Record<string, any>>} what was asked of each kind, for those who come back */
const asked = {};
/** @type {Record<string, string>} the example of each kind, as the form reads it */
const examples = {};

// ------------------------------------------------------------------ the question

/** @returns {link.Question} */
function readQuestion() {
  const values = form.read();
  return { kind: form.kind, values: DRAWN[form.kind] ? { ...values, ...field.readValues() } : values };
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
    blame(error);
    get("files").replaceChildren();
    field.mark({ cells: [], wrong: [], clash: "" });
  }
  return valid;
}

/** Say what is wrong: at its field, in the drawing, or below the sentence. @param {Refusal} error */
function blame(error) {
  const drawn = DRAWN[form.kind]?.parameters.includes(error.field) ?? false;
  const there = form.blame(error.field, error.message, pressed);
  if (drawn) field.say(pressed ? error.message : "");
  get("wrong").textContent = error.message;
  get("wrong").hidden = there || (drawn && !pressed) || (drawn && !get("drawing").hidden);
  get("command").textContent = error.command;
  if (error.command && !there) form.places.more.setAttribute("open", "");
}

/** Take in what the server says of a question that is one. @param {link.Question} question @param {any} told */
function accept(question, told) {
  valid = true;
  pressed = false;
  form.blame("", "");
  get("wrong").hidden = true;
  get("command").textContent = told.command;
  showFiles(question);
  field.mark(told.seen && form.kind === "complete" ? told.seen : { cells: [], wrong: [], clash: "" });
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

/** Show the form of a kind, and its drawing. @param {string} kind @param {Record<string, any>} values */
async function showKind(kind, values) {
  pressed = false;
  form.show(kind, values);
  const drawn = DRAWN[form.kind];
  for (const button of get("cards").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.card === cardOf(form.kind)));
  if (drawn) {
    field.set(/** @type {string} */ (drawn.parameters[0]), drawn);
    await field.takeValues(values);
  }
  showStage();
}

/** Begin with a kind: what was asked of it before, or its example, which plays. @param {string} kind */
async function choose(kind) {
  if (form.kind) asked[form.kind] = readQuestion().values;
  const example = form.known.kinds.find((each) => each.name === kind)?.example;
  select(null);
  play(null);
  await showKind(kind, asked[kind] ?? example?.values ?? {});
  const now = JSON.stringify(readQuestion().values);
  if (!(kind in asked)) examples[kind] = now;
  const fresh = example && examples[kind] === now;
  if (fresh) await playText(example.rle, example.scene);
  if (fresh && !DRAWN[kind]) accept(readQuestion(), example);
  else changed();
  showActions(undefined, current);
}

const FIRST_OF = /** @type {Record<string, string>} */ ({ find: "ship", complete: "complete", past: "parent" });
get("cards").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const card = /** @type {HTMLElement} */ (event.target).dataset.card;
  if (card && card !== cardOf(form.kind)) void choose(FIRST_OF[card] ?? "ship");
});

get("form").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  void search();
});

/** @param {Record<string, any>} [how] */
async function search(how = {}) {
  pressed = true;
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
    play(null);
    attach(told);
    select(told.id);
    get("status").scrollIntoView({ block: "nearest" });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 401) return offline(error);
    pressed = true;
    blame(error);
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
    if (job.finds.length && (job.told.goal === "smallest" || selected.find < 0 || selected.find >= job.finds.length)) selected.find = job.finds.length - 1;
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
  if (find && find.scene !== current?.scene && !isEditing(job)) play(find);
  if (!find && current) play(null);
  showStage();
  showActions(job, find);
}

/** Whether the drawing has been changed since a search was asked for; then it stays. @param {Job} job */
function isEditing(job) {
  return Boolean(DRAWN[form.kind]) && !get("drawing").hidden && job.told.question.kind === form.kind && JSON.stringify(job.told.question) !== JSON.stringify(readQuestion());
}

/** Play a pattern; what was drawn is marked in it. @param {Find | null} find */
function play(find) {
  player?.destroy();
  const given = find && DRAWN[form.kind] ? findPlace(readScene(find.scene), field.given(), cardOf(form.kind) === "past") : [];
  player = find ? mount(get("shown"), find.scene, { given }) : undefined;
  current = find;
  if (valid) share(readQuestion());
  showStage();
}

/** Show the pattern that plays, or the drawing, or what a search is about. */
function showStage() {
  const job = jobs.get(selected.job ?? "");
  const drawn = Boolean(DRAWN[form.kind]);
  get("shown").hidden = !current;
  get("drawing").hidden = !drawn || Boolean(current);
  get("editing").hidden = !drawn || !current;
  get("watch").hidden = Boolean(current) || !job || (drawn && !job.partial) || !drawWatch(get("watch"), job);
}

/** Go back to the drawing. */
function edit() {
  select(null);
  play(null);
  showActions(undefined, null);
  field.board.focus({ preventScroll: true });
}
get("edit").addEventListener("click", edit);
get("blank").addEventListener("click", () => {
  edit();
  field.clear(true, 8, 8);
});

/** Offer what can be done with a job and its find. @param {Job | undefined} job @param {any} find */
function showActions(job, find) {
  /** @type {any[]} */
  const made = [];
  /** @param {string} words @param {() => void} act */
  const button = (words, act) => made.push(make("button", { type: "button", click: act }, words));
  const question = job?.told.question ?? readQuestion();
  /** @param {any} how */
  const again = (how) => void submit({ question, seconds: job?.told.limit ?? 60, ...how });
  if (find) {
    const copy = make("button", { type: "button", click: () => void copyFrom(copy, find.rle) }, "Copy RLE");
    const shared = make("button", { type: "button", click: () => void copyFrom(shared, (start.share ?? location.href.split("#")[0]) + link.write({ question, rle: find.rle })) }, "Copy link");
    made.push(shared, copy);
    if (job && can("pictures")) for (const suffix of ["svg", "gif", "html"]) made.push(make("a", { class: "button", href: `/api/jobs/${job.id}/picture/${find.number}.${suffix}`, download: true }, suffix.toUpperCase()));
  }
  if (job?.over && find) {
    button("Another", () => again({ seed: Math.floor(Math.random() * 2 ** 30) }));
    if (can("goals")) for (const [words, goal] of [["Smaller", "smallest"], ["All", "all"]]) button(words ?? "", () => again({ goal }));
  }
  if (can("certificates") && (job?.state === "impossible" || job?.state === "exhausted")) button("Make a certificate", () => again({ goal: "certificate", seconds: Math.max(300, job.told.limit) }));
  if (job?.state === "certified") {
    made.push(make("a", { class: "button primary", href: `/api/jobs/${job.id}/certificate.zip`, download: true }, `Download the certificate (${Math.ceil(job.end.bytes / 1024)} kB)`));
    made.push(make("a", { class: "button", href: `/api/jobs/${job.id}/certificate.svg`, download: true }, "Card to share"));
  }
  if (job?.state === "undecided") button("Try longer", () => again({ goal: job.told.goal, seconds: Math.min(start.limits.seconds, 4 * job.told.limit) }));
  if (job?.state === "stopped" || job?.state === "failed") button("Search again", () => again({ goal: job.told.goal }));
  if (job?.over && JSON.stringify(question) !== JSON.stringify(readQuestion())) button("Edit this question", () => void reopen(question, find));
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
    await showKind(kind, { ...values, ...changed });
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
      const words = find ? find.words : job.over ? "" : job.told.sentence;
      const state = find ? "found" : job.state;
      if (!button || button.dataset.state !== state) {
        const sign = find ? make("canvas", { "aria-hidden": "true" }) : make("span", { class: "sign", "aria-hidden": "true" }, STATES[state]?.[0] ?? "");
        if (find) drawThumb(sign, find.scene);
        button = make("button", { type: "button", "data-key": key, "data-state": state, click: () => {
          select(job.id, n);
          if (job.finds[n]) play(job.finds[n]);
        } }, sign, make("span", { class: "state" }, tileTitle(job, find)), make("span", { class: "what" }, words));
      } else button.querySelector(".state").textContent = tileTitle(job, find);
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

/** @param {Job} job @param {Find | null} find */
function tileTitle(job, find) {
  if (find) return "Found";
  const none = job.state === "impossible" || job.state === "certified";
  return none ? `No ${job.told.short}` : job.over ? `${STATES[job.state]?.[1]}: ${job.told.short}` : job.title;
}

async function showHistory() {
  if (!get("history").open) return;
  const told = await ask("GET", "/api/history").catch(() => null);
  if (!told) return;
  const rows = told.map((/** @type {any} */ row) => make("li", {}, make("button", { type: "button", click: () => void reopen(row.question, row.rle ? { rle: row.rle } : null) },
    `${STATES[row.state]?.[0] ?? "·"} ${STATES[row.state]?.[1] ?? row.state}: ${row.command.startsWith("satlife find") ? row.sentence : row.command}`)));
  get("past").replaceChildren(...(rows.length ? rows : [make("li", {}, "Nothing has been asked yet.")]));
}

/** Show a question as it was asked, and its find. @param {link.Question} question @param {{rle: string, scene?: any} | null} find */
async function reopen(question, find) {
  select(null);
  play(null);
  const known = form.known.kinds.find((each) => each.name === question.kind);
  if (known) await showKind(question.kind, question.values);
  else await choose("ship");
  if (find) await playText(find.rle, find.scene);
  showActions(undefined, current);
  if (known) await check();
  else await ask("POST", "/api/check", question).catch((error) => (error instanceof Refusal ? blame(error) : offline(error)));
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

/** Play a pattern that came as text; what it is is computed by the server. @param {string} rle @param {any} [scene] */
async function playText(rle, scene) {
  try {
    play({ scene: scene ?? await ask("POST", "/api/scene", { text: rle }), rle });
  } catch (error) {
    get("wrong").textContent = `The pattern of this link cannot be shown: ${/** @type {Error} */ (error).message}`;
    get("wrong").hidden = false;
  }
}

/** Fill the form from a link, and play its pattern; a link never starts a search. */
async function openLink() {
  const shared = link.read(location.hash);
  if (!shared?.question && !shared?.rle) return false;
  await reopen(shared.question ?? readQuestion(), shared.rle ? { rle: shared.rle } : null);
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
  else if (event.key === "Escape" && !get("editing").hidden) edit();
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
for (const element of document.querySelectorAll("[data-needs]")) /** @type {HTMLElement} */ (element).hidden = !can(/** @type {HTMLElement} */ (element).dataset.needs ?? "");
if (!(await openLink())) await choose("ship");
if (running) select(running.id);
for (const told of start.jobs.slice(0, 8)) remember(jobs.get(told.id));
document.documentElement.dataset.ready = "yes";
