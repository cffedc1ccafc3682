/**
 * The one client of resumable uploads (tus 1.0.0): 1.6 KB gzip in the page. npm's tus-js-client has
 * 16.2 KB, cannot size its parts by the connection, and discards an upload that has all its bytes
 * but not its name.
 */
import { type Failure, failure, type Result, success } from "../../../shared/result.ts";
import type { ApiPath } from "./api_path.ts";
import type { Call, Calls, Fetch, Query } from "./calls.ts";

/** The settings of resumable uploads. */
export interface PartSettings {
  /** The largest part, in bytes. */
  chunkSize: number;
  /** How often a part that was damaged on its way is sent again. */
  retryCount: number;
}

/** A part that has arrived, to tell the same file from another of that name, size and time. */
export interface SentPart {
  start: number;
  end: number;
  /** Its SHA-256 in base64; null where the browser computes none. */
  sum: string | null;
}

/** Remembers one unfinished upload across reloads of the page. */
export interface UploadMemory {
  /** The address of the file's upload; null when none was created, or that of another file. */
  find(): Promise<ApiPath | null>;
  remember(at: ApiPath): Promise<void>;
  /** Called for each part that has arrived. */
  note?(part: SentPart): void;
  /** Called when the upload is complete or given up. */
  forget(): Promise<void>;
}

/** Options of a request that sends bytes. */
export interface SendOptions {
  /** Called with the bytes sent so far. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/** Options of the moment in which an upload gets its name. */
interface NameOptions extends SendOptions {
  memory: UploadMemory;
  /** The query of the requests that create the upload and append to it. */
  query?: Query;
}

/** Options of an upload. */
interface TusOptions extends NameOptions {
  parts: PartSettings;
  /** Texts for `Upload-Metadata`. */
  metadata: Record<string, string>;
  /** Its address, if that is known before it is created. */
  at?: ApiPath;
}

/** The first part, in bytes; later ones are as large as the connection carries. */
const firstPart = 4 * 2 ** 20;

/** The smallest part, in bytes. */
const minPart = 64 * 2 ** 10;

/** The time that a part should take, in milliseconds. */
const partMs = 10_000;

/**
 * Whether the server refuses the state of an upload because it has all bytes but cannot give the
 * file its name: the name is taken, a right is missing, or there is no room.
 */
export function isUnnamed({ status, code }: Failure): boolean {
  return code !== "wrong_offset" && [403, 409, 507].includes(status);
}

/** Creates uploads and sends their bytes. */
export class Tus {
  readonly #calls: Pick<Calls, "request" | "pathOf">;
  readonly #access: Call;

  /** @param access what all requests have in common: the headers or the query that let one in */
  constructor(calls: Pick<Calls, "request" | "pathOf">, access: Call = {}) {
    this.#calls = calls;
    this.#access = access;
  }

  /**
   * Uploads a file in parts. An interrupted upload resumes after the last byte that the server has;
   * one that is aborted is dropped.
   *
   * @param to the address that creates the upload
   */
  async send(to: ApiPath, file: File, options: TusOptions): Promise<Result<void>> {
    const upload = new TusUpload(this, to, file, options);
    return await this.#settle(await upload.send(), upload.at, options);
  }

  /**
   * Asks for the name of an upload that has all its bytes; sends none.
   *
   * @param size the length of the file, in bytes
   * @returns the refusal; `wrong_offset` when bytes are missing after all
   */
  async name(at: ApiPath, size: number, options: NameOptions): Promise<Result<void>> {
    const answer = await this.append(at, { offset: size }, options);
    return await this.#settle(answer.ok ? success(undefined) : answer, at, options);
  }

