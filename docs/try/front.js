// The search on the front page of the documents: a card asks its question where the reader is, and the
// answer plays there. It is the page in small; what is drawn, it leaves to the whole page.

import { ask, listen } from "./api.js";
import { Refusal, get, make, makeCopy, offer } from "./dom.js";
import { Form } from "./form.js";
import { Job } from "./job.js";
import * as link from "./link.js";
import { mount } from "./player.js";
import { drawWatch } from "./thumb.js";

/** @typedef {import("./link.js").Question} Question */

const start = await ask("GET", "/api/start");
const home = /** @type {HTMLElement} */ (document.querySelector(".front"));
const places = {
  sentence: make("div", {}), texts: make("div", {}), explain: make("p", { id: "explain" }),
  more: make("details", {}, make("div", { class: "fields" })), // conditions are for the whole page
};
const form = new Form(places, { ...start, docs: "./" }, changed, choose);
/** @type {Record<string, any>} what the question says by a drawing */
let drawn = {};
/** @type {Job | undefined} */
let job;
/** @type {() => void} */
let leave = () => {};
/** @type {any} */
let player;
/** @type {any} the find that plays */
let find;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
/** The number of the last search. */
let asked = 0;

home.replaceChildren(
  make("form", { id: "form", novalidate: true, "aria-label": "The question", submit: (/** @type {Event} */ event) => {
    event.preventDefault();
    void search();
  } }, places.sentence, places.explain, make("p", { id: "wrong", role: "alert", hidden: true }), places.texts,
    make("div", { id: "bar" }, make("button", { type: "submit", id: "search" }, "Search"), make("button", { type: "button", id: "stop", hidden: true, click: stop }, "Stop"), make("code", { id: "command" }))),
  make("div", { id: "status", hidden: true },
    make("p", { id: "state" }, make("span", { id: "sign", "aria-hidden": "true" }), make("strong", { id: "title" })), make("p", { id: "words" }), make("p", { id: "question-of" }),
    make("dl", { id: "numbers" }), make("details", { id: "statement", hidden: true }, make("summary", {}, "The full statement"), make("pre", { tabindex: "0" }))),
  make("figure", { id: "watch", class: "satlife-player", hidden: true }, make("canvas", { role: "img" }), make("figcaption", {})),
  make("div", { id: "shown", class: "player" }),
  make("div", { id: "actions" }),
  make("p", { id: "said", role: "status", "aria-live": "polite" }),
);

/** Show the question of a link to the page, and its pattern; or search at once. @param {string} address @param {boolean} searches */
export async function open(address, searches) {
  const shared = link.read(new URL(address).hash);
  if (!shared?.question) return;
  forget();
  show(shared.question.kind, shared.question.values);
  home.scrollIntoView();
  if (searches) return search();
  if (shared.rle) play({ rle: shared.rle, scene: await ask("POST", "/api/scene", { text: shared.rle, question: shared.question }) });
  await check();
}

/** @param {string} kind @param {Record<string, any>} values */
function show(kind, values) {
  const names = form.look(kind).drawn;
  drawn = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  form.show(kind, values);
}

/** Begin with another kind: its example, or what was drawn before. @param {string} kind */
function choose(kind) {
  forget();
  show(kind, form.look(kind).drawn.length ? drawn : start.kinds.find((/** @type {any} */ each) => each.name === kind)?.example.values ?? {});
  changed();
}

/** @returns {Question} */
const readQuestion = () => ({ kind: form.kind, values: { ...form.read(), ...drawn } });

function changed() {
  clearTimeout(soon);
  soon = setTimeout(() => void check(), 150);
}

/** Say what is wrong with the question, or its command; return whether it can be asked. @param {boolean} [asked] */
async function check(asked = false) {
  clearTimeout(soon);
  const told = await ask("POST", "/api/check", readQuestion()).catch((error) => error);
  const refused = told instanceof Refusal ? told : null;
  if (told instanceof Error && !refused) throw told;
  const there = form.blame(refused?.field ?? "", refused?.message ?? "", asked);
  get("wrong").textContent = there ? "" : refused?.message ?? "";
  get("wrong").hidden = there || !refused;
  get("command").textContent = told.command ?? "";
  showActions();
  return !refused;
}

/** @param {object} [how] */
async function search(how = {}) {
  const number = (asked += 1);
  if (!(await check(true)) || number !== asked) return;
  forget();
  const told = await ask("POST", "/api/jobs", { question: readQuestion(), seconds: 60, ...how });
  // Of two clicks in a row, the second counts.
  if (number !== asked) return void ask("DELETE", `/api/jobs/${told.id}`);
  const mine = (job = new Job(told, "", () => mine === job && update()));
  leave = listen(told.id, 0, (...heard) => mine.hear(...heard), () => {});
  update();
}

function stop() {
  if (job && !job.over) void ask("DELETE", `/api/jobs/${job.id}`);
}

/** Take away the answer to the question before. */
function forget() {
  stop();
  leave();
  player?.destroy();
  [job, find] = [undefined, undefined];
  for (const id of ["status", "watch"]) get(id).hidden = true;
  showActions();
}

/** @param {any} found */
function play(found) {
  player?.destroy();
  find = found;
  player = mount(get("shown"), found.scene);
  showActions();
}

function update() {
  if (!job) return;
  job.show();
  if (job.finds[0] && job.finds[0] !== find) play(job.finds[0]);
  get("watch").hidden = Boolean(find) || !drawWatch(get("watch"), job);
  showActions();
}

/** Offer what can be done with the question and its answer. */
function showActions() {
  const running = Boolean(job && !job.over);
  get("search").hidden = running;
  get("stop").hidden = !running;
  const address = new URL("./index.html", import.meta.url).href + link.write({ question: job?.told.question ?? readQuestion(), ...(find && { rle: find.rle }) });
  const another = make("button", { type: "button", click: () => void search({ seed: Math.floor(Math.random() * 2 ** 30) }) }, "Another");
  offer(get("actions"), address, [makeCopy("Copy link", address), ...(find ? [makeCopy("Copy RLE", find.rle)] : []), ...(job?.state === "found" ? [another] : []), make("a", { href: address }, form.isDrawn ? "Draw on the whole page" : "The whole page")]);
}
