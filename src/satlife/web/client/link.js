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
    return { ...(ok ? { question } : {}), ...(typeof shared.rle === "string" ? { rle: shared.rle } : {}) };
  } catch {
    return null;
  }
}