  /** Creates an upload. @returns its address */
  async create(
    to: ApiPath,
    { size }: File,
    { query, metadata, signal }: Pick<TusOptions, "query" | "metadata" | "signal">,
  ): Promise<Result<ApiPath>> {
    const pairs = Object.entries(metadata).map(([key, value]) => `${key} ${base64(value)}`);
    const headers = {
      "upload-length": String(size),
      ...pairs.length > 0 ? { "upload-metadata": pairs.join(",") } : {},
    };
    const answer = await this.#request(to, { method: "POST", headers, query, signal });
    if (!answer.ok) return answer;
    const location = answer.value.headers.get("location");
    return success(location === null ? to : this.#calls.pathOf(location));
  }

  /** The number of bytes that the server has. */
  async offset(at: ApiPath, signal?: AbortSignal): Promise<Result<number>> {
    return offsetOf(await this.#request(at, { method: "HEAD", signal }));
  }

  /** Appends the bytes of a part, if any. @returns the new offset */
  async append(
    at: ApiPath,
    { offset, body, sum = null }: { offset: number; body?: Blob; sum?: string | null },
    { query, onProgress, signal }: SendOptions & { query?: Query },
  ): Promise<Result<number>> {
    const headers = {
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
      ...sum === null ? {} : { "upload-checksum": `sha256 ${sum}` },
    };
    const fetch = fetchReporting(onProgress);
    const call = { method: "PATCH", headers, query, body, fetch, signal } as const;
    return offsetOf(await this.#request(at, call));
  }

  /** Removes an unfinished upload from the server. */
  async drop(at: ApiPath): Promise<void> {
    await this.#request(at, { method: "DELETE" });
  }

  async #settle(
    answer: Result<void>,
    at: ApiPath | null,
    { memory }: NameOptions,
  ): Promise<Result<void>> {
    const isGivenUp = !answer.ok && answer.code === "aborted";
    if (answer.ok || isGivenUp) await memory.forget();
    if (isGivenUp && at !== null) await this.drop(at);
    return answer;
  }

  #request(to: ApiPath, call: Call): Promise<Result<Response>> {
    const { query, headers } = this.#access;
    return this.#calls.request(to, {
      ...this.#access,
      ...call,
      query: { ...query, ...call.query },
      headers: { "tus-resumable": "1.0.0", ...headers, ...call.headers },
      // The queue waits for a new sign-in, for all uploads at once.
      final: true,
    });
  }
}

class TusUpload {
  readonly #tus: Tus;
  readonly #to: ApiPath;
  readonly #file: File;
  readonly #options: TusOptions;
  #length: number;
  /** The server has all bytes, but the file lacks its name: an empty part asks for it again. */
  #isUnnamed = false;

  /** Its address; null while that is unknown. */
  at: ApiPath | null;

  constructor(tus: Tus, to: ApiPath, file: File, options: TusOptions) {
    this.#tus = tus;
    this.#to = to;
    this.#file = file;
    this.#options = options;
    this.#length = Math.min(firstPart, options.parts.chunkSize);
    this.at = options.at ?? null;
  }

  async send(): Promise<Result<void>> {
    let start = await this.#resume();
    for (let failures = 0; start.ok && (start.value < this.#file.size || this.#isUnnamed);) {
      const offset = start.value;
      const answer = await this.#append(offset);
      if (answer.ok) {
        this.#isUnnamed = false;
        failures = 0;
        start = answer;
      } else {
        start = await this.#recover(answer, offset, ++failures <= this.#options.parts.retryCount);
      }
    }
    return start.ok ? success(undefined) : start;
  }

  /** The offset to start at: after the last byte of an interrupted upload, or 0. */
  async #resume(): Promise<Result<number>> {
    const known = await this.#options.memory.find();
    if (known === null) return await this.#create();
    this.at = known;
    const offset = await this.#offset(known);
    if (!offset.ok && offset.status === 404) return await this.#create();
    if (offset.ok) this.#options.onProgress(offset.value);
    return offset;
  }

