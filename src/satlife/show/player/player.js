// The player: one pattern, moving. The page, HTML files, the documentation and notebooks use it.
//
//   import { mount } from "./player.js";
//   const player = mount(element, scene);   // satlife.show.player.write_scene makes the scene
//   player.destroy();
//
// It needs player.css and nothing else. Texts are set as text, never as HTML.

/**
 * @typedef {object} SceneData
 * @property {{title: string, facts: string[], code: string}} caption
 * @property {string} rule
 * @property {number} states        how many states a cell has
 * @property {string[]} tables      the rule: 512 bits in base64; none if it is not simulated, two if
 *                                  its background flashes (B0 without S8)
 * @property {number} phase         the table with which it begins
 * @property {[number, number, string][]} frames   x, y and RLE of the first generations
 * @property {number} length        how many generations there are; the rest is simulated
 * @property {[number, number] | null} loop   the displacement after all of them, if it recurs
 * @property {number} rate          generations in a second
 * @property {number} margin        dead cells around what ever lives
 * @property {string} rle           what is copied
 * @property {string} [view]        the view at the start
 */

/** @typedef {{x: number, y: number, w: number, h: number, cells: Uint8Array}} Frame */
/** @typedef {{t: number, x: number, y: number, rows: string[]}} Given   what was drawn in a generation: "o", ".", and "?" for unknown */
/** @typedef {{destroy: () => void, play: () => void, pause: () => void, go: (t: number) => void, findCell: (event: MouseEvent) => [number, number, number]}} Player */

