// A job as the page sees it: what it has told so far, and what stands in the status box.

import { announce, get, make } from "./dom.js";

/** The sign and the words of each state; colour is never the only difference. */
export const STATES = /** @type {Record<string, [string, string]>} */ ({
  queued: ["…", "Waiting in the queue"],
  encoding: ["⚙", "Encoding"],
  solving: ["⟳", "Searching"],
  checking: ["⚖", "Checking the proof"],
  found: ["✔", "Found"],
  impossible: ["∅", "No such pattern exists"],
  exhausted: ["≈", "The search found nothing"],
  certified: ["§", "Certified"],
  undecided: ["?", "Undecided"],
  stopped: ["■", "Stopped"],
  failed: ["✖", "Failed"],
});
/** How far a search has come; it never goes back to what it was. @type {Record<string, number>} */
const STAGES = { queued: 0, encoding: 1, solving: 2, checking: 2 };
const OVER = ["found", "impossible", "exhausted", "certified", "undecided", "stopped", "failed"];
/** @type {Record<string, string>} */
const LABELS = { level: "level (rows)", deepest: "deepest partial (rows)" };
/** Measures of work; the rate of the first one that a search reports is shown. */
const WORK = ["conflicts", "states", "fillings"];
const SHOWN = ["variables", "clauses", "conflicts", "states", "level", "queue", "deepest", "fillings", "cells"];

export class Job {
  /** @param {any} told @param {string} asking what stood in the form when it was asked for, in JSON @param {() => void} changed */
  constructor(told, asking, changed) {
    this.id = told.id;
    this.told = told;
    this.asking = asking;
    this.state = told.state;
    this.changed = changed;
    /** @type {any} what was said at the end */
    this.end = null;
    /** @type {any[]} */
    this.finds = [];
    /** @type {Record<string, any>} */
    this.numbers = {};
    this.racer = "";
    /** @type {any} the box and the known cells, shown until there is something better */
    this.sketch = null;
    this.partial = "";
    this.work = "";
    this.rate = 0;
    /** @type {number | undefined} when progress was heard of last, in seconds of the search */
    this.heard = undefined;
    /** @type {number | undefined} when it began, by the page's clock */
    this.begun = undefined;
    this.#place(told.seconds);
    /** The last message that was heard. */
    this.last = 0;
    /** Whether what it told before this page was opened was asked for. */
    this.asked = false;
  }

  get over() {
    return OVER.includes(this.state);
  }

  /** Whether there is no such pattern. */
  get none() {
    return this.state === "impossible" || this.state === "certified";
  }

  get seconds() {
    if (this.over) return this.end?.seconds ?? this.told.seconds;
    return this.begun === undefined ? 0 : (performance.now() - this.begun) / 1000;
  }

  /** Note how long it has run; a message that is told again is older, and changes nothing. @param {number} seconds */
  #place(seconds) {
    if (this.state === "queued") return;
    const begun = performance.now() - seconds * 1000;
    this.begun = Math.min(this.begun ?? begun, begun);
  }

  /** Take in a message; one that was heard before changes nothing. @param {string} kind @param {any} content @param {number} number */
  hear(kind, content, number) {
    if (number <= this.last) return;
    this.last = number;
    if (kind === "state") {
      const stage = (/** @type {string} */ state) => STAGES[state] ?? 3;
      if (stage(content.state) >= stage(this.state)) this.state = content.state;
      this.#place(content.seconds);
      if (content.numbers) this.numbers = { ...this.numbers, ...content.numbers };
      if (content.engine) this.racer = content.engine;
      if (content.sketch) this.sketch = content.sketch;
      if (OVER.includes(content.state)) this.end = content;
    } else if (kind === "progress") {
      this.work = WORK.find((name) => content.numbers[name]) ?? this.work;
      const done = (content.numbers[this.work] ?? 0) - (this.numbers[this.work] ?? 0);
      if (done > 0) this.rate = done / Math.max(0.1, content.seconds - (this.heard ?? 0));
      this.heard = content.seconds;
      this.numbers = { ...this.numbers, ...content.numbers };
      this.racer = content.racer;
      this.partial = content.partial || this.partial;
    } else if (kind === "found") this.finds.push(content);
    this.changed();
  }

  get title() {
    return this.end?.title ?? STATES[this.state]?.[1] ?? this.state;
  }

  /** Show it in the status box. */
  show() {
    const box = get("status");
    box.hidden = false;
    box.dataset.state = this.state;
    get("sign").textContent = STATES[this.state]?.[0] ?? "";
    get("title").textContent = this.title;
    get("words").textContent = this.end?.words ?? (this.told.goal === "certificate" ? this.racer : "");
    get("question-of").textContent = get("question-of").title = `Asked for: ${this.told.sentence}.`;
    this.#showNumbers();
    const statement = get("statement");
    statement.hidden = !this.end?.statement;
    statement.querySelector("pre").textContent = this.end?.statement ?? "";
    announce(this.over ? `${this.title}. ${this.end?.words ?? ""}` : `${this.title}, ${Math.round(this.seconds)} seconds`, this.over);
  }

  #showNumbers() {
    /** @type {[string, string][]} */
    const rows = [["time", `${this.seconds.toFixed(this.seconds < 10 ? 1 : 0)} s`]];
    for (const name of SHOWN) if (this.numbers[name]) rows.push([LABELS[name] ?? name, Number(this.numbers[name]).toLocaleString("en")]);
    if (this.rate && !this.over) rows.push([`${this.work}/s`, Math.round(this.rate).toLocaleString("en")]);
    else if (this.numbers.processor_seconds && !this.over) rows.push(["processor", `${Math.round((100 * this.numbers.processor_seconds) / Math.max(0.1, this.heard ?? 0))} %`]);
    if (this.numbers.memory_bytes) rows.push(["memory", `${Math.round(this.numbers.memory_bytes / 2 ** 20)} MiB`]);
    if (this.racer && this.told.goal !== "certificate") rows.push(["by", [this.numbers.solver, this.numbers.encoding].includes(this.racer) || !this.numbers.encoding ? this.racer : `${this.racer}, ${this.numbers.encoding}`]);
    get("numbers").replaceChildren(...(this.state === "queued" ? [] : rows).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  }
}
