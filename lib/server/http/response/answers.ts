import { bytesBody, pageStream } from "./page_stream.ts";
import { encodePath, type EntryPath, joinPaths, parsePath } from "../../../shared/path.ts";
import type { LeftOut } from "../../files/transfer/progress.ts";

/** JSON up to this length is sent in one chunk, in characters. */
const shortJson = 64 * 1024;

/**
 * A JSON answer with the content type the contract names.
 * @param value anything JSON can hold
 */
export function jsonAnswer(value: unknown, init: ResponseInit = {}): Response {
  return jsonTextAnswer(JSON.stringify(value), init);
}

/** As `jsonAnswer()`, for serialised JSON: a text, a stream, or UTF-8 in pages (consumed). */
export function jsonTextAnswer(
  json: string | Uint8Array<ArrayBuffer>[] | ReadableStream<Uint8Array<ArrayBuffer>>,
  init: ResponseInit = {},
): Response {
  const type = "application/json; charset=utf-8";
  if (typeof json === "string" && json.length <= shortJson) return shortAnswer(json, type, init);
  const headers = new Headers(init.headers);
  headers.set("content-type", type);
  if (typeof json === "string") {
    const body = bytesBody(new TextEncoder().encode(json), headers);
    return new Response(body, { ...init, headers });
  }
  if (!Array.isArray(json)) return new Response(json, { ...init, headers });
  const [first, second] = json;
  if (!second) return new Response(first, { ...init, headers });
  headers.set("content-length", String(json.reduce((sum, page) => sum + page.length, 0)));
  return new Response(pageStream(json), { ...init, headers });
}

/**
 * Objects as they come, in JSON, one a line. An error on the way breaks the answer off.
 *
 * @param lines is handed the signal that is aborted once the client reads no more
 */
export function linesAnswer(lines: (signal: AbortSignal) => AsyncGenerator<unknown>): Response {
  const leaving = new AbortController();
  const values = lines(leaving.signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await values.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    cancel: () => leaving.abort(),
  }, { highWaterMark: 0 });
  const headers = { "content-type": "application/x-ndjson; charset=utf-8" };
  return new Response(body, { headers });
}

/** A plain text answer; without text the body is empty. */
export function textAnswer(text = "", init: ResponseInit = {}): Response {
  return shortAnswer(text, "text/plain; charset=utf-8", init);
}

/**
 * A text in one chunk. A response that begins with more headers than its type costs more: Deno
 * prepares it to be sent, and drops that at the next header.
 */
function shortAnswer(text: string, type: string, init: ResponseInit): Response {
  const { headers: given = [], status, statusText } = init;
  const answer = new Response(text, { status, statusText, headers: { "content-type": type } });
  const headers = Symbol.iterator in given ? given : Object.entries(given);
  for (const [name = "", value = ""] of headers) {
    if (name.toLowerCase() !== "content-type") answer.headers.append(name, value);
  }
  return answer;
}

/** Most characters of the header, as many servers and proxies take 8 KiB of headers in all. */
const maxHeaderLength = 4_000;

/**
 * Adds what a copy has left out of a folder to the headers of its answer: the number, and the first
 * paths as a list of strings (RFC 9651), each percent-encoded.
 *
 * @param folder the original
 */
export function addLeftOut(headers: Headers, folder: EntryPath, leftOut: LeftOut | null): void {
  if (!leftOut) return;
  headers.set("left-out-count", String(leftOut.count));
  let list = "";
  for (const path of leftOut.first) {
    const item = `"${encodePath(joinPaths(folder, parsePath(`/${path}`).path))}"`;
    if (list.length + item.length > maxHeaderLength - 2) break;
    list += list === "" ? item : `, ${item}`;
  }
  if (list !== "") headers.set("left-out", list);
}
