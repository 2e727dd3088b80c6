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
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--alive").trim();
  const gap = cell > 4 ? 1 : 0;
  frame.cells.forEach((state, k) => {
    if (state) pen.fillRect(x0 + (k % frame.w) * cell + gap, y0 + Math.floor(k / frame.w) * cell + gap, cell - 2 * gap, cell - 2 * gap);
  });
}

/** Draw rows of "." and "O". @param {HTMLCanvasElement} canvas @param {string} text */
export function drawRows(canvas, text) {
  const rows = text.split("\n");
  const wide = Math.max(1, ...rows.map((row) => row.length));
  const cell = Math.max(3, Math.min(12, Math.floor(600 / wide), Math.floor(360 / rows.length)));
  canvas.width = wide * cell;
  canvas.height = rows.length * cell;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--alive").trim();
  rows.forEach((row, y) => [...row].forEach((c, x) => c === "O" && pen.fillRect(x * cell + 1, y * cell + 1, cell - 1, cell - 1)));
}