const UNKNOWN = 255;
const DONT_CARE = 254;
const TRAIL = 12;
const STATOR = "#868c98";
const FULL = "#d55e00";
const STILL = "#0072b2";
const BETWEEN = ["#56b4e9", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#e69f00"];

/**
 * Read the RLE of one generation.
 * @param {[number, number, string]} coded
 * @returns {Frame}
 */
export function readFrame([x, y, text]) {
  /** @type {number[][]} */
  const rows = [[]];
  let count = 0;
  let high = 0;
  for (const c of text) {
    if (c >= "0" && c <= "9") {
      count = count * 10 + Number(c);
      continue;
    }
    if (c >= "p" && c <= "y") {
      high = 24 * (c.charCodeAt(0) - 111);
      continue;
    }
    if (c === "!") break;
    for (let n = count || 1; n; n--) {
      if (c === "$") rows.push([]);
      else rows[rows.length - 1]?.push(readState(c, high));
    }
    count = high = 0;
  }
  const w = Math.max(...rows.map((row) => row.length));
  const cells = new Uint8Array(w * rows.length);
  rows.forEach((row, j) => cells.set(row, j * w));
  return { x, y, w, h: w ? rows.length : 0, cells };
}

/** @param {string} c @param {number} high */
function readState(c, high) {
  if (c === "?") return UNKNOWN;
  if (c === "*") return DONT_CARE;
  if (c === "o") return 1;
  return c >= "A" && c <= "X" ? c.charCodeAt(0) - 64 + high : 0;
}

/**
 * Compute the next generation.
 * @param {Frame} frame @param {string} table @param {number} states
 * @returns {Frame}
 */
export function step(frame, table, states) {
  const w = frame.w + 2;
  const h = frame.h + 2;
  const cells = new Uint8Array(w * h);
  /** @param {number} i @param {number} j */
  const at = (i, j) =>
    i < 0 || j < 0 || i >= frame.w || j >= frame.h ? 0 : frame.cells[j * frame.w + i] ?? 0;
  let [left, top, right, bottom] = [w, h, -1, -1];
  for (let j = 0; j < h; j++) {
    let index = 0; // the neighbourhood, column by column
    for (let i = 0; i < w; i++) {
      if (i === 0) for (let k = -2; k < 0; k++) index = index * 8 + column(k);
      index = (index * 8 + column(i)) & 511;
      const state = at(i - 1, j - 1);
      const next = table[index] === "1";
      const now = state > 1 ? (state + 1) % states : next ? 1 : state && states > 2 ? 2 : 0;
      if (!now) continue;
      cells[j * w + i] = now;
      left = Math.min(left, i);
      right = Math.max(right, i);
      top = Math.min(top, j);
      bottom = j;
    }
    /** @param {number} i */
    function column(i) {
      return (Number(at(i, j - 2) === 1) << 2) | (Number(at(i, j - 1) === 1) << 1) | Number(at(i, j) === 1);
    }
  }
  if (right < 0) return { x: 0, y: 0, w: 0, h: 0, cells: new Uint8Array() };
  const width = right - left + 1;
  const trimmed = new Uint8Array(width * (bottom - top + 1));
  for (let j = top; j <= bottom; j++)
    trimmed.set(cells.subarray(j * w + left, j * w + right + 1), (j - top) * width);
  return { x: frame.x - 1 + left, y: frame.y - 1 + top, w: width, h: bottom - top + 1, cells: trimmed };
}

/**
 * Put the bits of a rule's table in the order in which `step` reads a neighbourhood.
 * @param {string} base64
 */
export function readTable(base64) {
  const bytes = atob(base64);
  let table = "";
  for (let k = 0; k < 512; k++) {
    let index = 0; // the bits of k go down the columns, those of the index along the rows
    for (let n = 0; n < 9; n++) if (k & (256 >> n)) index |= 256 >> ((n % 3) * 3 + Math.floor(n / 3));
    table += (bytes.charCodeAt(index >> 3) >> (7 - (index & 7))) & 1;
  }
  return table;
}

/**
 * Return all generations of a scene.
 * @param {SceneData} scene
 * @returns {Frame[]}
 */
export function readScene(scene) {
  const frames = scene.frames.map(readFrame);
  const tables = scene.tables.map(readTable);
  for (let last = frames[0]; tables.length && last && frames.length < scene.length; ) {
    const table = tables[(scene.phase + frames.length - 1) % tables.length] ?? "";
    frames.push((last = step(last, table, scene.states)));
  }
  return frames;
}

/**
 * Return the period of each cell that ever lives, by "x,y".
 * @param {Frame[]} frames
 */
export function findPeriods(frames) {
  /** @type {Map<string, Uint8Array>} */
  const lives = new Map();
  frames.forEach((frame, t) =>
    forEachCell(frame, (x, y, state) => {
      const key = `${x},${y}`;
      let life = lives.get(key);
      if (!life) lives.set(key, (life = new Uint8Array(frames.length)));
      life[t] = state;
    }),
  );
  const n = frames.length;
  /** @type {Map<string, number>} */
  const periods = new Map();
  for (const [key, life] of lives) {
    let p = 1;
    while (n % p || life.some((state, t) => state !== life[(t + p) % n])) p++;
    periods.set(key, p);
  }
  return periods;
}

/** @param {Frame} frame @param {(x: number, y: number, state: number) => void} visit */
function forEachCell(frame, visit) {
  for (let k = 0; k < frame.cells.length; k++) {
    const state = frame.cells[k];
    if (state) visit(frame.x + (k % frame.w), frame.y + Math.floor(k / frame.w), state);
  }
}

/** @param {Frame} frame */
const population = (frame) => frame.cells.reduce((n, state) => n + Number(state === 1), 0);

const ICONS = {
  play: "M8 5v14l11-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  back: "M18 5v14L9 12zM6 5h2v14H6z",
  next: "M6 5v14l9-7zM16 5h2v14h-2z",
  copy: "M8 3h11v13H8zM5 7H4v14h12v-2H6V7z",
  full: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM6 15v3h3v2H4v-5zM18 15h2v5h-5v-2h3z",
};

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, string>} attributes @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** @param {keyof typeof ICONS} name */
function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** @param {keyof typeof ICONS} name @param {string} label @param {() => void} act */
function makeButton(name, label, act) {
  const button = make("button", { type: "button", "aria-label": label, title: label }, icon(name));
  button.addEventListener("click", act);
  return button;
}

/**
 * Show a scene in an element.
 * @param {HTMLElement} root
 * @param {SceneData} scene
 * @param {{autoplay?: boolean, given?: Given[]}} [options]
 * @returns {Player}
 */
