// The page: a question, the pattern beside it, results below.

import { ask, listen, recall } from "./api.js";
import { Refusal, announce, copyFrom, get, keepSetting, make, makeCopy, offer, readSetting } from "./dom.js";
import { Field, findPlace } from "./field.js";
import { Form } from "./form.js";
import { Job, STATES } from "./job.js";
import * as link from "./link.js";
import { mount, readScene } from "./player.js";
import { drawThumb, drawWatch } from "./thumb.js";

/** @typedef {{scene: any, rle: string, words?: string, number?: number, asked?: string}} Find asked: the question, in JSON */

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
/** @type {import("./player.js").Given[]} where the generations of the drawing are in the pattern that plays */
let given = [];
/** @type {AbortController | undefined} */
let checking;
let valid = false;
/** Whether a search was asked for that could not begin: then every wrong field is told. */
let pressed = false;
/** @type {Record<string, {values: Record<string, any>, drawing: any}>} what was asked of each kind, for those who come back */
const asked = {};
/** @type {Record<string, string>} the example of each kind, as the form reads it */
const examples = {};
/** How often a question was opened: whoever waited meanwhile is too late. */
let turns = 0;
/** Whether the form and its drawing are complete. */
let loaded = false;

// ------------------------------------------------------------------ the question

/** @returns {link.Question} */
function readQuestion() {
  const values = form.read();
  return { kind: form.kind, values: form.isDrawn ? { ...values, ...field.readValues() } : values };
}

/** Whether a question is the one in the form. @param {link.Question} question */
const isSame = (question) => JSON.stringify(question) === JSON.stringify(readQuestion());

/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
function changed() {
  clearTimeout(soon);
  soon = setTimeout(() => void check(), 150);
  const job = jobs.get(selected.job ?? "");
  if (!job?.over || job.state === "found" || isSame(job.told.question)) return;
  select(null); // an answer to another question
  showActions(undefined, current);
}

/** Ask the server what the question means; return whether it is one. */
async function check() {
  clearTimeout(soon);
  checking?.abort();
  const mine = (checking = new AbortController());
  const question = readQuestion();
  try {
    const told = await ask("POST", "/api/check", question, mine.signal);
    if (mine.signal.aborted) return false;
    accept(question, told);
    online();
  } catch (error) {
    if (mine.signal.aborted) return false;
    valid = false;
    if (!(error instanceof Refusal) || error.status === 401) return offline(error), false;
    showFiles(question, error.command);
    field.mark({ cells: [], wrong: [], clash: "" });
    blame(error);
  }
  return valid;
}

/** The fields that say how to search. */
const HOW = ["seconds", "jobs", "seed"];

/** Say what is wrong: at its field, in the drawing, or below the sentence. @param {Refusal} error */
function blame(error) {
  const drawn = form.look().drawn.includes(error.field);
  const told = pressed || field.touched;
  const there = form.blame(error.field, error.message, pressed) || HOW.includes(error.field);
  blameHow(error);
  if (drawn && told) field.say(error.message);
  showWrong(there || (drawn && (!told || !get("drawing").hidden)) ? "" : error.message);
  showCommand(error.command);
  if (error.command && !there) form.places.more.setAttribute("open", "");
}

/** @param {{field: string, message: string}} error */
function blameHow({ field: name, message }) {
  for (const each of HOW) {
    get(`${each}-error`).textContent = each === name ? message : "";
    get(`${each}-error`).hidden = each !== name;
    each === name ? get(each).setAttribute("aria-invalid", "true") : get(each).removeAttribute("aria-invalid");
  }
  if (HOW.includes(name)) get("how").open = true;
}

/** @param {string} words */
function showWrong(words) {
  get("wrong").textContent = words;
  get("wrong").hidden = !words;
}

/** @param {string} command */
function showCommand(command) {
  get("command").textContent = command;
  get("copy-command").disabled = !command;
}

/** Take in what the server says of a question that is one. @param {link.Question} question @param {any} told */
function accept(question, told) {
  valid = true;
  pressed = false;
  form.blame("", "");
  blameHow({ field: "", message: "" });
  showWrong("");
  showCommand(told.command);
  showFiles(question, told.command);
  field.mark(told.seen && form.kind === "complete" ? told.seen : { cells: [], wrong: [], clash: "" });
  share(question);
}

