import type { EntryPath } from "../../../shared/path.ts";
import { type Failure, failure, type Result, success } from "../../../shared/result.ts";
import type { UnfinishedUploads } from "./unfinished_uploads.ts";
import { failureOfThrow } from "../../base/api/answer.ts";
import { type SendOptions, sendRequest, type UploadApi } from "./upload_request.ts";

/** The settings of resumable uploads. */
export interface PartSettings {
  /** The largest part, in bytes. */
  chunkSize: number;
  /** How often a part that came damaged is sent again. */
  retryCount: number;
}

/** Options of the moment in which an upload gets its name. */
export interface NameOptions extends SendOptions {
  unfinished: UnfinishedUploads;
  /** Keeps both files where the name is taken once all bytes have arrived. */
  rename?: boolean;
}

/** Options of a resumable upload. */
export interface ResumableOptions extends NameOptions {
  parts: PartSettings;
  /** By which the browser can open the file again. */
  handle: FileSystemHandle | null;
  /** The file keeps its time. */
  keepsModified: boolean;
}

/**
 * Whether the server refuses the state of an upload because it has all bytes but cannot give the
 * file its name: the name is taken, a right is missing, or there is no room.
 */
export function isUnnamed({ status, code }: Failure): boolean {
  return code !== "wrong_offset" && [403, 409, 507].includes(status);
}

/** The first part, in bytes; later ones are as large as the connection carries. */
const FIRST_PART = 4 * 2 ** 20;

/** The smallest part, in bytes. */
const SMALLEST_PART = 64 * 2 ** 10;

/** The time that a part should take, in milliseconds. */
const PART_MS = 10_000;

/**
 * Uploads a large file in parts, by the tus protocol. An upload that was broken off goes on after
 * the last byte that the server has. (npm's tus-js-client can neither hash its parts nor size them
 * by the connection.)
 */
export async function sendInParts(
  api: UploadApi,
  at: EntryPath,
  file: File,
  options: ResumableOptions,
): Promise<Result<void>> {
  return await inTurn(api, at, options, () => new ResumableUpload(api, at, file, options).send());
}

/**
 * Has the server give an upload its name that has all its bytes: nothing is sent.
 *
 * @param size the length of the file, in bytes
 * @returns the refusal; `wrong_offset` when it lacks bytes after all
 */
export async function nameUpload(
  api: UploadApi,
  at: EntryPath,
  size: number,
  options: NameOptions,
): Promise<Result<void>> {
  return await inTurn(api, at, options, async () => {
    const answer = await sendPart(api, at, { offset: size }, options);
    return answer.ok ? success(undefined) : answer;
  });
}

/** Runs an upload while no other tab sends it, and forgets it when it is over. */
async function inTurn(
  api: UploadApi,
  at: EntryPath,
  { unfinished, signal }: NameOptions,
  run: () => Promise<Result<void>>,
): Promise<Result<void>> {
  try {
    return await unfinished.hold(at, signal, async () => {
      const answer = await run();
      const isGivenUp = !answer.ok && answer.code === "aborted";
      if (answer.ok || isGivenUp) await unfinished.forget(at);
      if (isGivenUp) await discardUpload(api, at);
      return answer;
    });
  } catch (error) {
    return failureOfThrow(error);
  }
}

/** How many bytes of an upload the server has. */
export async function findOffset(
  api: UploadApi,
  at: EntryPath,
  signal?: AbortSignal,
): Promise<Result<number>> {
  const answer = await request(api, at, "HEAD", {}, { signal });
  return answer.ok ? success(Number(answer.value.getResponseHeader("upload-offset"))) : answer;
}

/** Removes an unfinished upload from the server. */
export async function discardUpload(api: UploadApi, at: EntryPath): Promise<void> {
  await request(api, at, "DELETE", {});
}

/** Sends the bytes of a part, if any, and answers with the number that have come since. */
async function sendPart(
  api: UploadApi,
  at: EntryPath,
  { offset, body, sum = null }: { offset: number; body?: Blob; sum?: string | null },
  { override, rename, job, ...options }: SendOptions & { rename?: boolean },
): Promise<Result<number>> {
  const { url, headers } = api.uploadTarget("tus", at, { override, rename, job });
  const more = {
    "upload-offset": String(offset),
    "content-type": "application/offset+octet-stream",
    ...sum === null ? {} : { "upload-checksum": `sha256 ${sum}` },
  };
  const wanted = { method: "PATCH" as const, url, headers: { ...headers, ...more }, body };
  const answer = await sendRequest(api, wanted, options);
  return answer.ok ? success(Number(answer.value.getResponseHeader("upload-offset"))) : answer;
}

function request(
  api: UploadApi,
  at: EntryPath,
  method: "POST" | "HEAD" | "DELETE",
  more: Record<string, string>,
  { override = false, signal = new AbortController().signal }: Partial<SendOptions> = {},
) {
  const { url, headers } = api.uploadTarget("tus", at, { override });
  const wanted = { method, url, headers: { ...headers, "tus-resumable": "1.0.0", ...more } };
  return sendRequest(api, wanted, { signal, onProgress: () => {} });
}

