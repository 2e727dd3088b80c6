// The form: a sentence with editable words, made from the server's list of kinds.

import { isSentence, makeRows } from "./conditions.js";
import { make, tidy } from "./dom.js";

/** @typedef {{before: string, after: string, width: number, example: string, meaning: string, term: string}} Blank a place in the sentence */
/** @typedef {{name: string, label: string, heading: string, reader: string, least: number | null, words: number, help: string, metavar: string, argument: boolean, many: boolean, counts: string, timed: boolean, cell: string, blank: Blank | null, required: boolean, default: string}} Parameter */
/** @typedef {{card: string, begin: string, title: string, drawn: string[], empty: string, several: boolean, states: Record<string, string> | null}} Look how a kind is asked for: what a drawing says of it, what the cells of an empty one are, and the words for the states */
/** @typedef {{values: Record<string, any>, command: string, rle: string, scene: any}} Example */
/** @typedef {{name: string, noun: string, summary: string, text: string, parameters: Parameter[], example?: Example}} Kind */
/** @typedef {{p: Parameter, element: HTMLElement, read: () => any, error: HTMLElement}} Entry */

export class Form {
  /**
   * @param {{sentence: HTMLElement, texts: HTMLElement, more: HTMLElement, explain: HTMLElement}} places several texts stand apart from the sentence
   * @param {{kinds: Kind[], looks: Record<string, Look>, headings: string[], symmetries: Record<string, string>, spellings: Record<string, string>, docs?: string | null}} known
   * @param {() => void} changed @param {(kind: string) => void} chosen
   */
  constructor(places, known, changed, chosen) {
    this.places = places;
    this.known = known;
    this.changed = changed;
    this.choose = chosen;
    this.kind = "";
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    /** @type {Set<string>} fields that were written in: only these are ever red before a search */
    this.touched = new Set();
    /** @type {Record<string, any>} what came with a link and has no field here */
    this.extra = {};
  }

  /** @returns {Kind} */
  get chosen() {
    return this.known.kinds.find((kind) => kind.name === this.kind) ?? { name: this.kind, noun: "pattern", summary: "This edition of the page cannot search for it; satlife itself can.", text: "", parameters: [] };
  }

  /** How a kind is asked for. @param {string} [kind] @returns {Look} */
  look(kind = this.kind) {
    const look = Object.hasOwn(this.known.looks, kind) ? this.known.looks[kind] : undefined;
    return look ?? { card: "find", begin: "Find a", title: kind, drawn: [], empty: ".", several: false, states: null };
  }

  /** Whether it is asked for by a drawing. */
  get isDrawn() {
    return this.look().drawn.length > 0;
  }