/** Offer the files that the command names, after the fields. @param {link.Question} question @param {string} command */
function showFiles(question, command) {
  const links = [];
  for (const name of new Set(command.match(/\b\w+\.(rle|txt|toml)\b/g))) {
    const value = question.values[name === "problem.toml" ? "spec" : name.replace(/\..*/, "")];
    const text = [value].flat(2)[0];
    if (typeof text !== "string") continue;
    links.push(make("a", { class: "button", download: name, href: URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" })) }, `Save ${name}`));
  }
  for (const old of get("files").querySelectorAll("a")) URL.revokeObjectURL(old.href);
  get("files").replaceChildren(...links);
}

/** @param {link.Question} question */
function share(question) {
  const answered = current?.asked === JSON.stringify(question);
  history.replaceState(null, "", link.write({ question, ...(answered ? { rle: current?.rle ?? "" } : {}) }));
}

/** Show the form of a kind, and its drawing; return what is wrong with the drawing. @param {string} kind @param {Record<string, any>} values @param {any} [drawing] as it was left */
async function showKind(kind, values, drawing) {
  pressed = loaded = false;
  clearTimeout(soon);
  checking?.abort();
  form.show(kind, values);
  const look = form.look();
  for (const button of get("cards").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.card === look.card));
  if (form.isDrawn) field.set(look);
  const unread = !form.isDrawn ? "" : drawing ? field.restore(drawing) : await field.takeValues(values);
  showStage();
  return unread;
}

/** Begin with a kind: what was asked of it before, or its example, which plays. @param {string} kind */
async function choose(kind) {
  const turn = ++turns;
  if (loaded) asked[form.kind] = { values: readQuestion().values, drawing: field.save() };
  const example = form.known.kinds.find((each) => each.name === kind)?.example;
  select(null);
  play(null);
  await showKind(kind, asked[kind]?.values ?? example?.values ?? {}, asked[kind]?.drawing);
  if (turn !== turns) return;
  loaded = true;
  const now = JSON.stringify(readQuestion().values);
  if (!asked[kind]) examples[kind] = now;
  const fresh = example && examples[kind] === now;
  if (fresh) await playText(example.rle, example.scene);
  if (fresh && !form.isDrawn) accept(readQuestion(), example);
  else changed();
  showActions(undefined, current);
}

const FIRST_OF = /** @type {Record<string, string>} */ ({ find: "ship", complete: "complete", past: "parent" });
get("cards").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const card = /** @type {HTMLElement} */ (event.target).dataset.card;
  if (card && card !== form.look().card) void choose(FIRST_OF[card] ?? "ship");
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
  const bad = HOW.find((name) => !get(name).checkValidity());
  if (bad) return blame(new Refusal(get(bad).validationMessage, 422, bad));
  const seed = get("seed").value;
  await submit({
    question: readQuestion(),
    engine: get("engine").value || null,
    seconds: Number(get("seconds").value),
    jobs: Number(get("jobs").value),
    ...(seed === "" ? {} : { seed: Number(seed) }),
    ...how,
  });
}

/** @param {any} request */
async function submit(request) {
  const asking = JSON.stringify(readQuestion());
  try {
    const told = await ask("POST", "/api/jobs", request);
    play(null);
    attach(told, asking);
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

/** @param {any} told @param {string} [asking] what stood in the form */
function attach(told, asking = "") {
  if (jobs.has(told.id)) return;
  /** @type {Job} */
  const job = new Job(told, asking, () => update(job));
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
  showButtons();
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

function showButtons() {
  const job = jobs.get(selected.job ?? "");
  get("stop").hidden = [...jobs.values()].every((each) => each.over);
  get("search").hidden = Boolean(job && !job.over);
}

function showSelected() {
  const job = jobs.get(selected.job ?? "");
  showButtons();
  clearInterval(ticking);
  if (!job) {
    get("status").hidden = true;
    return;
  }
  job.show();
  if (!job.over) ticking = setInterval(() => { job.show(); showOffers(job); }, 1000);
  showOffers(job);
  const find = job.finds[selected.find];
  if (find && find.scene !== current?.scene && !isEditing(job)) play(find, job.told.question);
  if (!find && current) play(null);
  showStage();
  showActions(job, find);
}

/** Whether the drawing has been changed since a search was asked for; then it stays. @param {Job} job */
function isEditing(job) {
  return Boolean(job.asking) && !get("drawing").hidden && job.asking !== JSON.stringify(readQuestion());
}

/** Play a pattern; what was drawn is marked in it, if the pattern is an answer to that. @param {Find | null} find @param {link.Question} [question] */
function play(find, question = readQuestion()) {
  player?.destroy();
  const drawn = find && form.isDrawn && isSame(question);
  given = drawn ? findPlace(readScene(find.scene), find.scene.loop, field.given(), form.look().card === "past") : [];
  player = find ? mount(get("shown"), find.scene, { given }) : undefined;
  current = find && { ...find, asked: JSON.stringify(question) };
  if (valid) share(readQuestion());
  showStage();
}

/** Show the pattern that plays, or the drawing, or what a search is about, or that there is none. */
function showStage() {
  const job = jobs.get(selected.job ?? "");
  const drawn = form.isDrawn;
  const none = Boolean(job?.none && isSame(job.told.question));
  get("shown").hidden = !current;
  get("drawing").hidden = !drawn || Boolean(current) || none;
  get("editing").hidden = !drawn || !(current || none);
  get("watch").hidden = Boolean(current) || !job || (drawn && !none && !job.partial) || !drawWatch(get("watch"), job);
}

/** Go back to the drawing. */
function edit() {
  select(null);
  play(null);
  showActions(undefined, null);
  field.board.focus({ preventScroll: true });
}
get("edit").addEventListener("click", edit);
// Whoever touches the answer to a drawing wants to draw: that cell is painted.
get("shown").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  if (!form.isDrawn || /** @type {HTMLElement} */ (event.target).localName !== "canvas") return;
  const [x, y, t] = player.findCell(event);
  const n = Math.max(0, given.findIndex((each) => each.t === t));
  const place = given[n];
  edit();
  if (place) field.tap(x - place.x, y - place.y, n);
});
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
    made.push(makeCopy("Copy link", (start.share ?? location.href.split("#")[0]) + link.write({ question, rle: find.rle })), makeCopy("Copy RLE", find.rle));
    if (job && can("pictures")) for (const suffix of ["svg", "gif", "html"]) made.push(make("a", { class: "button", href: `/api/jobs/${job.id}/picture/${find.number}.${suffix}`, download: true }, suffix.toUpperCase()));
  }
  if (find && can("drawing")) for (const suffix of ["svg", "gif"]) button(suffix.toUpperCase(), () => void import("./pictures.js").then((made) => made.save(find.scene, suffix)));
  if (job?.over && find) {
    if (!job.told.boxless) button("Another", () => again({ seed: Math.floor(Math.random() * 2 ** 30) }));
    else if (job.told.goal !== "fresh") button("Another", () => again({ goal: "fresh" }));
    if (can("goals") && !job.told.boxless) for (const [words, goal] of [["Smaller", "smallest"], ["All", "all"]]) button(words ?? "", () => again({ goal }));
  }
  if (can("certificates") && (job?.state === "impossible" || job?.state === "exhausted")) button("Make a certificate", () => again({ goal: "certificate", seconds: Math.max(300, job.told.limit) }));
  if (job?.state === "certified") {
    made.push(make("a", { class: "button primary", href: `/api/jobs/${job.id}/certificate.zip`, download: true }, `Download the certificate (${Math.ceil((job.end?.bytes ?? 0) / 1024)} kB)`));
    made.push(make("a", { class: "button", href: `/api/jobs/${job.id}/certificate.svg`, download: true }, "Card to share"));
  }
  if (job?.state === "undecided") button("Try longer", () => again({ goal: job.told.goal, seconds: Math.min(start.limits.seconds, 4 * job.told.limit) }));
  if (job?.state === "stopped" || job?.state === "failed") button("Search again", () => again({ goal: job.told.goal }));
  if (job?.over && JSON.stringify(question) !== JSON.stringify(readQuestion())) button("Edit this question", () => void reopen(question, find?.rle));
  offer(get("actions"), [job?.id, job?.state, find?.number, find?.rle, question], made);
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
          if (job.finds[n]) play(job.finds[n], job.told.question);
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
  return job.none ? `No ${job.told.short}` : job.over ? `${STATES[job.state]?.[1]}: ${job.told.short}` : job.title;
}