export function mount(root, scene, { autoplay = true, given = [] } = {}) {
  const frames = readScene(scene);
  const [dx, dy] = scene.loop ?? [0, 0];
  const count = frames.length;
  const moves = dx !== 0 || dy !== 0;
  const populations = frames.map(population);
  const unknown = frames.map((frame) => frame.cells.filter((state) => state === UNKNOWN).length);
  let follow = moves;
  let view = scene.view ?? "cells";
  let t = 0; // in generations; between two of them the camera flies on
  let playing = 0; // the number of the animation frame that is asked for
  let before = 0;
  let rate = scene.rate;
  /** @type {Map<string, number> | undefined} */
  let periods;
  let legend = "";
  const isMap = () => view === "period" || view === "rotor";

  const words = [scene.caption.title, ...scene.caption.facts, scene.caption.code].filter(Boolean);
  const canvas = make("canvas", { role: "img", tabindex: "0" });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const status = make("span", { role: "status", class: "satlife-said" });
  const stats = make("p", { class: "satlife-stats" });
  const playButton = makeButton("play", "Play", () => (playing ? pause() : play()));
  const scrub = make("input", {
    type: "range", min: "0", max: String(Math.max(1, scene.loop ? count : count - 1)), value: "0",
    "aria-label": "Generation",
  });
  const speed = make("input", { type: "range", min: "1", max: "60", value: String(rate), "aria-label": "Generations per second" });
  const select = make("select", { "aria-label": "View" });
  for (const [value, label] of [
    ["cells", "Cells"], ["trails", "Trails"], ["period", "Period map"], ["rotor", "Rotor and stator"],
  ])
    if (value === "cells" || (count > 1 && (value === "trails" || (scene.loop && !moves))))
      select.append(make("option", { value: value ?? "" }, label ?? ""));
  select.value = view;
  const followBox = make("input", { type: "checkbox" });
  followBox.checked = follow;
  const fast = make("span", { class: "satlife-fast" }, `${rate}/s`);
  const tools = make("div", { class: "satlife-tools" });
  const bar = make("div", { class: "satlife-bar" });
  if (count > 1) {
    const [back, next] = [makeButton("back", "Step back", () => move(-1)), makeButton("next", "Step forward", () => move(1))];
    bar.append(back, playButton, next, scrub);
    tools.append(make("label", {}, make("span", {}, "Speed"), speed, fast));
    tools.append(make("label", {}, make("span", {}, "View"), select));
  }
  if (moves) tools.append(make("label", {}, followBox, make("span", {}, "Follow")));
  if (scene.rle) bar.append(makeButton("copy", "Copy RLE", copyRle));
  if (document.fullscreenEnabled) bar.append(makeButton("full", "Full screen", toggleFull));
  const caption = make("p", { class: "satlife-words" },
    make("strong", {}, scene.caption.title), make("span", {}, scene.caption.facts.join(" · ")), make("code", {}, scene.caption.code));
  const box = make("section", { class: "satlife-player", "aria-label": words[0] ?? "A pattern" },
    make("div", { class: "satlife-screen" }, canvas, status), bar, stats, tools, caption);
  root.append(box);

  async function copyRle() {
    status.textContent = (await copy(scene.rle)) ? "RLE copied" : "The browser does not allow copying";
    setTimeout(() => (status.textContent = ""), 4000);
  }

  function toggleFull() {
    void (document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen());
  }

  /** The cells that are ever seen: x, y, width, height. */
  function look() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    frames.forEach((frame, k) => {
      if (!frame.w) return;
      const [cx, cy] = follow ? [(k * dx) / count, (k * dy) / count] : [0, 0];
      left = Math.min(left, frame.x - cx);
      top = Math.min(top, frame.y - cy);
      right = Math.max(right, frame.x + frame.w - cx);
      bottom = Math.max(bottom, frame.y + frame.h - cy);
    });
    for (const { x, y, rows } of follow ? [] : given) {
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + (rows[0]?.length ?? 0)), Math.max(bottom, y + rows.length)];
    }
    if (left > right) [left, top, right, bottom] = [0, 0, 1, 1];
    [left, top] = [Math.floor(left) - scene.margin, Math.floor(top) - scene.margin];
    return { left, top, w: Math.ceil(right) + scene.margin - left, h: Math.ceil(bottom) + scene.margin - top };
  }
  let seen = look();

  /** @param {string} name */
  const colour = (name) => getComputedStyle(box).getPropertyValue(`--${name}`).trim();

  /** Where cells are on the canvas, in its pixels: their size, and the place of cell 0,0. */
  function camera() {
    const ratio = devicePixelRatio || 1;
    const wide = canvas.clientWidth || 320;
    const high = canvas.clientHeight || 200;
    const cell = Math.max(1, Math.floor(Math.min((wide * ratio) / seen.w, (high * ratio) / seen.h)));
    if (canvas.width !== Math.round(wide * ratio)) canvas.width = Math.round(wide * ratio);
    if (canvas.height !== Math.round(high * ratio)) canvas.height = Math.round(high * ratio);
    const [cx, cy] = follow ? [(t * dx) / count, (t * dy) / count] : [0, 0];
    const x0 = Math.round((canvas.width - seen.w * cell) / 2 - (seen.left + cx) * cell);
    const y0 = Math.round((canvas.height - seen.h * cell) / 2 - (seen.top + cy) * cell);
    return { ratio, cell, x0, y0 };
  }

  function draw() {
    const { ratio, cell, x0, y0 } = camera();
    const generation = Math.floor(t + 1e-9);
    pen.fillStyle = colour("panel");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    if (cell >= 5 * ratio) drawGrid(x0, y0, cell);
    if (!isMap()) drawGiven(generation, x0, y0, cell, false);
    if (isMap()) drawMap(x0, y0, cell);
    else {
      for (let k = TRAIL; view === "trails" && k > 0; k--) drawTrail(generation - k, (TRAIL + 1 - k) / (2 * TRAIL), x0, y0, cell);
      drawFrame(shown(generation), x0, y0, cell);
      drawGiven(generation, x0, y0, cell, true);
    }
    tell(generation);
  }

  /** The frame of a generation, and how far it is from its place. @param {number} generation */
  function shown(generation) {
    const round = Math.floor(generation / count);
    const frame = frames[generation - round * count];
    return frame && { ...frame, x: frame.x + round * dx, y: frame.y + round * dy };
  }

  /** @param {number} x0 @param {number} y0 @param {number} cell */
  function drawGrid(x0, y0, cell) {
    pen.fillStyle = colour("grid");
    for (let x = ((x0 % cell) + cell) % cell; x < canvas.width; x += cell) pen.fillRect(x, 0, 1, canvas.height);
    for (let y = ((y0 % cell) + cell) % cell; y < canvas.height; y += cell) pen.fillRect(0, y, canvas.width, 1);
  }

  /** @param {Frame | undefined} frame @param {number} x0 @param {number} y0 @param {number} cell */
  function drawFrame(frame, x0, y0, cell) {
    if (!frame) return;
    /** @type {Map<number, Path2D>} */
    const paths = new Map();
    forEachCell(frame, (x, y, state) => {
      let path = paths.get(state);
      if (!path) paths.set(state, (path = new Path2D()));
      addTile(path, x0 + x * cell, y0 + y * cell, cell, state);
    });
    for (const [state, path] of paths) {
      pen.fillStyle = paint(state);
      pen.fill(path);
    }
  }

  /** Tint the cells that were given, and ring those that live; what stays in place shows them always. @param {number} generation @param {number} x0 @param {number} y0 @param {number} cell @param {boolean} rings */
  function drawGiven(generation, x0, y0, cell, rings) {
    const always = given.length === 1 && scene.loop && !moves;
    pen.fillStyle = colour("given");
    pen.strokeStyle = colour("key");
    pen.lineWidth = Math.max(1, cell / 18);
    for (const { t: when, x, y, rows } of given)
      if (always || generation % count === when)
        rows.forEach((row, j) => [...row].forEach((state, i) => {
          const [left, top] = [x0 + (x + i) * cell, y0 + (y + j) * cell];
          if (rings && state === "o") pen.strokeRect(left + pen.lineWidth / 2 + 1, top + pen.lineWidth / 2 + 1, cell - pen.lineWidth - 1, cell - pen.lineWidth - 1);
          else if (!rings && (state === "o" || state === ".")) pen.fillRect(left + 1, top + 1, cell - 1, cell - 1);
        }));
  }

  /** Add the shape of a state. @param {Path2D} path @param {number} x @param {number} y @param {number} cell @param {number} state */
  function addTile(path, x, y, cell, state) {
    if (state === DONT_CARE) {
      path.arc(x + cell / 2, y + cell / 2, cell / 5, 0, 7);
      path.arc(x + cell / 2, y + cell / 2, cell / 9, 7, 0, true);
      return path.closePath();
    }
    if (state === UNKNOWN) {
      const s = cell / 8;
      path.moveTo(x + s, y + cell - 2 * s);
      path.lineTo(x + cell - 2 * s, y + s);
      path.lineTo(x + cell - s, y + 2 * s);
      path.lineTo(x + 2 * s, y + cell - s);
      return path.closePath();
    }
    const side = state === 1 ? 0.84 : 0.68 - (0.3 * (state - 2)) / Math.max(1, scene.states - 3);
    if (cell < 5) return path.rect(x, y, cell, cell);
    const gap = Math.max(1, Math.round((cell * (1 - side)) / 2));
    const size = cell - 2 * gap - 1; // beside the line of the grid
    path.roundRect(x + gap + 1, y + gap + 1, size, size, cell * 0.08);
  }

  /** @param {number} state */
  function paint(state) {
    if (state >= DONT_CARE) return colour("hatch");
    if (state === 1) return colour("alive");
    const share = Math.round((100 * (state - 2)) / Math.max(1, scene.states - 3));
    return `color-mix(in srgb, ${colour("old")} ${share}%, ${colour("fresh")})`;
  }

  /** @param {number} generation @param {number} strength @param {number} x0 @param {number} y0 @param {number} cell */
  function drawTrail(generation, strength, x0, y0, cell) {
    if (generation < 0 && !scene.loop) return;
    const frame = shown(generation);
    if (!frame) return;
    pen.fillStyle = colour("trail");
    pen.globalAlpha = strength;
    forEachCell(frame, (x, y) => pen.fillRect(x0 + x * cell, y0 + y * cell, cell, cell));
    pen.globalAlpha = 1;
  }

  /** @param {number} x0 @param {number} y0 @param {number} cell */
  function drawMap(x0, y0, cell) {
    periods ??= findPeriods(frames);
    /** @type {Map<number, number>} */
    const sizes = new Map();
    for (const p of periods.values()) sizes.set(p, (sizes.get(p) ?? 0) + 1);
    const sorted = [...sizes].sort(([a], [b]) => a - b);
    const between = sorted.map(([p]) => p).filter((p) => p > 1 && p < count);
    legend = view === "rotor"
      ? `Stator: ${sizes.get(1) ?? 0} cells · rotor: ${periods.size - (sizes.get(1) ?? 0)} cells`
      : sorted.map(([p, n]) => `${p === 1 ? "Always alive" : `period ${p}`}: ${n} cells`).join(" · ");
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `${Math.floor(cell * 0.6)}px sans-serif`;
    for (const [key, p] of periods) {
      const [x, y] = key.split(",").map(Number);
      const [left, top] = [x0 + (x ?? 0) * cell, y0 + (y ?? 0) * cell];
      const inset = view === "rotor" && p > 1 ? Math.round(cell / 5) : 1;
      pen.fillStyle = view === "rotor" ? (p === 1 ? STILL : FULL)
        : p === 1 ? STATOR : p === count ? FULL : BETWEEN[between.indexOf(p) % BETWEEN.length] ?? FULL;
      pen.fillRect(left + inset, top + inset, cell - 2 * inset + 1, cell - 2 * inset + 1);
      if (view === "period" && cell >= 12) {
        pen.fillStyle = "#000";
        pen.fillText(String(p), left + cell / 2, top + cell / 2 + 1, cell - 2);
      }
    }
  }

  /** Say in words what is shown. @param {number} generation */
  function tell(generation) {
    const [least, most] = [Math.min(...populations), Math.max(...populations)];
    const range = least < most ? ` (${least} to ${most})` : "";
    const open = unknown[generation % count];
    const cells = `${populations[generation % count] ?? 0} cells${range}${open ? ` · ${open} unknown` : ""}`;
    const text = isMap() ? legend : count > 1 ? `Generation ${generation} · ${cells}` : cells;
    if (stats.textContent !== text) stats.textContent = text;
    scrub.value = String(generation);
    scrub.setAttribute("aria-valuetext", `generation ${generation}`);
    canvas.setAttribute("aria-label", `${words.join(", ")}. ${text}`);
  }

  /** @param {number} now */
  function tick(now) {
    const gone = before ? Math.min(0.25, (now - before) / 1000) : 0;
    before = now;
    const last = Math.floor(t);
    t += gone * rate;
    t %= count;
    // Where nothing flies, there is something new to draw only with a new generation.
    if (Math.floor(t) !== last || (moves && follow)) draw();
    playing = requestAnimationFrame(tick);
  }

  function play() {
    if (playing || count < 2) return;
    if (isMap()) select.value = view = "cells"; // a map does not move
    before = 0;
    playing = requestAnimationFrame(tick);
    setIcon("pause", "Pause");
  }

  function pause() {
    cancelAnimationFrame(playing);
    playing = 0;
    t = Math.floor(t + 1e-9);
    setIcon("play", "Play");
    draw();
  }

  /** @param {"play" | "pause"} name @param {string} label */
  function setIcon(name, label) {
    playButton.replaceChildren(icon(name));
    playButton.setAttribute("aria-label", label);
    playButton.title = label;
  }

  /** @param {number} generation */
  function go(generation) {
    pause();
    t = Math.max(0, Math.min(generation, Number(scrub.max)));
    draw();
  }

  /** @param {number} by */
  function move(by) {
    const end = Number(scrub.max) + 1;
    go((((Math.floor(t) + by) % end) + end) % end);
  }

  scrub.addEventListener("input", () => go(Number(scrub.value)));
  speed.addEventListener("input", () => {
    rate = Number(speed.value);
    fast.textContent = `${rate}/s`;
  });
  select.addEventListener("change", () => {
    view = select.value;
    isMap() ? pause() : draw();
  });
  followBox.addEventListener("change", () => {
    follow = followBox.checked;
    seen = look();
    draw();
  });
  box.addEventListener("keydown", (event) => {
    const inside = /** @type {HTMLElement} */ (event.target).tagName;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && inside !== "BUTTON" && inside !== "SELECT") playing ? pause() : play();
    else if (event.key === "ArrowRight" && inside !== "INPUT" && inside !== "SELECT") move(1);
    else if (event.key === "ArrowLeft" && inside !== "INPUT" && inside !== "SELECT") move(-1);
    else return;
    event.preventDefault();
  });
  const resized = new ResizeObserver(() => draw());
  resized.observe(canvas);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw);
  const themed = new MutationObserver(() => draw());
  for (const element of [document.documentElement, document.body])
    themed.observe(element, { attributes: true, attributeFilter: ["class", "data-theme", "data-jp-theme-light"] });
  box.style.setProperty("--ratio", `${seen.w} / ${seen.h}`);
  draw();
  if (autoplay && !isMap() && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();

  /** The cell of the pattern under a click, and the generation that is shown. @param {MouseEvent} event @returns {[number, number, number]} */
  function findCell({ offsetX, offsetY }) {
    const { ratio, cell, x0, y0 } = camera();
    return [Math.floor((offsetX * ratio - x0) / cell), Math.floor((offsetY * ratio - y0) / cell), Math.floor(t + 1e-9) % count];
  }

  function destroy() {
    cancelAnimationFrame(playing);
    resized.disconnect();
    themed.disconnect();
    dark.removeEventListener("change", draw);
    box.remove();
  }
  return { destroy, play, pause, go, findCell };
}

/** Copy a text. @param {string} text @returns {Promise<boolean>} */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", {}, text); // a file that is opened from disk has no clipboard
    document.body.append(area);
    area.select();
    const ok = document.execCommand("copy");
    area.remove();
    return ok;
  }
}

/** For notebooks: what anywidget calls. */
export default {
  /** @param {{model: {get: (name: string) => any, on: (name: string, act: () => void) => void}, el: HTMLElement}} context */
  render({ model, el }) {
    let player = mount(el, model.get("scene"));
    model.on("change:scene", () => {
      player.destroy();
      player = mount(el, model.get("scene"));
    });
    return () => player.destroy();
  },
};