  /** Show the form of a kind. @param {string} name @param {Record<string, any>} values */
  show(name, values) {
    this.kind = name;
    this.touched.clear();
    this.entries.clear();
    const kind = this.chosen;
    const { drawn, begin } = this.look();
    const fields = kind.parameters.filter((p) => !drawn.includes(p.name));
    this.extra = Object.fromEntries(Object.entries(values).filter(([each]) => !drawn.includes(each) && !kind.parameters.some((p) => p.name === each)));
    const inline = fields.filter((p) => p.blank);
    const texts = fields.filter((p) => !inline.includes(p) && p.required);
    const words = make("div", { class: "words" }, `${begin} `, this.#makeKinds());
    for (const p of inline) words.append(this.#makeField(p, values[p.name], p.blank));
    const made = texts.map((p) => this.#makeField(p, values[p.name]));
    this.places.sentence.replaceChildren(words, ...(made.length > 1 ? [] : made));
    this.places.texts.replaceChildren(...(made.length > 1 ? made : []));
    /** @type {Map<string, HTMLElement[]>} */
    const groups = new Map(this.known.headings.map((title) => [title, []]));
    for (const p of fields.filter((each) => !inline.includes(each) && !texts.includes(each)))
      groups.get(p.heading)?.push(this.#makeField(p, values[p.name]));
    const rest = Object.entries(this.extra).map(([each, value]) => this.#makeExtra(each, value));
    groups.set("Not in this edition", rest);
    const box = /** @type {HTMLElement} */ (this.places.more.querySelector(".fields"));
    const shown = [...groups].filter(([, made]) => made.length);
    box.replaceChildren(...shown.map(([title, made]) => make("fieldset", {}, make("legend", {}, title), ...made)));
    this.places.more.hidden = !shown.length;
    this.explain("");
  }

  #makeKinds() {
    const { card } = this.look();
    const select = make("select", { id: "kind", "aria-label": "Kind of search", change: () => {
      this.choose(select.value);
      document.getElementById("kind")?.focus();
    } });
    for (const name of new Set([...this.known.kinds.map((kind) => kind.name), this.kind]))
      if (this.look(name).card === card) select.append(make("option", { value: name, selected: name === this.kind }, this.look(name).title));
    return select;
  }

  /** A condition that this edition has no field for: it is shown, and can be taken away. @param {string} name @param {any} value */
  #makeExtra(name, value) {
    const line = make("p", { class: "condition" }, `${name.replaceAll("_", " ")}: ${value === true ? "yes" : String(value)} `, make("button", { type: "button", class: "remove", "aria-label": `Remove ${name}`, click: () => {
      delete this.extra[name];
      line.remove();
      this.changed();
    } }, "×"));
    return line;
  }

  /** @param {Parameter} p @param {any} value @param {Blank | null} [blank] */
  #makeField(p, value, blank) {
    const id = `f-${p.name}`;
    const error = make("span", { class: "error", id: `${id}-error`, hidden: true });
    const changed = () => {
      this.touched.add(p.name);
      this.changed();
    };
    /** @param {HTMLElement} element @param {() => any} read @param {HTMLElement} shown */
    const keep = (element, read, shown) => {
      this.entries.set(p.name, { p, element, read, error });
      element.addEventListener("focus", () => this.explain(p.name));
      return shown;
    };
    if (isSentence(p)) {
      const rows = makeRows(p, value ? [value].flat() : [], changed);
      const read = () => (p.many ? rows.read() : rows.read()[0] ?? "");
      return keep(/** @type {HTMLElement} */ (rows.element.querySelector(`#${id}`)), read, make("div", { class: "field" }, rows.element, error));
    }
    const shared = { id, "aria-describedby": `${blank ? "explain" : `${id}-help`} ${id}-error`, "aria-required": p.required ? "true" : undefined, input: changed };
    const help = make("small", { id: `${id}-help` }, p.help);
    if (p.reader === "flag") {
      const field = make("input", { ...shared, type: "checkbox", checked: Boolean(value) });
      return keep(field, () => field.checked, make("div", { class: "field" }, make("label", { class: "check" }, field, ` ${p.label}`), help, error));
    }
    const field = p.name === "symmetry" ? this.#makeSymmetries(shared, value) : this.#makeText(p, shared, value, blank);
    const read = () => readText(p, field.value);
    if (!blank) return keep(field, read, make("div", { class: "field" }, make("label", { for: id }, p.label), field, help, error));
    const { before, after } = blank;
    return keep(field, read, make("span", { class: "word" }, make("label", { class: "inline" }, before ? `${before} ` : "", field, after ? ` ${after}` : ""), error));
  }

  /** @param {Record<string, any>} shared @param {any} value */
  #makeSymmetries(shared, value) {
    const field = make("select", shared);
    const names = Object.entries(this.known.symmetries);
    if (Object.hasOwn(this.known.spellings, value)) value = this.known.spellings[value];
    if (value && !Object.hasOwn(this.known.symmetries, value)) names.push([value, value]);
    for (const [name, words] of names)
      field.append(make("option", { value: name === "C1" ? "" : name, selected: name === value }, name === "C1" ? "any" : `${words.split(/[;,]/)[0]} (${name})`));
    return field;
  }

  /** @param {Parameter} p @param {Record<string, any>} shared @param {any} value @param {Blank | null} [blank] */
  #makeText(p, shared, value, blank) {
    const text = p.many ? [value ?? []].flat(p.words > 1 ? 0 : 1).map((one) => (Array.isArray(one) ? one.join("\n") : one)).join(p.words > 1 ? "\n\n" : " ") : value ?? p.default;
    if (p.reader === "file" || p.words > 1) {
      const area = make("textarea", { ...shared, rows: 4, spellcheck: "false" });
      area.value = text;
      return area;
    }
    const field = make("input", { ...shared, type: "text", value: text, spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: blank ? blank.example : p.metavar, inputmode: p.reader === "number" ? "numeric" : undefined });
    if (blank) {
      // What was written is shown in full.
      const fit = () => (field.style.width = `${Math.max(blank.width, field.value.length + 3)}ch`);
      field.addEventListener("input", fit);
      fit();
    }
    return field;
  }

  /** Say what a field means. @param {string} name */
  explain(name) {
    const { meaning: words, term } = this.entries.get(name)?.p.blank ?? { meaning: this.chosen.summary, term: "" };
    const link = term && this.known.docs ? make("a", { href: `${this.known.docs}reference/glossary.html#term-${term}`, target: "_blank", rel: "noopener" }, `More about ${term}`) : "";
    this.places.explain.replaceChildren(`${words} `, link);
  }

  /** Return what is written. @returns {Record<string, any>} */
  read() {
    const values = { ...this.extra };
    for (const [name, { p, read }] of this.entries) {
      const value = read();
      if (value === false || value === "" || value === p.default || (Array.isArray(value) && !value.length)) continue;
      values[name] = value;
    }
    return values;
  }

  /** Say what is wrong, at its field, if it was touched or asked; return whether there is such a field. @param {string} name @param {string} words @param {boolean} [asked] */
  blame(name, words, asked = false) {
    let told = false;
    for (const [each, { element, error }] of this.entries) {
      const wrong = Boolean(words) && each === name;
      const seen = wrong && (asked || this.touched.has(each));
      error.textContent = seen ? words : "";
      error.hidden = !seen;
      const marked = element.closest(".field")?.querySelector(".condition input") ?? element;
      seen ? marked.setAttribute("aria-invalid", "true") : marked.removeAttribute("aria-invalid");
      told ||= wrong;
      if (seen) element.closest("details")?.setAttribute("open", "");
    }
    return told;
  }
}

/** @param {Parameter} p @param {string} written */
function readText(p, written) {
  const text = written.trim();
  if (p.words > 1)
    return text ? text.split(/\n\s*\n/).map((block) => {
      const lines = block.split("\n");
      return [lines.slice(0, -1).join("\n"), lines[lines.length - 1]];
    }) : [];
  if (p.many) return text ? tidy(text).split(/\s+/) : [];
  return p.reader === "file" || text.includes("\n") || text.includes("!") ? text : tidy(text);
}
