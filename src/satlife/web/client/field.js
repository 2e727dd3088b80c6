// The field: cells to draw, of one generation or of several, by mouse, finger or keyboard.
// It is one focusable thing that speaks its cell; the same drawing is a text beside it.

import { get, make } from "./dom.js";
import { writeRle } from "./rle.js";
import { paintCell } from "./thumb.js";

/** The words for the states; a kind may have others. */
const NAMES = /** @type {Record<string, string>} */ ({ o: "alive", ".": "dead", "?": "unknown", "*": "don’t care" });
const KEYS = /** @type {Record<string, string>} */ ({ 1: "o", 0: ".", "?": "?", "*": "*" });
const LARGEST = 128;

export class Field {
  /** @param {HTMLElement} root @param {(text: string) => Promise<any>} readText @param {() => void} changed */
  constructor(root, readText, changed) {
    this.root = root;
    this.readText = readText;
    this.changed = changed;
    this.empty = "?";
    this.several = true;
    /** @type {string[][]} generation by generation, row by row */
    this.cells = [];
    this.t = 0;
    this.x = 0;
    this.y = 0;
    this.tool = "o";
    /** @type {string[]} */
    this.past = [];
    /** @type {string[]} */
    this.future = [];
    /** @type {string[][]} cells that follow from the drawing */
    this.implied = [];
    /** @type {[number, number][]} where those of each generation begin */
    this.places = [];
    /** @type {Set<string>} */
    this.wrong = new Set();
    this.zoom = 1;
    this.pan = [0, 0];
    /** @type {Map<number, [number, number]>} */
    this.fingers = new Map();
    /** @type {string} what the drawing says: a pattern, or what comes in and where the eater may be */
    this.says = "";
    /** @type {[number, number]} the place of the cell in the top left corner */
    this.origin = [0, 0];
    /** Whether somebody has drawn here. */
    this.touched = false;
    /** How often something was loaded: whoever waited meanwhile is too late. */
    this.loads = 0;
    this.names = NAMES;
    /** @type {Set<string> | null} cells to draw again at the next frame; null: all */
    this.stale = null;
    this.asked = 0;
    this.#build();
    this.resize(8, 8);
  }

  get width() {
    return this.cells[0]?.[0]?.length ?? 0;
  }

  get height() {
    return this.cells[0]?.length ?? 0;
  }

