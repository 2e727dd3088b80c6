// The field: cells to draw, of one generation or of several, by mouse, finger or keyboard.
// It is one focusable thing that speaks its cell; the same drawing is a text beside it.

import { get, make } from "./dom.js";

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
    /** @type {Set<string>} */
    this.wrong = new Set();
    this.zoom = 1;
    this.pan = [0, 0];
    /** @type {Map<number, [number, number]>} */
    this.fingers = new Map();
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
    for (const [value, name] of Object.entries(NAMES)) {
      const radio = make("input", { type: "radio", name: "tool", value, checked: value === "o", change: () => (this.tool = value) });
      this.tools.append(make("label", { class: "tool", "data-tool": value }, radio, make("span", { class: `swatch s${Object.keys(NAMES).indexOf(value)}`, "aria-hidden": "true" }), name));
    }
    this.size = make("input", { id: "size", type: "text", size: 7, value: "8x8", spellcheck: "false", change: () => this.#takeSize() });
    this.rule = make("input", { id: "drawing-rule", type: "text", size: 9, value: "B3/S23", spellcheck: "false", change: () => this.changed() });
    this.ruled = make("label", { class: "inline" }, "Rule ", this.rule);
    this.when = make("select", { id: "when", change: () => this.go(Number(this.when.value)) });
    this.add = make("button", { type: "button", click: () => this.#addGeneration() }, "Add a generation");
    this.drop = make("button", { type: "button", click: () => this.#dropGeneration() }, "Remove the last");
    this.generations = make("div", { class: "row" }, make("label", { class: "inline" }, "Generation ", this.when), this.add, this.drop);
    const undo = make("button", { type: "button", click: () => this.undo() }, "Undo");
    const redo = make("button", { type: "button", click: () => this.redo() }, "Redo");
    const clear = make("button", { type: "button", click: () => { this.#keep(); this.resize(this.width, this.height, true); this.#told(); } }, "Clear");
    this.text = make("textarea", { id: "drawing-text", rows: 6, spellcheck: "false" });
    this.textError = make("span", { class: "error", id: "drawing-text-error", hidden: true });
    this.text.setAttribute("aria-describedby", "drawing-text-error");
    const take = make("button", { type: "button", click: () => void this.paste(this.text.value) }, "Use this text");
    this.note = make("p", { id: "drawing-note", role: "status" });
    this.root.append(
      make("p", { id: "board-help", class: "hint" }, "Click or drag to paint; a drag repeats what the first cell did. With the keyboard: arrows move, 1, 0, ? and * set a cell. Two fingers pan and zoom."),
      this.tools,
      make("div", { class: "row" }, make("label", { class: "inline" }, "Size ", this.size), this.ruled, undo, redo, clear),
      this.generations,
      this.board,
      this.spoken,
      this.note,
      make("details", {}, make("summary", {}, "As text"), make("div", { class: "field" }, make("label", { for: "drawing-text" }, "RLE with ?, plaintext, a name such as pulsar, or a grid of Logic Life Search"), this.text, this.textError, take)),
    );
    this.board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#press(event));
    this.board.addEventListener("focus", () => this.draw());
    this.board.addEventListener("blur", () => this.draw());
    this.board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.#down(event));
    this.board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) this.board.addEventListener(name, (/** @type {PointerEvent} */ event) => this.#up(event));
    new ResizeObserver(() => this.draw()).observe(this.board);
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Begin with another kind of drawing. @param {string} empty @param {boolean} several */
  set(empty, several) {
    const fresh = this.cells.every((rows) => rows.every((row) => [...row].every((c) => c === this.empty)));
    this.empty = empty;
    this.several = several;
    this.generations.hidden = !several;
    this.ruled.hidden = several;
    /** @type {HTMLElement} */ (this.tools.querySelector("[data-tool='*']")).hidden = !several;
    if (!several) this.cells = this.cells.slice(0, 1).map((rows) => rows.map((row) => row.replaceAll("*", "?")));
    if (fresh) this.resize(this.width, this.height, true);
    this.go(0);
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
    this.size.toggleAttribute("aria-invalid", !fits);
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
    this.draw();
  }

  #label() {
    const state = this.at(this.x, this.y);
    const place = `column ${this.x}, row ${this.y}`;
    this.board.setAttribute("aria-label", `Drawing of ${this.width} by ${this.height} cells, generation ${this.t}. ${place}, ${NAMES[state]}`);
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
    this.#label();
    this.draw();
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
      this.x = Math.max(0, Math.min(this.width - 1, this.x + dx));
      this.y = Math.max(0, Math.min(this.height - 1, this.y + dy));
      this.#label();
      this.draw();
    } else if (KEYS[event.key] && (this.several || event.key !== "*")) {
      this.#keep();
      this.#put(this.x, this.y, /** @type {string} */ (KEYS[event.key]));
      this.#told();
    } else if (event.key === " " || event.key === "Enter") {
      if (event.key === "Enter" && event.ctrlKey) return;
      this.#keep();
      this.#put(this.x, this.y, this.at(this.x, this.y) === this.tool ? this.empty : this.tool);
      this.#told();
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.spoken.textContent = `column ${this.x}, row ${this.y}, ${NAMES[this.at(this.x, this.y)]}`;
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
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.#keep();
    this.painting = this.at(x, y) === this.tool ? this.empty : this.tool;
    this.#paint(x, y);
    event.preventDefault();
  }

  /** @param {number} x @param {number} y */
  #paint(x, y) {
    if (this.painting === undefined || x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    [this.x, this.y] = [x, y];
    if (this.#put(x, y, this.painting)) this.draw();
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
      this.draw();
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
    if (this.painting === undefined) return;
    this.painting = undefined;
    this.#told();
  }

  #look() {
    const cell = Math.max(2, Math.floor(Math.min(this.canvas.width / this.width, this.canvas.height / this.height) * this.zoom));
    const [w, h] = [this.width * cell, this.height * cell];
    const clamp = (/** @type {number} */ pan, /** @type {number} */ room) => Math.max(-Math.abs(room) / 2, Math.min(Math.abs(room) / 2, pan));
    this.pan = [clamp(/** @type {number} */ (this.pan[0]), this.canvas.width - w), clamp(/** @type {number} */ (this.pan[1]), this.canvas.height - h)];
    return { cell, x0: Math.round((this.canvas.width - w) / 2 + /** @type {number} */ (this.pan[0])), y0: Math.round((this.canvas.height - h) / 2 + /** @type {number} */ (this.pan[1])) };
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const wide = this.board.clientWidth;
    if (!wide) return;
    const high = Math.min(wide * (this.height / this.width), Math.max(260, innerHeight * 0.6));
    this.canvas.style.height = `${high}px`;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const { cell, x0, y0 } = this.#look();
    pen.fillStyle = colour("panel");
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    for (let y = 0; y < this.height; y++)
      for (let x = 0; x < this.width; x++) {
        const state = this.at(x, y);
        const [left, top] = [x0 + x * cell, y0 + y * cell];
        const follows = this.implied[this.t]?.[y]?.[x];
        if (state === "?" && (follows === "o" || follows === ".")) this.#tile(pen, left, top, cell, follows, colour, 0.45);
        else this.#tile(pen, left, top, cell, state, colour, 1);
        if (this.wrong.has(`${x},${y},${this.t}`)) {
          pen.strokeStyle = colour("bad");
          pen.lineWidth = Math.max(2, cell / 10);
          pen.strokeRect(left + 2, top + 2, cell - 3, cell - 3);
          pen.fillStyle = colour("bad");
          pen.beginPath();
          pen.arc(left + cell / 2, top + cell / 2, cell * 0.3, 0, 2 * Math.PI);
          pen.fill();
          pen.fillStyle = colour("panel");
          pen.font = `bold ${Math.floor(cell * 0.45)}px sans-serif`;
          pen.textAlign = "center";
          pen.textBaseline = "middle";
          pen.fillText("!", left + cell / 2, top + cell / 2 + 1);
        }
      }
    pen.fillStyle = colour("grid");
    for (let x = 0; x <= this.width; x++) pen.fillRect(x0 + x * cell, y0, 1, this.height * cell);
    for (let y = 0; y <= this.height; y++) pen.fillRect(x0, y0 + y * cell, this.width * cell, 1);
    if (document.activeElement === this.board) {
      pen.strokeStyle = colour("key");
      pen.lineWidth = 3 * ratio;
      pen.strokeRect(x0 + this.x * cell + 1, y0 + this.y * cell + 1, cell - 1, cell - 1);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} cell @param {string} state @param {(name: string) => string} colour @param {number} strength */
  #tile(pen, x, y, cell, state, colour, strength) {
    pen.globalAlpha = strength;
    const gap = Math.max(1, Math.round(cell * 0.08));
    if (state === "o") {
      pen.fillStyle = colour("alive");
      pen.fillRect(x + gap + 1, y + gap + 1, cell - 2 * gap - 1, cell - 2 * gap - 1);
    } else if (state === ".") {
      pen.fillStyle = colour("hatch");
      pen.fillRect(x + cell * 0.42, y + cell * 0.42, cell * 0.16, cell * 0.16);
    } else {
      pen.strokeStyle = colour("hatch");
      pen.lineWidth = Math.max(1, cell / 26);
      pen.beginPath();
      if (state === "*") pen.arc(x + cell / 2, y + cell / 2, cell / 5, 0, 7);
      else {
        pen.moveTo(x + cell * 0.32, y + cell * 0.68);
        pen.lineTo(x + cell * 0.68, y + cell * 0.32);
      }
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  /** Show what the server has seen: cells that follow, and cells that cannot be. @param {{cells: string[][], wrong: [number, number, number][], clash: string}} seen */
  mark(seen) {
    this.implied = seen.cells;
    const all = seen.wrong.map((place) => place.join(","));
    for (const [, x, y, t] of seen.clash.matchAll(/cell \((-?\d+), (-?\d+)\) of generation (\d+)/g)) all.push(`${x},${y},${t}`);
    this.wrong = new Set(all);
    this.say(seen.clash ? `Contradiction: ${seen.clash}` : all.length ? `Contradiction: ${all.length === 1 ? "a cell cannot" : `${all.length} cells cannot`} be as drawn; marked with !` : "");
    this.draw();
  }

  /** @param {string} words */
  say(words) {
    if (this.note.textContent !== words) this.note.textContent = words;
  }

  /** Take a pasted text. @param {string} text */
  async paste(text) {
    try {
      this.load(await this.readText(text));
      this.textError.hidden = true;
      this.text.removeAttribute("aria-invalid");
    } catch (error) {
      this.textError.hidden = false;
      this.textError.textContent = /** @type {Error} */ (error).message;
      this.text.setAttribute("aria-invalid", "true");
    }
  }

  /** Draw cells that the server has read. @param {{cells: string[][], rule: string}} told */
  load(told) {
    this.#keep();
    const rule = get("f-rule") ?? this.rule;
    if (told.rule && (told.rule !== "B3/S23" || rule.value)) rule.value = told.rule;
    this.cells = (this.several ? told.cells : told.cells.slice(0, 1)).map((rows) => [...rows]);
    this.x = this.y = 0;
    this.zoom = 1;
    this.go(0);
    this.#told();
  }

  /** The drawing as a text that the server reads. */
  write() {
    const several = this.several && (this.cells.length > 1 || this.cells[0]?.some((row) => row.includes("*")));
    const text = several ? this.#writeGrid() : this.#writeRle();
    if (document.activeElement !== this.text) this.text.value = text;
    return text;
  }

  #writeGrid() {
    const words = /** @type {Record<string, string>} */ ({ o: "1", ".": "0", "?": "*", "*": "*'" });
    return this.cells.map((rows) => rows.map((row) => [...row].map((c) => words[c]).join(",")).join("\n")).join("\n\n");
  }

  #writeRle() {
    const rule = (get("f-rule") ?? this.rule).value.trim() || "B3/S23";
    const rows = (this.cells[0] ?? []).map((row) => row.replaceAll(".", "b").replace(/(.)\1+/g, (run, c) => `${run.length}${c}`));
    const lines = `${rows.join("$")}!`.match(/.{1,68}(?=\d*\D|$)/g) ?? [];
    return `x = ${this.width}, y = ${this.height}, rule = ${rule}\n${lines.join("\n")}`;
  }
}