  async #create(): Promise<Result<number>> {
    const created = await this.#tus.create(this.#to, this.#file, this.#options);
    if (!created.ok) return created;
    this.at = created.value;
    await this.#options.memory.remember(this.at);
    return success(0);
  }

  async #offset(at: ApiPath): Promise<Result<number>> {
    const offset = await this.#tus.offset(at, this.#options.signal);
    this.#isUnnamed = !this.#isUnnamed && !offset.ok && isUnnamed(offset);
    return this.#isUnnamed ? success(this.#file.size) : offset;
  }

  async #append(offset: number): Promise<Result<number>> {
    const { memory, query, signal, onProgress } = this.#options;
    const end = Math.min(offset + this.#length, this.#file.size);
    const body = this.#file.slice(offset, end);
    const read = await sumOf(body);
    if (!read.ok) return read;
    const sum = read.value;
    const startedAt = performance.now();
    const answer = await this.#tus.append(this.at ?? this.#to, { offset, body, sum }, {
      ...{ query, signal },
      onProgress: (sent) => onProgress(offset + sent),
    });
    if (!answer.ok) return answer;
    if (end > offset) this.#resize((end - offset) / (performance.now() - startedAt));
    if (end > offset) memory.note?.({ start: offset, end, sum });
    return answer;
  }

  /** The offset to resume at after a failed part, or the failure. */
  async #recover(why: Failure, offset: number, mayRetry: boolean): Promise<Result<number>> {
    // A proxy takes only smaller bodies.
    if (why.status === 413 && this.#length > minPart) {
      this.#length = Math.max(minPart, Math.floor(this.#length / 2));
      return success(offset);
    }
    if (!mayRetry) return why;
    if (why.status === 460) return success(offset);
    if (why.code === "wrong_offset") return await this.#offset(this.at ?? this.#to);
    return why.status === 404 ? await this.#create() : why;
  }

  /** Sizes the next part by the speed of the last one. @param speed bytes a millisecond */
  #resize(speed: number): void {
    const { chunkSize } = this.#options.parts;
    const wanted = Math.min(speed * partMs, this.#length * 2, chunkSize);
    this.#length = Math.max(Math.floor(wanted), minPart);
  }
}

function offsetOf(answer: Result<Response>): Result<number> {
  return answer.ok ? success(Number(answer.value.headers.get("upload-offset"))) : answer;
}

/**
 * The SHA-256 of a part in base64, computed off the page's thread; null without a secure
 * connection, where browsers offer no digests. Fails when the file was changed or removed since it
 * was chosen.
 */
export async function sumOf(part: Blob): Promise<Result<string | null>> {
  const { subtle } = globalThis.crypto;
  try {
    const bytes = await (subtle ? part : part.slice(0, 1)).arrayBuffer();
    if (!subtle) return success(null);
    return success(encode(new Uint8Array(await subtle.digest("SHA-256", bytes))));
  } catch {
    return failure(0, "unreadable", "The file has changed, or can't be read any more");
  }
}

function base64(text: string): string {
  return encode(new TextEncoder().encode(text));
}

function encode(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * A `fetch` that reports how many bytes of a body have been sent, as XMLHttpRequest alone does. A
 * file that was changed or removed since it was chosen fails with `NotReadableError`, not like a
 * lost connection.
 */
export function fetchReporting(onProgress: (sent: number) => void): Fetch {
  return (address, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      const giveUp = () => reject(new DOMException("The call was given up", "AbortError"));
      if (signal?.aborted) return giveUp();
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded }) => onProgress(loaded);
      request.onload = () => {
        const { status, responseText } = request;
        const answered = new Headers();
        for (const line of request.getAllResponseHeaders().split("\r\n").filter(Boolean)) {
          const colon = line.indexOf(":");
          answered.append(line.slice(0, colon), line.slice(colon + 1));
        }
        resolve(new Response(responseText || null, { status, headers: answered }));
      };
      request.onerror = async () => {
        const isLost = !(body instanceof Blob) || await isReadable(body);
        reject(isLost ? new TypeError("No answer") : new DOMException("", "NotReadableError"));
      };
      request.onabort = giveUp;
      request.onloadend = () => signal?.removeEventListener("abort", abort);
      signal?.addEventListener("abort", abort);
      request.send(body as Blob);
    });
}

/** Whether the browser can still read a file. */
export function isReadable(file: Blob): Promise<boolean> {
  return file.slice(0, 1).arrayBuffer().then(() => true, () => false);
}