class ResumableUpload {
  readonly #api: UploadApi;
  readonly #at: EntryPath;
  readonly #file: File;
  readonly #options: ResumableOptions;
  #length: number;
  /** The server has all bytes, but the file lacks its name: an empty part asks for it again. */
  #isUnnamed = false;

  constructor(api: UploadApi, at: EntryPath, file: File, options: ResumableOptions) {
    this.#api = api;
    this.#at = at;
    this.#file = file;
    this.#options = options;
    this.#length = Math.min(FIRST_PART, options.parts.chunkSize);
  }

  async send(): Promise<Result<void>> {
    const { parts } = this.#options;
    const resumed = await this.#resume();
    if (!resumed.ok) return resumed;
    let offset = resumed.value;
    for (let failures = 0; offset < this.#file.size || this.#isUnnamed;) {
      const answer = await this.#sendPart(offset);
      if (answer.ok) {
        this.#isUnnamed = false;
        offset = answer.value;
        failures = 0;
        continue;
      }
      const next = await this.#recover(answer, offset, ++failures <= parts.retryCount);
      if (!next.ok) return next;
      offset = next.value;
    }
    return success(undefined);
  }

  /** Where to go on: after the last byte of an upload that was broken off, or at the start. */
  async #resume(): Promise<Result<number>> {
    const { unfinished, onProgress } = this.#options;
    if (await unfinished.matches(this.#at, this.#file)) {
      const offset = await this.#offset();
      if (!offset.ok && offset.status !== 404) return offset;
      if (offset.ok) {
        onProgress(offset.value);
        return offset;
      }
    }
    return await this.#begin();
  }

  async #begin(): Promise<Result<number>> {
    const { unfinished, handle, keepsModified } = this.#options;
    const { size, lastModified } = this.#file;
    const headers = {
      "upload-length": String(size),
      ...keepsModified ? { "upload-metadata": `lastModified ${btoa(String(lastModified))}` } : {},
    };
    const begun = await request(this.#api, this.#at, "POST", headers, this.#options);
    if (!begun.ok) return begun;
    await unfinished.remember(this.#at, this.#file, handle);
    return success(0);
  }

  async #offset(): Promise<Result<number>> {
    const offset = await findOffset(this.#api, this.#at, this.#options.signal);
    this.#isUnnamed = !this.#isUnnamed && !offset.ok && isUnnamed(offset);
    return this.#isUnnamed ? success(this.#file.size) : offset;
  }

  async #sendPart(offset: number): Promise<Result<number>> {
    const { unfinished, onProgress } = this.#options;
    const end = Math.min(offset + this.#length, this.#file.size);
    const part = this.#file.slice(offset, end);
    const read = await sumOf(part);
    if (!read.ok) return read;
    const sum = read.value;
    const startedAt = performance.now();
    const answer = await sendPart(this.#api, this.#at, { offset, body: part, sum }, {
      ...this.#options,
      onProgress: (sent) => onProgress(offset + sent),
    });
    if (!answer.ok) return answer;
    if (end > offset) this.#resize((end - offset) / (performance.now() - startedAt));
    if (end > offset) unfinished.note(this.#at, { start: offset, end, sum });
    return answer;
  }

  /** Decides after a failed part: where to go on, or the failure. */
  async #recover(why: Failure, offset: number, mayRetry: boolean): Promise<Result<number>> {
    // A proxy takes only smaller bodies.
    if (why.status === 413 && this.#length > SMALLEST_PART) {
      this.#length = Math.max(SMALLEST_PART, Math.floor(this.#length / 2));
      return success(offset);
    }
    if (!mayRetry) return why;
    if (why.status === 460) return success(offset);
    if (why.code === "wrong_offset") return await this.#offset();
    return why.status === 404 ? await this.#begin() : why;
  }

  /** Sizes the next part by the speed of the last one. @param speed bytes a millisecond */
  #resize(speed: number): void {
    const { chunkSize } = this.#options.parts;
    const wanted = Math.min(speed * PART_MS, this.#length * 2, chunkSize);
    this.#length = Math.max(Math.floor(wanted), SMALLEST_PART);
  }
}

/**
 * The SHA-256 of a part in base64, computed beside the page's thread; null without a secure
 * connection, where browsers offer no digests. Fails when the file was changed or removed since it
 * was chosen.
 */
export async function sumOf(part: Blob): Promise<Result<string | null>> {
  const { subtle } = globalThis.crypto;
  try {
    const bytes = await (subtle ? part : part.slice(0, 1)).arrayBuffer();
    if (!subtle) return success(null);
    const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
    return success(btoa(String.fromCharCode(...digest)));
  } catch {
    return failure(0, "unreadable", "The file has changed, or can't be read any more");
  }
}
