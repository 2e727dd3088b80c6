// The form: a sentence with editable words, made from the server's list of kinds.

import { make } from "./dom.js";

/** @typedef {{name: string, label: string, reader: string, least: number | null, words: number, help: string, metavar: string, argument: boolean, many: boolean, required: boolean, default: string}} Parameter */
/** @typedef {{name: string, noun: string, summary: string, text: string, parameters: Parameter[]}} Kind */

/** Kinds that are drawn, with the parameter that is the drawing and the state of an empty cell. */
export const DRAWN = /** @type {Record<string, {parameter: string, empty: string, generations: boolean}>} */ ({
  complete: { parameter: "partial", empty: "?", generations: true },
  parent: { parameter: "pattern", empty: ".", generations: false },
  orphan: { parameter: "pattern", empty: ".", generations: false },
});

/** The words before a field of the sentence. */
const WORDS = /** @type {Record<string, string>} */ ({
  speed: "of speed", period: "of period", box: "in", symmetry: "symmetry", rule: "rule",
  motion: "with motion", generations: "generations back:", margin: "margin", region: "in the region",
  within: "within generations", at: "at", wrap: "twisted by",
});
/** Fields that stand in the sentence, if a kind has them. */
const SENTENCE = ["speed", "period", "box", "motion", "generations", "symmetry", "rule"];
/** How wide a field of the sentence is, in characters. */
const WIDTHS = /** @type {Record<string, number>} */ ({ box: 8, rule: 10, speed: 9, motion: 6, period: 5, generations: 4 });
/** What stands in a field that is empty. */
const HINTS = /** @type {Record<string, string>} */ ({ motion: "p1", speed: "c/3", period: "3", box: "16x6", rule: "B3/S23" });

/** The card of a kind. @param {string} kind */
export const cardOf = (kind) => (kind === "complete" ? "complete" : kind in DRAWN ? "none" : "find");

export class Form {
  /**
   * @param {HTMLElement} sentence @param {HTMLElement} more @param {Kind[]} kinds
   * @param {Record<string, string>} symmetries @param {() => void} changed
   */
  constructor(sentence, more, kinds, symmetries, changed) {
    this.sentence = sentence;
    this.more = more;
    this.kinds = kinds;
    this.symmetries = symmetries;
    this.changed = changed;
    this.kind = "";
    /** @type {Map<string, any>} */
    this.fields = new Map();
    /** @type {Record<string, any>} what was written, so that a change of kind keeps it */
    this.memory = {};
  }

  /** @returns {Kind} */
  get chosen() {
    return /** @type {Kind} */ (this.kinds.find((kind) => kind.name === this.kind) ?? this.kinds[0]);
  }

