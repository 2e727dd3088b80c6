// Speaking with the server. The page knows it through this file only, so that another one, say in a
// worker, can take its place.

import { Refusal } from "./dom.js";

/**
 * Ask the server.
 * @param {string} method @param {string} path @param {unknown} [content] @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(method, path, content, signal) {
  /** @type {RequestInit} */
  const request = { method, signal: signal ?? null };
  if (content !== undefined) {
    request.headers = { "content-type": "application/json" };
    request.body = JSON.stringify(content);
  }
  const answer = await fetch(path, request);
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(told.error ?? `The server answered ${answer.status}`, answer.status, told.field ?? "");
  return told;
}

/** @typedef {(kind: string, content: any, number: number) => void} Hear */

/**
 * Listen to a job, from a message on; after a lost connection, from where it broke off.
 * @param {string} id @param {number} after
 * @param {Hear} hear
 * @param {(connected: boolean) => void} connection
 * @returns {() => void} ends it
 */
export function listen(id, after, hear, connection) {
  const source = new EventSource(`/api/jobs/${id}/events?after=${after}`);
  for (const kind of ["state", "progress", "found"])
    source.addEventListener(kind, (event) => {
      connection(true);
      const { data, lastEventId } = /** @type {MessageEvent} */ (event);
      hear(kind, JSON.parse(data), Number(lastEventId));
    });
  source.addEventListener("open", () => connection(true));
  source.addEventListener("error", () => connection(false));
  return () => source.close();
}

/** Read what a job that is over has told. @param {string} id @param {Hear} hear */
export async function recall(id, hear) {
  const answer = await fetch(`/api/jobs/${id}/events`);
  for (const block of (await answer.text()).split("\n\n")) {
    const [, number, kind, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    if (kind && data) hear(kind, JSON.parse(data), Number(number));
  }
}
