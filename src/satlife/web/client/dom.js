// Small helpers, which every other file may use.

/** @param {string} id @returns {any} */
export const get = (id) => document.getElementById(id);

/**
 * Make an element; texts are set as text, never as HTML.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children
 * @returns {any}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** Copy a text, and say so on the button for a moment. @param {HTMLElement} button @param {string} text */
export async function copyFrom(button, text) {
  const label = button.dataset.label ?? button.textContent ?? "";
  button.dataset.label = label;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = label), 1500);
}

/** A button that copies a text. @param {string} words @param {string} text */
export function makeCopy(words, text) {
  const button = make("button", { type: "button", click: () => void copyFrom(button, text) }, words);
  return button;
}

/** Offer buttons and links; the same ones as before stay, with the focus. @param {HTMLElement} place @param {unknown} about @param {HTMLElement[]} made */
export function offer(place, about, made) {
  const key = JSON.stringify([about, made.map((each) => each.textContent)]);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...made);
}

let last = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

/** Say something to a screen reader: at once if it is urgent, else at most every five seconds. @param {string} words @param {boolean} [urgent] */
export function announce(words, urgent = false) {
  clearTimeout(later);
  const wait = urgent ? 0 : Math.max(0, last + 5000 - Date.now());
  later = setTimeout(() => {
    last = Date.now();
    get("said").textContent = words;
  }, wait);
}

/** What this browser keeps; one that keeps nothing works too. @param {string} name */
export function readSetting(name) {
  try {
    return localStorage.getItem(`satlife-${name}`) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value */
export function keepSetting(name, value) {
  try {
    localStorage.setItem(`satlife-${name}`, value);
  } catch {
    // It is forgotten with the page.
  }
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** Correct what people write: quotes, ×, numbers in words, C/3. @param {string} text */
export function tidy(text) {
  return text.replace(/["'“”‘’„]/g, "").replace(/[a-z]+/gi, (word) => (NUMBERS.includes(word.toLowerCase()) ? String(NUMBERS.indexOf(word.toLowerCase())) : word))
    .replace(/(\d)\s*(×|by)\s*(\d)/gi, "$1x$3").replace(/×/g, "x").replace(/C(?=\/)/g, "c").trim();
}

/** What is wrong with a question, and where; with a command, satlife itself can do it. */
export class Refusal extends Error {
  /** @param {string} message @param {number} status @param {string} field @param {string} [command] */
  constructor(message, status, field, command = "") {
    super(message);
    this.status = status;
    this.field = field;
    this.command = command;
  }
}
