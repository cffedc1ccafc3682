import { delay } from "../../../shared/delay.ts";
import { type Failure, failure, type Result, success } from "../../../shared/result.ts";
import { failureOfAnswer, failureOfThrow } from "../../base/api/answer.ts";

/** The size of a part, in bytes. */
const partSize = 8 * 2 ** 20;

/** The longest pause between two tries, in milliseconds; they go on until the visitor gives up. */
const longestPause = 15_000;

/** The folder that files are sent to, by a request or a share. */
export interface SendTarget {
  /** `/base/api/public/request/{hash}/files` */
  url: string;
  /** The address of one request of the protocol, with what lets one in; the same without. */
  enter?: (address: string) => string;
  /** Headers that let one in, as they are at the time of a request. */
  headers: () => Record<string, string>;
  /** "" when nobody has said who sends. */
  sender: string;
  /** Called for each answer. */
  onAnswer?: (answer: { status: number; renewToken: string | null }) => void;
}

/** The file to send, and the receiver of its progress. */
export interface Sending {
  file: File;
  /** With its folders: "photos/sea.jpg". */
  name: string;
  /** Called with the bytes that have come. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file to a request by the tus protocol: in parts, and after a lost connection on from the
 * last byte that the server has. The address of an unfinished upload is kept in the browser, so
 * that choosing the file again after a reload goes on, too.
 */
export async function sendFile(target: SendTarget, sending: Sending): Promise<Result<void>> {
  const key = keyOf(target, sending);
  let location = localStorage.getItem(key);
  let pause = 500;
  while (!sending.signal.aborted) {
    const answer = location === null
      ? await begin(target, sending)
      : await goOn(target, location, sending);
    if (answer.ok && answer.value === null) {
      localStorage.removeItem(key);
      return success(undefined);
    }
    if (answer.ok) {
      location = answer.value;
      localStorage.setItem(key, location ?? "");
      pause = 500;
      continue;
    }
    if (answer.status === 404 && location !== null) {
      localStorage.removeItem(key);
      location = null;
      continue;
    }
    if (!isPassing(answer)) return answer;
    await delay(Math.max(pause, (answer.retryAfter ?? 0) * 1000), sending.signal).catch(() => {});
    pause = Math.min(pause * 2, longestPause);
  }
  localStorage.removeItem(key);
  if (location !== null) await request(target, { method: "DELETE", url: location });
  return failure(0, "aborted", "The upload was given up");
}

/** Drops what the server has of a file that is not being sent. */
export async function discardFile(
  target: SendTarget,
  sending: Pick<Sending, "file" | "name">,
): Promise<void> {
  const key = keyOf(target, sending);
  const url = localStorage.getItem(key);
  localStorage.removeItem(key);
  if (url) await request(target, { method: "DELETE", url });
}

/** @returns the address of the upload; null for an empty file, which has arrived */
async function begin(target: SendTarget, { file, name, signal }: Sending) {
  const metadata = {
    filename: name,
    sender: target.sender,
    lastModified: String(file.lastModified),
  };
  const answer = await request(target, {
    method: "POST",
    url: target.url,
    headers: {
      "upload-length": String(file.size),
      "upload-metadata": Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`).join(","),
    },
    signal,
  });
  if (!answer.ok) return answer;
  return success(file.size === 0 ? null : answer.value.getResponseHeader("location"));
}

/** @returns the same address while there is more to send; null when the file has arrived */
async function goOn(target: SendTarget, url: string, sending: Sending) {
  const { file, onProgress, signal } = sending;
  const state = await request(target, { method: "HEAD", url, signal });
  // Refused once the server has all bytes: an empty part says why.
  if (!state.ok && ![403, 409, 507].includes(state.status)) return state;
  let offset = state.ok ? Number(state.value.getResponseHeader("upload-offset")) : file.size;
  let isNamed = state.ok && offset >= file.size;
  while (!isNamed) {
    onProgress(offset);
    const start = offset;
    const sent = await request(target, {
      method: "PATCH",
      url,
      headers: {
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
      },
      body: file.slice(offset, offset + partSize),
      signal,
      onProgress: (loaded) => onProgress(start + loaded),
    });
    if (!sent.ok) return sent.code === "offline" && !await isReadable(file) ? unreadable() : sent;
    offset = Number(sent.value.getResponseHeader("upload-offset"));
    isNamed = offset >= file.size;
  }
  onProgress(file.size);
  return success<string | null>(null);
}

interface TusRequest {
  method: "POST" | "HEAD" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: Blob;
  signal?: AbortSignal;
  onProgress?: (loaded: number) => void;
}

/** One request, by XMLHttpRequest, as `fetch` reports no progress of what is sent. */
function request(
  { enter = (address) => address, headers: proof, onAnswer }: SendTarget,
  { method, url, headers = {}, body, signal, onProgress }: TusRequest,
): Promise<Result<XMLHttpRequest>> {
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, enter(url));
    const all = { ...proof(), "tus-resumable": "1.0.0", accept: "application/json" };
    for (const [name, value] of Object.entries({ ...all, ...headers })) {
      xhr.setRequestHeader(name, value);
    }
    xhr.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    xhr.onload = () => {
      const { status, responseText } = xhr;
      onAnswer?.({ status, renewToken: xhr.getResponseHeader("x-renew-token") });
      const isGood = status >= 200 && status < 300;
      const retryAfter = xhr.getResponseHeader("retry-after");
      resolve(isGood ? success(xhr) : failureOfAnswer(status, responseText, retryAfter));
    };
    xhr.onerror = () => resolve(failureOfThrow(null));
    xhr.onabort = () => resolve(failureOfThrow(new DOMException("", "AbortError")));
    signal?.addEventListener("abort", () => xhr.abort(), { once: true });
    if (signal?.aborted) return resolve(failureOfThrow(new DOMException("", "AbortError")));
    xhr.send(body);
  });
}

/** Whether a later try may do better. */
function isPassing({ status, code }: Failure): boolean {
  return code === "offline" || code === "busy" || code === "locked" || code === "wrong_offset" ||
    status === 502 || status === 503 || status === 504;
}

function keyOf(
  { url }: SendTarget,
  { file: { size, lastModified }, name }: Pick<Sending, "file" | "name">,
): string {
  return `cubby-request ${JSON.stringify([url, name, size, lastModified])}`;
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function isReadable(file: Blob): Promise<boolean> {
  return file.slice(0, 1).arrayBuffer().then(() => true, () => false);
}

function unreadable(): Failure {
  return failure(0, "unreadable", "The file can't be read any more");
}