  #build() {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.board = make("div", { id: "board", tabindex: "0", role: "application", "aria-roledescription": "grid of cells", "aria-describedby": "board-help" }, this.canvas);
    this.spoken = make("p", { class: "unseen", role: "status", "aria-live": "assertive" });
    this.tools = make("div", { role: "radiogroup", "aria-label": "Paint", class: "tools" });
    Object.entries(NAMES).forEach(([value, name], n) => {
      const radio = make("input", { type: "radio", name: "tool", value, checked: value === "o", change: () => (this.tool = value) });
      this.tools.append(make("label", { class: "tool", "data-tool": value }, radio, make("span", { class: `swatch s${n}`, "aria-hidden": "true" }), make("span", {}, name)));
    });
    this.size = make("input", { id: "size", type: "text", size: 6, value: "8x8", spellcheck: "false", change: () => this.#takeSize() });
    this.rule = make("input", { id: "drawing-rule", type: "text", size: 8, value: "B3/S23", spellcheck: "false", change: () => this.#told() });
    this.ruled = make("label", { class: "inline" }, "Rule ", this.rule);
    this.when = make("select", { id: "when", change: () => this.go(Number(this.when.value)) });
    /** @param {string} name @param {string} words @param {() => void} act */
    const button = (name, words, act) => make("button", { type: "button", class: "small", "aria-label": words, title: words, click: act }, name);
    this.drop = button("−", "Remove the last generation", () => this.#dropGeneration());
    this.generations = make("span", { class: "inline" }, make("label", { class: "inline" }, "Generation ", this.when), button("+", "Add a generation", () => this.#addGeneration()), this.drop);
    this.text = make("textarea", { id: "drawing-text", rows: 6, spellcheck: "false" });
    this.textError = make("span", { class: "error", id: "drawing-text-error", hidden: true });
    this.text.setAttribute("aria-describedby", "drawing-text-error");
    const take = make("button", { type: "button", click: () => void this.paste(this.text.value) }, "Use this text");
    this.note = make("p", { id: "drawing-note", role: "status" });
    this.root.append(
      make("div", { class: "toolbar" }, this.tools, button("↶", "Undo", () => this.undo()), button("↷", "Redo", () => this.redo()), button("Clear", "Clear", () => this.clear()),
        make("label", { class: "inline" }, "Size ", this.size), this.ruled, this.generations),
      this.board,
      this.spoken,
      this.note,
      make("p", { id: "board-help", class: "hint" }, "Click or drag to paint; a drag repeats what the first cell did. With the keyboard: arrows move, 1, 0, ? and * set a cell. Two fingers pan and zoom."),
      make("details", {}, make("summary", {}, "As text"), make("div", { class: "field" }, make("label", { for: "drawing-text" }, "RLE with ?, plaintext, a name such as pulsar, or a grid of Logic Life Search"), this.text, this.textError, take)),
    );
    this.board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#press(event));
    this.board.addEventListener("focus", () => this.redraw());
    this.board.addEventListener("blur", () => this.redraw());
    this.board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.#down(event));
    this.board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) this.board.addEventListener(name, (/** @type {PointerEvent} */ event) => this.#up(event));
    new ResizeObserver(() => this.redraw()).observe(this.board);
    new MutationObserver(() => this.redraw()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  /** Begin with another kind of drawing. @param {import("./form.js").Look} look */
  set({ drawn: [says = ""], empty, several, states }) {
    const names = states ?? NAMES;
    Object.assign(this, { says, empty, several, names });
    this.generations.hidden = !several;
    this.ruled.hidden = says !== "pattern";
    for (const label of this.tools.children) {
      const name = names[/** @type {HTMLElement} */ (label).dataset.tool ?? ""];
      /** @type {HTMLElement} */ (label).hidden = !name || (label.dataset.tool === "*" && !several);
      label.lastElementChild.textContent = name ?? "";
    }
    this.tools.querySelector("[value=o]").checked = true;
    this.tool = "o";
    this.rule.value = "B3/S23";
    this.clear(false);
    this.#begin();
  }

  /** Forget what was done before; what is drawn now is the beginning. */
  #begin() {
    this.loads++;
    this.past = [];
    this.future = [];
    this.touched = false;
  }

  /** What is drawn, to be restored. */
  save() {
    return structuredClone({ cells: this.cells, origin: this.origin, rule: this.rule.value });
  }

  /** @param {ReturnType<Field["save"]>} saved */
  restore(saved) {
    const { cells, origin, rule } = structuredClone(saved);
    this.rule.value = rule;
    this.take(cells, origin);
    this.#begin();
    return "";
  }

  /** Begin anew. @param {boolean} [told] @param {number} [width] @param {number} [height] */
  clear(told = true, width = this.width, height = this.height) {
    if (told) this.#keep();
    this.cells = this.cells.slice(0, 1);
    this.origin = [0, 0];
    this.t = 0;
    this.resize(width, height, true);
    if (told) this.#told();
  }

  /** @param {number} width @param {number} height @param {boolean} [blank] */
  resize(width, height, blank = false) {
    const old = blank ? this.cells.map(() => /** @type {string[]} */ ([])) : this.cells.length ? this.cells : [[]];
    this.cells = old.map((rows) => Array.from({ length: height }, (_, y) => (rows[y] ?? "").slice(0, width).padEnd(width, this.empty)));
    [this.x, this.y] = [Math.min(this.x, width - 1), Math.min(this.y, height - 1)];
    this.zoom = 1;
    this.pan = [0, 0];
    this.#refresh();
  }

  #takeSize() {
    const [, w, h] = /^\s*(\d+)\s*[x× ]\s*(\d+)\s*$/.exec(this.size.value) ?? [];
    const fits = w && h && Number(w) > 0 && Number(h) > 0 && Number(w) <= LARGEST && Number(h) <= LARGEST;
    fits ? this.size.removeAttribute("aria-invalid") : this.size.setAttribute("aria-invalid", "true");
    this.say(fits ? "" : `A size is width x height, up to ${LARGEST}x${LARGEST}`);
    if (!fits) return;
    this.#keep();
    this.resize(Number(w), Number(h));
    this.#told();
  }

  #addGeneration() {
    this.#keep();
    this.cells.push(Array.from({ length: this.height }, () => this.empty.repeat(this.width)));
    this.go(this.cells.length - 1);
    this.#told();
  }

  #dropGeneration() {
    if (this.cells.length < 2) return;
    this.#keep();
    this.cells.pop();
    this.go(Math.min(this.t, this.cells.length - 1));
    this.#told();
  }

  /** Show a generation. @param {number} t */
  go(t) {
    this.t = t;
    this.#refresh();
  }

  #refresh() {
    this.size.value = `${this.width}x${this.height}`;
    this.when.replaceChildren(...this.cells.map((_, t) => make("option", { value: t, selected: t === this.t }, String(t))));
    this.drop.disabled = this.cells.length < 2;
    this.#label();
    this.redraw();
  }

  #label() {
    const state = this.at(this.x, this.y);
    const place = `column ${this.x}, row ${this.y}`;
    this.board.setAttribute("aria-label", `Drawing of ${this.width} by ${this.height} cells, generation ${this.t}. ${place}, ${this.names[state]}`);
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    return this.cells[this.t]?.[y]?.[x] ?? this.empty;
  }

  /** @param {number} x @param {number} y @param {string} state */
  #put(x, y, state) {
    const rows = /** @type {string[]} */ (this.cells[this.t]);
    const row = rows[y];
    if (row === undefined || x < 0 || x >= row.length || row[x] === state) return false;
    rows[y] = row.slice(0, x) + state + row.slice(x + 1);
    this.redraw(x, y);
    return true;
  }

  #keep() {
    this.past.push(JSON.stringify(this.cells));
    if (this.past.length > 200) this.past.shift();
    this.future = [];
  }