  /** Show the form of a kind. @param {string} name @param {Record<string, any>} [values] */
  show(name, values) {
    this.kind = this.kinds.some((kind) => kind.name === name) ? name : "ship";
    if (values) this.memory = { ...values };
    const kind = this.chosen;
    const drawn = DRAWN[kind.name]?.parameter;
    this.fields.clear();
    const inline = kind.parameters.filter((p) => SENTENCE.includes(p.name)).sort((a, b) => SENTENCE.indexOf(a.name) - SENTENCE.indexOf(b.name));
    const texts = kind.parameters.filter((p) => !SENTENCE.includes(p.name) && p.name !== drawn && (p.required || p.name === "spec"));
    const others = kind.parameters.filter((p) => p.name !== drawn && !inline.includes(p) && !texts.includes(p));
    const words = make("div", { class: "words" }, `${kind.name === "orphan" ? "Decide whether this is an" : kind.name === "complete" ? "Complete this" : kind.name === "parent" ? "Find what becomes this: a" : /^[aeiou]/.test(kind.name) ? "Find an" : "Find a"} `, this.#makeKinds());
    for (const each of inline) words.append(make("span", { class: "word" }, this.#makeField(each, true)));
    this.sentence.replaceChildren(words, ...texts.map((each) => this.#makeField(each, false)));
    const box = /** @type {HTMLElement} */ (this.more.querySelector(".fields"));
    box.replaceChildren(...others.map((each) => this.#makeField(each, false)));
    this.more.hidden = !others.length;
  }

  #makeKinds() {
    const card = cardOf(this.kind);
    const select = make("select", { id: "kind", "aria-label": "Kind of search", change: () => {
      this.read();
      this.show(select.value);
      this.changed();
      document.getElementById("kind")?.focus();
    } });
    for (const kind of this.kinds)
      if (cardOf(kind.name) === card)
        select.append(make("option", { value: kind.name, selected: kind.name === this.kind },
          kind.name === "ship" ? "spaceship" : kind.name === "find" ? "pattern of a problem file" : kind.name === "complete" ? "drawing" : kind.name.replaceAll("-", " ")));
    return select;
  }

  /** @param {Parameter} p @param {boolean} inline */
  #makeField(p, inline) {
    const id = `f-${p.name}`;
    const kept = this.memory[p.name];
    const value = p.many ? (kept ?? []).map((/** @type {any} */ one) => (Array.isArray(one) ? one.join("\n") : one)).join(p.words > 1 ? "\n\n" : " ") : kept ?? p.default;
    const error = make("span", { class: "error", id: `${id}-error`, hidden: true });
    const shared = { id, "aria-describedby": p.help && !inline ? `${id}-help ${id}-error` : `${id}-error`, "aria-required": p.required ? "true" : undefined, input: () => this.changed() };
    let field;
    if (p.name === "symmetry") {
      field = make("select", { ...shared });
      const names = Object.entries(this.symmetries);
      if (value && !(value in this.symmetries)) names.push([value, value]);
      for (const [name, words] of names)
        field.append(make("option", { value: name === "C1" ? "" : name, selected: name === value }, name === "C1" ? "any" : `${words.split(/[;,]/)[0]} (${name})`));
    } else if (p.reader === "flag") field = make("input", { ...shared, type: "checkbox", checked: Boolean(kept) });
    else if (p.reader === "file" || p.words > 1) {
      field = make("textarea", { ...shared, rows: 4, spellcheck: "false" });
      field.value = value;
    } else {
      field = make("input", { ...shared, type: "text", value, spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: inline ? HINTS[p.name] : p.metavar, inputmode: p.reader === "number" ? "numeric" : undefined });
    }
    if (inline && field.localName === "input") field.style.width = `${WIDTHS[p.name] ?? 8}ch`;
    this.fields.set(p.name, { p, field, error });
    if (inline) return make("label", { class: "inline" }, make("span", {}, `${WORDS[p.name] ?? p.label} `), field, error);
    if (p.reader === "flag") return make("div", { class: "field" }, make("label", { class: "check" }, field, ` ${p.label}`), make("small", { id: `${id}-help` }, p.help), error);
    return make("div", { class: "field" }, make("label", { for: id }, p.label), field, make("small", { id: `${id}-help` }, p.help), error);
  }

  /** Return what is written. @returns {Record<string, any>} */
  read() {
    /** @type {Record<string, any>} */
    const values = {};
    for (const [name, { p, field }] of this.fields) {
      if (p.reader === "flag") {
        if (field.checked) values[name] = true;
        else delete this.memory[name];
        continue;
      }
      const text = field.value.trim();
      delete this.memory[name];
      if (!text || text === p.default) continue;
      if (p.words > 1)
        values[name] = text.split(/\n\s*\n/).map((/** @type {string} */ block) => {
          const lines = block.split("\n");
          return [lines.slice(0, -1).join("\n"), lines[lines.length - 1]];
        });
      else if (p.many) values[name] = text.split(/\s+/);
      else values[name] = text;
      this.memory[name] = values[name];
    }
    return values;
  }

  /** Set a field, as if it had been written. @param {string} name @param {string} value */
  set(name, value) {
    const found = this.fields.get(name);
    if (found) found.field.value = value;
    this.changed();
  }

  /** Say what is wrong, at its field; return whether there is such a field. @param {string} name @param {string} words */
  blame(name, words) {
    let told = false;
    for (const [each, { field, error }] of this.fields) {
      const wrong = Boolean(words) && each === name;
      error.textContent = wrong ? words : "";
      error.hidden = !wrong;
      wrong ? field.setAttribute("aria-invalid", "true") : field.removeAttribute("aria-invalid");
      told ||= wrong;
      if (wrong) field.closest("details")?.setAttribute("open", "");
    }
    return told;
  }
}
