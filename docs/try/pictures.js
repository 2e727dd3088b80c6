// Pictures of finds, to be saved: an SVG that moves, and a GIF that loops; the camera follows a ship.

import { readScene } from "./player.js";

/** @typedef {import("./player.js").SceneData} SceneData */
/** @typedef {{w: number, h: number, frames: [number, number][][]}} Film its size in cells, and the live cells of each frame */

const CELL = 10;
/** The most frames of a picture that moves; of longer ones it has the first. */
const MOST = 300;
/** Panel, grid and cells, as the player has them. */
const COLOURS = /** @type {const} */ (["#fcfcfb", "#e2e2dd", "#1f2a44"]);

/** Place the generations of a scene below the camera. @param {SceneData} scene @returns {Film} */
function film(scene) {
  const all = readScene(scene);
  const [dx, dy] = scene.loop ?? [0, 0];
  const placed = all.slice(0, MOST).map(({ x, y, w, cells }, t) => {
    const [cx, cy] = [(t * dx) / all.length, (t * dy) / all.length];
    return [...cells].flatMap((state, k) => (state === 1 ? [/** @type {[number, number]} */ ([x + (k % w) - cx, y + Math.floor(k / w) - cy])] : []));
  });
  const [xs, ys] = [0, 1].map((axis) => placed.flat().map((cell) => cell[axis] ?? 0));
  const least = (/** @type {number[]} */ list) => Math.floor(list.reduce((a, b) => Math.min(a, b), Infinity)) - 1;
  const most = (/** @type {number[]} */ list) => Math.ceil(list.reduce((a, b) => Math.max(a, b), -Infinity)) + 2;
  const [left, top] = [least(xs ?? []), least(ys ?? [])];
  if (!Number.isFinite(left)) return { w: 3, h: 3, frames: [[]] };
  return { w: most(xs ?? []) - left, h: most(ys ?? []) - top, frames: placed.map((cells) => cells.map(([x, y]) => [x - left, y - top])) };
}

/** @param {SceneData} scene */
export function drawSvg(scene) {
  const { w, h, frames } = film(scene);
  const round = (/** @type {number} */ number) => Math.round(number * 100) / 100;
  const paths = frames.map((cells, t) => `<path class="f" style="animation-delay:${round((t - frames.length) / scene.rate)}s" d="${cells.map(([x, y]) => `M${round(x + 0.05)} ${round(y + 0.05)}h.9v.9h-.9z`).join("")}"/>`);
  // Each generation is seen for its part of the time; whoever wants no motion sees the first.
  const style = frames.length < 2 ? "" : `<style>.f{visibility:hidden;animation:s ${round(frames.length / scene.rate)}s step-end infinite}@keyframes s{0%{visibility:visible}${round(100 / frames.length)}%{visibility:hidden}}@media(prefers-reduced-motion:reduce){.f{animation:none}.f:first-of-type{visibility:visible}}</style>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w * CELL}" height="${h * CELL}"><rect width="${w}" height="${h}" fill="${COLOURS[0]}"/>${style}<g fill="${COLOURS[2]}">${paths.join("")}</g></svg>\n`;
}

/** @param {SceneData} scene */
export function drawGif(scene) {
  const { w, h, frames } = film(scene);
  const [wide, high] = [w * CELL + 1, h * CELL + 1];
  const word = (/** @type {number} */ number) => [number & 255, number >> 8];
  const bytes = [..."GIF89a"].map((c) => c.charCodeAt(0));
  const palette = [...COLOURS, "#000000"].flatMap((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  bytes.push(...word(wide), ...word(high), 0xf1, 0, 0, ...palette);
  if (frames.length > 1) bytes.push(0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((c) => c.charCodeAt(0)), 3, 1, 0, 0, 0);
  for (const cells of frames) {
    const pixels = Uint8Array.from({ length: wide * high }, (_, k) => Number((k % wide) % CELL === 0 || Math.floor(k / wide) % CELL === 0));
    for (const [x, y] of cells) {
      const [left, top] = [Math.round(x * CELL) + 1, Math.round(y * CELL) + 1];
      for (let j = top; j < top + CELL - 1; j++) pixels.fill(2, j * wide + left, j * wide + left + CELL - 1);
    }
    bytes.push(0x21, 0xf9, 4, 0, ...word(Math.max(2, Math.round(100 / scene.rate))), 0, 0, 0x2c, 0, 0, 0, 0, ...word(wide), ...word(high), 0, 2);
    const packed = pack(pixels);
    for (let at = 0; at < packed.length; at += 255) bytes.push(Math.min(255, packed.length - at), ...packed.slice(at, at + 255));
    bytes.push(0);
  }
  return Uint8Array.from([...bytes, 0x3b]);
}

/** Compress pixels of two bits by LZW, as GIF has it. @param {Uint8Array} pixels @returns {number[]} */
function pack(pixels) {
  const [clear, end] = [4, 5];
  /** @type {number[]} */
  const bytes = [];
  let [size, buffer, bits] = [3, 0, 0];
  /** @param {number} code */
  const write = (code) => {
    buffer |= code << bits;
    for (bits += size; bits >= 8; bits -= 8, buffer >>>= 8) bytes.push(buffer & 255);
  };
  /** @type {Map<number, number>} codes of a known sequence and a pixel after it */
  let known = new Map();
  let next = end + 1;
  write(clear);
  let code = pixels[0] ?? 0;
  for (const pixel of pixels.subarray(1)) {
    const key = code * 4 + pixel;
    const longer = known.get(key);
    if (longer !== undefined) {
      code = longer;
      continue;
    }
    write(code);
    if (next < 4096) {
      if (next === 1 << size) size++;
      known.set(key, next++);
    } else {
      write(clear);
      known = new Map();
      [next, size] = [end + 1, 3];
    }
    code = pixel;
  }
  write(code);
  if (next === 1 << size && size < 12) size++;
  write(end);
  if (bits) bytes.push(buffer & 255);
  return bytes;
}

/** Save a picture as a file. @param {SceneData} scene @param {string} suffix svg or gif */
export function save(scene, suffix) {
  const [content, type] = suffix === "svg" ? [drawSvg(scene), "image/svg+xml"] : [drawGif(scene), "image/gif"];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = `${scene.caption.title.replace(/[^\w.-]+/g, "-") || "pattern"}.${suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