async function showHistory() {
  if (!get("history").open) return;
  const told = await ask("GET", "/api/history").catch(() => null);
  if (!told) return;
  const rows = told.map((/** @type {any} */ row) => make("li", {}, make("button", { type: "button", click: () => void reopen(row.question, row.rle) },
    `${STATES[row.state]?.[0] ?? "·"} ${STATES[row.state]?.[1] ?? row.state}: ${/\.(rle|txt|toml)\b/.test(row.command) ? row.short ?? row.sentence : row.command}`)));
  get("past").replaceChildren(...(rows.length ? rows : [make("li", {}, "Nothing has been asked yet.")]));
}

/** Show a question as it was asked, and its find; what cannot be shown here is told, with its command. @param {link.Question} question @param {string} [rle] */
async function reopen(question, rle) {
  let turn = ++turns;
  select(null);
  play(null);
  // What only satlife itself can search for is shown, with its command.
  const known = form.known.kinds.some((each) => each.name === question.kind) || Boolean(await ask("POST", "/api/check", question).catch((error) => error.command));
  if (turn !== turns) return;
  const unread = known ? await showKind(question.kind, question.values) : (await choose("ship"), "");
  if (known && turn !== turns) return;
  turn = turns;
  loaded = true;
  if (known && !unread) await check();
  else {
    const told = await ask("POST", "/api/check", question).catch((error) => error);
    if (told instanceof Error && !(told instanceof Refusal)) offline(told);
    else showWrong(unread || told.message);
    showCommand(told.command ?? "");
    valid = false;
  }
  if (rle && turn === turns) await playText(rle, undefined, question);
  showActions(undefined, current);
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

/** Play a pattern that came as text; what it is is computed by the server. @param {string} rle @param {any} [scene] @param {link.Question} [question] */
async function playText(rle, scene, question) {
  try {
    play({ scene: scene ?? await ask("POST", "/api/scene", { text: rle, ...(question ? { question } : {}) }), rle }, question);
  } catch (error) {
    showWrong(`The pattern of this link cannot be shown: ${/** @type {Error} */ (error).message}`);
  }
}

/** Fill the form from a link, and play its pattern; a link never starts a search. */
async function openLink() {
  const shared = link.read(location.hash);
  if (!shared?.question && !shared?.rle) return false;
  if (shared.question) await reopen(shared.question, shared.rle);
  else {
    await choose("ship");
    await playText(shared.rle ?? "");
    showActions(undefined, current);
  }
  return true;
}

/** @param {any} error */
function offline(error) {
  const stale = error instanceof Refusal && error.status === 401;
  const words = stale
    ? "This page belongs to a server that has ended. Open the address that satlife serve has printed now; your question is in the link above."
    : "Disconnected: the server does not answer. Searches go on while it runs; trying again …";
  if (error instanceof Refusal && !stale) return showWrong(error.message);
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

const keysOn = () => readSetting("keys") !== "off";
get("keys").checked = keysOn();
get("keys").addEventListener("change", () => keepSetting("keys", get("keys").checked ? "on" : "off"));
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
for (const term of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("[data-term]")))
  if (start.docs) term.href = `${start.docs}reference/glossary.html#term-${term.dataset.term}`;
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
  showStage();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showTheme(readSetting("theme")));
