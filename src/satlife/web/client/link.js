// Links: the question and the find stand after the #, which no server ever sees.

/** @typedef {{kind: string, values: Record<string, any>}} Question */
/** @typedef {{question?: Question, rle?: string}} Shared */

/** @param {Shared} shared */
export function write(shared) {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Read a fragment; whatever is not one of ours is nothing. @param {string} fragment @returns {Shared | null} */
export function read(fragment) {
  try {
    const text = atob(fragment.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const shared = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))));
    const question = shared.question;
    const ok = question && typeof question.kind === "string" && question.values && typeof question.values === "object";
    const values = ok && Object.fromEntries(Object.entries(question.values).filter(([, value]) => isValue(value)).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]));
    return { ...(ok ? { question: { kind: question.kind, values } } : {}), ...(typeof shared.rle === "string" ? { rle: shared.rle } : {}) };
  } catch {
    return null;
  }
}

/** Whether a value can stand in a form: a text, a number, a yes or no, or lists of texts. @param {unknown} value @returns {boolean} */
function isValue(value) {
  return Array.isArray(value) ? value.every((one) => typeof one === "string" || (Array.isArray(one) && one.every((word) => typeof word === "string"))) : ["string", "number", "boolean"].includes(typeof value);
}
