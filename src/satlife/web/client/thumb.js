// Small still pictures of patterns, drawn once.

import { readScene } from "./player.js";

/** Draw the first generation of a scene. @param {HTMLCanvasElement} canvas @param {any} scene */
export function drawThumb(canvas, scene) {
  const frame = readScene({ ...scene, length: 1 })[0];
  canvas.width = 292;
  canvas.height = 160;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  if (!frame || !frame.w) return;
  const cell = Math.max(1, Math.min(24, Math.floor(Math.min(canvas.width / (frame.w + 2), canvas.height / (frame.h + 2)))));
  const [x0, y0] = [(canvas.width - frame.w * cell) >> 1, (canvas.height - frame.h * cell) >> 1];
  pen.fillStyle = colour("alive", document.documentElement);
  const gap = cell > 4 ? 1 : 0;
  frame.cells.forEach((state, k) => {
    if (state) pen.fillRect(x0 + (k % frame.w) * cell + gap, y0 + Math.floor(k / frame.w) * cell + gap, cell - 2 * gap, cell - 2 * gap);
  });
}

/** Paint a cell: "o" alive, "." dead, "?" unknown, "*" if nothing is asked of it.
 * @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} cell its size @param {string} state @param {Record<string, string>} colours */
export function paintCell(pen, x, y, cell, state, colours) {
  const gap = Math.max(1, Math.round(cell * 0.08));
  pen.fillStyle = (state === "o" ? colours.alive : colours.hatch) ?? "";
  if (state === "o") return pen.fillRect(x + gap + 1, y + gap + 1, cell - 2 * gap - 1, cell - 2 * gap - 1);
  if (state === ".") return pen.fillRect(x + cell * 0.42, y + cell * 0.42, cell * 0.16, cell * 0.16);
  pen.strokeStyle = colours.hatch ?? "";
  pen.lineWidth = Math.max(1, cell / 26);
  pen.beginPath();
  if (state === "*") pen.arc(x + cell / 2, y + cell / 2, cell / 5, 0, 7);
  else {
    pen.moveTo(x + cell * 0.32, y + cell * 0.68);
    pen.lineTo(x + cell * 0.68, y + cell * 0.32);
  }
  pen.stroke();
}

/** @param {string} name @param {Element} place */
const colour = (name, place) => getComputedStyle(place).getPropertyValue(`--${name}`).trim();

/** Show what a search is about: the deepest partial, the boxes that are done, the cells that are given, or that there is none.
 * @param {HTMLElement} figure @param {import("./job.js").Job} job @returns {boolean} whether there is something to show */
export function drawWatch(figure, job) {
  const canvas = /** @type {HTMLCanvasElement} */ (figure.querySelector("canvas"));
  const [rows, words] = job.none ? [sketch(job), `There is no ${job.told.short}`] : job.over ? [[], ""]
    : job.partial ? [job.partial.split("\n"), "Deepest partial so far"]
    : job.numbers.boxes ? drawBoxes(job.numbers.boxes.split(" "))
    : [sketch(job), "What is asked for: ╱ is a cell that is not known yet"];
  if (!rows.length) return false;
  const key = `${job.id} ${colour("panel", figure)} ${rows.join("\n")}`;
  if (figure.dataset.key === key && canvas.getAttribute("aria-label") === words) return true;
  figure.dataset.key = key;
  canvas.setAttribute("aria-label", words);
  const caption = /** @type {HTMLElement} */ (figure.querySelector("figcaption"));
  caption.textContent = words;
  drawRows(canvas, rows, job.none);
  return true;
}

/** The first generation of what is asked for, in rows. @param {import("./job.js").Job} job @returns {string[]} */
function sketch(job) {
  const frame = job.sketch && readScene(job.sketch)[0];
  return frame ? Array.from({ length: frame.h }, (_, y) => Array.from(frame.cells.subarray(y * frame.w, (y + 1) * frame.w), (state) => (state === 1 ? "O" : state === 255 ? "?" : ".")).join("")) : [];
}

/** Exact boxes as cells, by width and height, from the least: "O" is done, "?" is not. @param {string[]} boxes @returns {[string[], string]} */
function drawBoxes(boxes) {
  const sizes = boxes.map((box) => /** @type {[number, number]} */ ((box.match(/\d+/g) ?? []).map(Number)));
  const [left, top] = [Math.min(...sizes.map(([w]) => w)), Math.min(...sizes.map(([, h]) => h))];
  const [right, bottom] = [Math.max(...sizes.map(([w]) => w)), Math.max(...sizes.map(([, h]) => h))];
  const rows = Array.from({ length: bottom - top + 1 }, () => Array(right - left + 1).fill(" "));
  sizes.forEach(([w, h], n) => (/** @type {string[]} */ (rows[h - top])[w - left] = boxes[n]?.endsWith("+") ? "O" : "?"));
  return [rows.map((row) => row.join("")), `${boxes.filter((box) => box.endsWith("+")).length} of ${boxes.length} exact boxes are done, from ${left}x${top} to ${right}x${bottom}`];
}

/** Draw rows of cells: "O" alive, "." dead, "?" unknown, " " nothing; or an empty box, with the sign of none.
 * @param {HTMLCanvasElement} canvas @param {string[]} rows @param {boolean} none */
function drawRows(canvas, rows, none) {
  const wide = Math.max(1, ...rows.map((row) => row.length));
  const cell = Math.max(3, Math.min(28, Math.floor(680 / wide), Math.floor(380 / rows.length)));
  canvas.width = wide * cell + 1;
  canvas.height = rows.length * cell + 1;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const colours = Object.fromEntries(["grid", "hatch", "alive"].map((name) => [name, colour(name, canvas)]));
  rows.forEach((row, y) => [...row].forEach((c, x) => {
    if (c === " ") return;
    const [left, top] = [x * cell, y * cell];
    pen.strokeStyle = colours.grid ?? "";
    pen.lineWidth = 1;
    if (cell > 4) pen.strokeRect(left + 0.5, top + 0.5, cell, cell);
    if (c === "O" || (c === "?" && !none)) paintCell(pen, left, top, cell, c.toLowerCase(), colours);
  }));
  if (!none) return;
  pen.strokeStyle = pen.fillStyle = colour("none", canvas);
  pen.lineWidth = 3;
  pen.strokeRect(1.5, 1.5, canvas.width - 3, canvas.height - 3);
  pen.font = `${Math.round(Math.min(canvas.width, canvas.height) * 0.6)}px sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText("∅", canvas.width / 2, canvas.height / 2);
}