get("theme").addEventListener("click", () => {
  const now = THEMES.findIndex(([name]) => name === (readSetting("theme")));
  const theme = THEMES[(now + 1) % THEMES.length]?.[0] ?? "";
  keepSetting("theme", theme);
  showTheme(theme);
});

// ------------------------------------------------------------------ begin

showTheme(readSetting("theme"));
get("engine").append(make("option", { value: "" }, "chosen for you"), ...start.engines.map((/** @type {any} */ each) => make("option", { value: each.name }, `${each.name}: ${each.title}`)));
get("seconds").max = start.limits.seconds;
window.addEventListener("hashchange", () => void openLink().catch(() => choose("ship")));
const running = start.jobs.find((/** @type {any} */ job) => STATES[job.state] && !["found", "impossible", "exhausted", "certified", "undecided", "stopped", "failed"].includes(job.state));
for (const told of [...start.jobs].reverse()) attach(told);
for (const element of document.querySelectorAll("[data-needs]")) /** @type {HTMLElement} */ (element).hidden = !can(/** @type {HTMLElement} */ (element).dataset.needs ?? "");
const linked = await openLink().catch(() => false);
if (!linked) await (running ? reopen(running.question) : choose("ship"));
// The status is about the question in the form: a link may have brought another one.
if (running && (!linked || isSame(running.question))) select(running.id);
for (const told of start.jobs.slice(0, 8)) remember(jobs.get(told.id));
document.documentElement.dataset.ready = "yes";