  undo() {
    this.#travel(this.past, this.future);
  }

  redo() {
    this.#travel(this.future, this.past);
  }

  /** @param {string[]} from @param {string[]} to */
  #travel(from, to) {
    const state = from.pop();
    if (state === undefined) return;
    to.push(JSON.stringify(this.cells));
    this.cells = JSON.parse(state);
    this.go(Math.min(this.t, this.cells.length - 1));
    this.#told();
  }

  #told() {
    this.touched = true;
    this.#label();
    this.redraw();
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) key === "z" && !event.shiftKey ? this.undo() : this.redo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (moves[event.key]) {
      const [dx, dy] = /** @type {[number, number]} */ (moves[event.key]);
      this.redraw(this.x, this.y);
      this.x = Math.max(0, Math.min(this.width - 1, this.x + dx));
      this.y = Math.max(0, Math.min(this.height - 1, this.y + dy));
      this.#label();
      this.redraw(this.x, this.y);
    } else if (KEYS[event.key] && (this.several || event.key !== "*") && this.names[KEYS[event.key] ?? ""]) {
      this.#keep();
      this.#put(this.x, this.y, /** @type {string} */ (KEYS[event.key]));
      this.#square();
      this.#told();
    } else if (event.key === " " || event.key === "Enter") {
      if (event.key === "Enter" && event.ctrlKey) return;
      this.#keep();
      this.#put(this.x, this.y, this.at(this.x, this.y) === this.tool ? this.empty : this.tool);
      this.#square();
      this.#told();
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.spoken.textContent = `column ${this.x}, row ${this.y}, ${this.names[this.at(this.x, this.y)]}`;
  }

  /** The cell under a pointer. @param {PointerEvent} event */
  #cell(event) {
    const box = this.canvas.getBoundingClientRect();
    const { cell, x0, y0 } = this.#look();
    const ratio = this.canvas.width / box.width;
    return [Math.floor(((event.clientX - box.left) * ratio - x0) / cell), Math.floor(((event.clientY - box.top) * ratio - y0) / cell)];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.board.focus({ preventScroll: true });
    this.board.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size > 1) {
      if (this.painting !== undefined) this.undo(); // the first finger was the beginning of a pinch
      this.painting = undefined;
      return;
    }
    const [x, y] = /** @type {[number, number]} */ (this.#cell(event));
    if (this.#begins(x, y)) event.preventDefault();
  }

  /** Begin to paint at a cell, if there is one. @param {number} x @param {number} y */
  #begins(x, y) {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return false;
    this.#keep();
    this.painting = this.at(x, y) === this.tool ? this.empty : this.tool;
    this.#paint(x, y);
    return true;
  }

  #end() {
    if (this.painting === undefined) return;
    this.painting = undefined;
    this.#square();
    this.#told();
  }

  /** Paint a cell of a generation, as a tap on it does. @param {number} x @param {number} y @param {number} t */
  tap(x, y, t) {
    this.go(t);
    this.#begins(x, y);
    this.#end();
  }

  /** @param {number} x @param {number} y */
  #paint(x, y) {
    if (this.painting === undefined || x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.redraw(this.x, this.y);
    [this.x, this.y] = [x, y];
    this.redraw(x, y);
    this.#put(x, y, this.painting);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    if (this.fingers.size === 2) {
      const other = /** @type {[number, number]} */ ([...this.fingers].find(([id]) => id !== event.pointerId)?.[1]);
      const now = /** @type {[number, number]} */ ([event.clientX, event.clientY]);
      const far = (/** @type {[number, number]} */ a, /** @type {[number, number]} */ b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
      this.zoom = Math.max(1, Math.min(8, (this.zoom * far(now, other)) / far(before, other)));
      const ratio = this.canvas.width / this.canvas.clientWidth;
      this.pan = [/** @type {number} */ (this.pan[0]) + ((now[0] - before[0]) * ratio) / 2, /** @type {number} */ (this.pan[1]) + ((now[1] - before[1]) * ratio) / 2];
      this.redraw();
    } else {
      // A quick hand skips cells: every cell on the way is painted.
      const steps = Math.max(1, Math.ceil(Math.hypot(event.clientX - before[0], event.clientY - before[1]) / 6));
      for (let k = 1; k <= steps; k++) {
        const place = { clientX: before[0] + ((event.clientX - before[0]) * k) / steps, clientY: before[1] + ((event.clientY - before[1]) * k) / steps };
        const [x, y] = /** @type {[number, number]} */ (this.#cell(/** @type {PointerEvent} */ (place)));
        this.#paint(x, y);
      }
    }
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    this.fingers.delete(event.pointerId);
    this.#end();
  }

  /** Make the room for an eater a rectangle. */
  #square() {
    if (this.says !== "incoming") return;
    const rows = /** @type {string[]} */ (this.cells[0]);
    const room = boxOf(rows, "?");
    if (room) this.cells[0] = rows.map((row, y) => (y < room.y || y >= room.y + room.h ? row : row.slice(0, room.x) + row.slice(room.x, room.x + room.w).replaceAll(this.empty, "?") + row.slice(room.x + room.w)));
  }

  #look() {
    const cell = Math.max(2, Math.floor(Math.min(this.canvas.width / this.width, this.canvas.height / this.height) * this.zoom));
    const [w, h] = [this.width * cell, this.height * cell];
    const clamp = (/** @type {number} */ pan, /** @type {number} */ room) => Math.max(-Math.abs(room) / 2, Math.min(Math.abs(room) / 2, pan));
    this.pan = [clamp(/** @type {number} */ (this.pan[0]), this.canvas.width - w), clamp(/** @type {number} */ (this.pan[1]), this.canvas.height - h)];
    return { cell, x0: Math.round((this.canvas.width - w) / 2 + /** @type {number} */ (this.pan[0])), y0: Math.round((this.canvas.height - h) / 2 + /** @type {number} */ (this.pan[1])) };
  }

  /** Draw a cell again, or everything, at the browser's next frame. @param {number} [x] @param {number} [y] */
  redraw(x, y) {
    if (x === undefined) this.stale = null;
    else this.stale?.add(`${x},${y}`);
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.#draw();
    });
  }

  #draw() {
    const ratio = devicePixelRatio || 1;
    const wide = this.board.clientWidth;
    if (!wide) return;
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    if (!this.stale) {
      const high = Math.min(wide * (this.height / this.width), Math.max(220, innerHeight * (wide < 500 ? 0.3 : 0.5)));
      this.canvas.style.height = `${high}px`;
      this.canvas.width = Math.round(wide * ratio);
      this.canvas.height = Math.round(high * ratio);
      const style = getComputedStyle(document.documentElement);
      this.colours = Object.fromEntries(["panel", "alive", "hatch", "grid", "key", "bad"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    }
    const colours = /** @type {Record<string, string>} */ (this.colours);
    const { cell, x0, y0 } = this.#look();
    const places = this.stale ? [...this.stale].map((place) => place.split(",").map(Number)) : Array.from({ length: this.width * this.height }, (_, k) => [k % this.width, Math.floor(k / this.width)]);
    if (!this.stale) {
      pen.fillStyle = colours.panel ?? "";
      pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
      pen.fillStyle = colours.grid ?? "";
      for (let x = 0; x <= this.width; x++) pen.fillRect(x0 + x * cell, y0, 1, this.height * cell);
      for (let y = 0; y <= this.height; y++) pen.fillRect(x0, y0 + y * cell, this.width * cell, 1);
    }
    for (const [x = 0, y = 0] of places) {
      const [left, top] = [x0 + x * cell, y0 + y * cell];
      if (this.stale) {
        pen.fillStyle = colours.panel ?? "";
        pen.fillRect(left + 1, top + 1, cell - 1, cell - 1);
      }
      const state = this.at(x, y);
      const follows = this.#impliedAt(x, y);
      const implied = state === "?" && (follows === "o" || follows === ".");
      pen.globalAlpha = implied ? 0.45 : 1;
      paintCell(pen, left, top, cell, implied ? follows : state, colours);
      pen.globalAlpha = 1;
      if (this.wrong.has(`${x},${y},${this.t}`)) this.#warn(pen, left, top, cell, colours);
    }
    if (document.activeElement === this.board) {
      const thick = Math.min(3 * ratio, cell / 3);
      pen.strokeStyle = colours.key ?? "";
      pen.lineWidth = thick;
      pen.strokeRect(x0 + this.x * cell + 1 + thick / 2, y0 + this.y * cell + 1 + thick / 2, cell - 1 - thick, cell - 1 - thick);
    }
    this.stale = new Set();
  }

  /** What follows for a cell from the rest of the drawing. @param {number} x @param {number} y */
  #impliedAt(x, y) {
    const [left, top] = this.places[this.t] ?? [0, 0];
    return this.implied[this.t]?.[y + this.origin[1] - top]?.[x + this.origin[0] - left];
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} left @param {number} top @param {number} cell @param {Record<string, string>} colours */
  #warn(pen, left, top, cell, colours) {
    pen.strokeStyle = pen.fillStyle = colours.bad ?? "";
    pen.lineWidth = Math.max(2, cell / 10);
    pen.strokeRect(left + 2, top + 2, cell - 3, cell - 3);
    pen.beginPath();
    pen.arc(left + cell / 2, top + cell / 2, cell * 0.3, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = colours.panel ?? "";
    pen.font = `bold ${Math.floor(cell * 0.45)}px sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText("!", left + cell / 2, top + cell / 2 + 1);
  }

  /** Show what the server has seen: cells that follow, and cells that cannot be. @param {{cells: string[][], places?: [number, number][], wrong: [number, number, number][], clash: string}} seen */
  mark(seen) {
    this.implied = seen.cells;
    this.places = seen.places ?? [];
    const all = seen.wrong.map(([x, y, t]) => this.#local(x, y, t));
    for (const [, x, y, t] of seen.clash.matchAll(/cell \((-?\d+), (-?\d+)\) of generation (\d+)/g)) all.push(this.#local(Number(x), Number(y), Number(t)));
    this.wrong = new Set(all);
    this.say(seen.clash ? `Contradiction: ${seen.clash}` : all.length ? `Contradiction: ${all.length === 1 ? "a cell cannot" : `${all.length} cells cannot`} be as drawn; marked with !` : "");
    this.redraw();
  }

  /** The key of a cell in the drawing. @param {number} x @param {number} y @param {number} t */
  #local(x, y, t) {
    return `${x - this.origin[0]},${y - this.origin[1]},${t}`;
  }

  /** @param {string} words */
  say(words) {
    if (this.note.textContent !== words) this.note.textContent = words;
  }

  /** Take a pasted text; what comes in to an eater leaves its room as it is. @param {string} text */
  async paste(text) {
    const wrong = await this.takeValues(this.says === "incoming" ? { ...this.readValues(), incoming: text } : { [this.says]: text }, true);
    this.textError.hidden = !wrong;
    this.textError.textContent = wrong;
    wrong ? this.text.setAttribute("aria-invalid", "true") : this.text.removeAttribute("aria-invalid");
  }

  /** Take the values that a drawing says; return what is wrong with them. @param {Record<string, any>} values @param {boolean} [pasted] */
  async takeValues(values, pasted = false) {
    const mine = ++this.loads;
    const [text, region] = [values[this.says], this.says === "incoming" && values.region];
    if (!text && !region) return "";
    try {
      const told = text ? await this.readText(String(text)) : { x: 0, y: 0, rule: "", cells: [[]] };
      if (mine !== this.loads) return "";
      if (this.says === "incoming") this.#takeEater(told.cells[0], values);
      else {
        const rule = get("f-rule") ?? this.rule;
        if (told.rule && !values.rule) rule.value = told.rule;
        this.take(this.several ? told.cells : told.cells.slice(0, 1), [told.x, told.y]);
      }
      if (told.unread) this.say(`Of the text, ${told.unread}.`);
    } catch (error) {
      this.text.value = String(text);
      return /** @type {Error} */ (error).message;
    }
    if (!pasted) this.#begin();
    return "";
  }

  /** Draw these cells. @param {string[][]} cells @param {[number, number]} origin */
  take(cells, origin) {
    this.#keep();
    this.cells = cells.map((rows) => [...rows]);
    this.origin = origin;
    this.x = this.y = 0;
    this.zoom = 1;
    this.go(0);
    this.#told();
  }

  /** Draw what comes in and the room for its eater. @param {string[]} rows @param {Record<string, any>} values */
  #takeEater(rows, values) {
    const [x = 0, y = 0] = String(values.at ?? "0,0").split(",").map(Number);
    const [x1 = 0, x2 = x1 - 1, y1 = 0, y2 = y1 - 1] = (String(values.region ?? "").match(/-?\d+/g) ?? []).map(Number);
    const [left, top] = [Math.min(0, x, x1), Math.min(0, y, y1)];
    const [width, height] = [Math.max(x + (rows[0]?.length ?? 0), x2 + 1) - left + 1, Math.max(y + rows.length, y2 + 1) - top + 1];
    if (!(Math.max(width, height) <= LARGEST)) throw new Error(`The room and what comes in are too far apart to be drawn: ${width}x${height} cells`);
    this.take([Array.from({ length: height }, (_, j) => Array.from({ length: width }, (_, i) => {
      const inside = i + left >= x1 && i + left <= x2 && j + top >= y1 && j + top <= y2;
      return rows[j + top - y]?.[i + left - x] === "o" ? "o" : inside ? "?" : ".";
    }).join(""))], [left, top]);
  }

  /** What was drawn, generation by generation; of what comes in to an eater only the live cells. */
  given() {
    const cells = this.says === "incoming" ? this.cells.map((rows) => rows.map((row) => row.replaceAll(".", "?"))) : this.cells;
    return { cells, origin: this.origin };
  }

  /** What the drawing says, as values of the form. @returns {Record<string, string>} */
  readValues() {
    if (this.says !== "incoming") return { [this.says]: this.write() };
    const rows = /** @type {string[]} */ (this.cells[0]);
    const [input, room] = [boxOf(rows, "o"), boxOf(rows, "?")];
    const cut = input ? rows.slice(input.y, input.y + input.h).map((row) => row.slice(input.x, input.x + input.w).replaceAll("?", ".")) : [];
    const text = input ? writeRle(cut, { x: 0, y: 0 }, "") : "";
    if (document.activeElement !== this.text) this.text.value = text;
    const [left, top] = this.origin;
    const at = input ? `${input.x + left},${input.y + top}` : "0,0";
    return {
      ...(input ? { incoming: text } : {}),
      ...(at === "0,0" ? {} : { at }),
      ...(room ? { region: `${room.x + left}..${room.x + left + room.w - 1},${room.y + top}..${room.y + top + room.h - 1}` } : {}),
    };
  }

  /** The drawing as a text that the server reads. */
  write() {
    const several = this.several && (this.cells.length > 1 || this.cells[0]?.some((row) => row.includes("*")));
    const [x, y] = this.origin;
    const text = several ? this.#writeGrid() : writeRle(this.cells[0] ?? [], { x, y }, get("f-rule") ? "" : this.rule.value.trim()); // or the form has the rule
    if (document.activeElement !== this.text) this.text.value = text;
    return text;
  }

  #writeGrid() {
    const words = /** @type {Record<string, string>} */ ({ o: "1", ".": "0", "?": "*", "*": "*'" });
    return this.cells.map((rows) => rows.map((row) => [...row].map((c) => words[c]).join(",")).join("\n")).join("\n\n");
  }
}

/** The least box around the cells of a state. @param {string[]} rows @param {string} state */
function boxOf(rows, state) {
  const ys = rows.flatMap((row, y) => (row.includes(state) ? [y] : []));
  if (!ys.length) return null;
  const x = Math.min(...ys.map((y) => rows[y]?.indexOf(state) ?? 0));
  const right = Math.max(...ys.map((y) => rows[y]?.lastIndexOf(state) ?? 0));
  const y = ys[0] ?? 0;
  return { x, y, w: right - x + 1, h: (ys[ys.length - 1] ?? y) - y + 1 };
}

/** Find a drawing in the generations of a pattern: where it was drawn, else where a live cell of it fits. An ancestor ends in its drawing.
 * @param {import("./player.js").Frame[]} frames @param {[number, number] | null} loop
 * @param {{cells: string[][], origin: [number, number]}} drawn @param {boolean} atEnd @returns {import("./player.js").Given[]} */
export function findPlace(frames, loop, { cells, origin: [left, top] }, atEnd) {
  const count = frames.length;
  const [dx, dy] = loop ?? [0, 0];
  // With a motion, a generation after the last is one of the first, moved on.
  const given = cells.map((rows, t) => (atEnd ? { t: count - 1, x: left, y: top, rows } : { t: t % count, x: left - dx * Math.floor(t / count), y: top - dy * Math.floor(t / count), rows }));
  /** @param {number} t @param {number} x @param {number} y */
  const lives = (t, x, y) => {
    const frame = frames[t];
    return Boolean(frame && x >= frame.x && y >= frame.y && x < frame.x + frame.w && y < frame.y + frame.h && frame.cells[(y - frame.y) * frame.w + x - frame.x]);
  };
  /** @param {number} i @param {number} j */
  const fits = (i, j) => given.every(({ t, x, y, rows }) => rows.every((row, b) => [...row].every((state, a) => !"o.".includes(state) || lives(t, x + a + i, y + b + j) === (state === "o"))));
  const first = given[0];
  const row = first?.rows.findIndex((each) => each.includes("o")) ?? -1;
  const frame = frames[first?.t ?? 0];
  const places = [[0, 0]];
  if (first && frame && row >= 0)
    frame.cells.forEach((state, k) => state && places.push([frame.x + (k % frame.w) - first.x - (first.rows[row]?.indexOf("o") ?? 0), frame.y + Math.floor(k / frame.w) - first.y - row]));
  const found = places.find(([i = 0, j = 0]) => fits(i, j));
  return found ? given.map((each) => ({ ...each, x: each.x + (found[0] ?? 0), y: each.y + (found[1] ?? 0) })) : [];
}
