import type { Context } from "fresh";
import { Buffer } from "node:buffer";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import { maxFilesAtOnce } from "../../../shared/schemas/upload.ts";
import { wholeNumber } from "../../../shared/whole_number.ts";
import type { Access } from "../../core/access/access.ts";
import type { Checksums } from "../../features/dav/file_checksums.ts";
import { UploadChecksum } from "../../features/dav/upload_checksum.ts";
import { permissionsOf } from "../../features/dav/permission_letters.ts";
import { wholeId } from "../../features/dav/client_properties.ts";
import { identified } from "../../features/dav/id_lookups.ts";
import { entryAt, requireParent } from "../../features/dav/places.ts";
import { etagOf } from "../../files/content/open_content.ts";
import { IdleTimeout, maxStallMs } from "../../files/upload/idle_timeout.ts";
import { saveFile, type UploadOptions } from "../../files/upload/upload.ts";
import { smallBody, type UploadBody } from "../../files/upload/temporary_file.ts";
import type { State } from "../define.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor, rightsConfirmed } from "../request/access_for.ts";
import { assertUnlocked, hooked } from "../request/hooked.ts";
import { recordUse } from "../request/place_requests.ts";
import { writeFile } from "../request/uploads/write_file.ts";
import { jsonAnswer } from "../response/answers.ts";
import { refusalOf } from "../response/error_response.ts";
import { clientsTime } from "./dav_files.ts";

/** Files that are written at a time: while the disk syncs some, others are received. */
const atOnce = 16;

/** The longest line of a part's header, in bytes: a path of 4 KiB, and the name of the header. */
const maxLineBytes = 8 * 1024;

/** Most header lines of a part. */
const maxHeaders = 32;

/** What became of one file. */
type Answer = Record<string, string | boolean>;

/** A part of the request. */
interface Part {
  path: string;
  headers: Map<string, string>;
  length: number;
}

/** A part whose file is in its place. */
interface WrittenPart {
  /** Its path as it was sent. */
  text: string;
  path: EntryPath;
  etag: string;
  sums: Checksums;
}

/**
 * POST of many files as `multipart/related`, each a part with its path, length, time and digest.
 * Each is an upload of its own, with its own answer: one that is refused keeps none of the others.
 * Small ones are written several at a time; a large one while it arrives.
 */
export async function bulkUpload(ctx: Context<State>): Promise<Response> {
  const access = accessFor(ctx);
  access.needWrite("Cannot upload");
  const boundary = boundaryOf(ctx.req.headers.get("content-type") ?? "");
  await reserveMemory(ctx, atOnce * smallBody);
  const answers = new Map<string, Answer>();
  const running = new Set<Promise<void>>();
  const written: WrittenPart[] = [];
  const receive = async (part: Part, body: UploadBody) => {
    try {
      written.push(await writePart(ctx, access, part, body));
    } catch (error) {
      answers.set(part.path, refusalAnswer(ctx, error));
    }
  };
  await using parts = new PartReader(ctx.req, boundary);
  try {
    for (let count = 0;; count++) {
      const part = await parts.next();
      if (!part) break;
      if (count === maxFilesAtOnce) throw malformedError(`it has over ${maxFilesAtOnce} files`);
      if (answers.has(part.path)) throw malformedError("a path is in it twice");
      answers.set(part.path, {});
      if (part.length > smallBody) {
        await receive(part, parts.stream(part.length));
        await parts.skip();
        continue;
      }
      const bytes = await parts.bytes(part.length);
      const writing = receive(part, wholeBody(bytes)).finally(() => running.delete(writing));
      running.add(writing);
      if (running.size === atOnce) await Promise.race(running);
    }
  } finally {
    // What has arrived is written before the request is answered, also when the rest is malformed.
    await Promise.all(running);
  }
  for (const [path, answer] of await describe(ctx, access, written)) answers.set(path, answer);
  return jsonAnswer(Object.fromEntries(answers));
}

function refusalAnswer(ctx: Context<State>, error: unknown): Answer {
  if (!(error instanceof DomainError)) {
    ctx.state.cubby.log.line(`Cannot upload: ${error}`, "error");
  }
  return { error: true, message: refusalOf(error, ctx.req).message };
}

async function writePart(
  ctx: Context<State>,
  access: Access,
  { path: text, headers, length }: Part,
  body: UploadBody,
): Promise<WrittenPart> {
  const { path, folder } = parsePath(text);
  if (folder) {
    access.create(path);
    const reason = "a path with a slash at its end is a folder's";
    throw new DomainError("invalid_path", `Cannot write "${path}": ${reason}`);
  }
  requireParent(access, path);
  const time = headers.get("x-file-mtime") ?? headers.get("x-oc-mtime");
  const modified = time === undefined ? undefined : clientsTime(time);
  const md5 = headers.get("x-file-md5");
  const checksum = UploadChecksum.read(
    md5 === undefined ? headers.get("oc-checksum") ?? null : `MD5:${md5}`,
  );
  let sums: Checksums = {};
  const check = () => void (sums = checksum?.verify(`Cannot write "${path}"`) ?? {});
  const checked = checksum ? verified(body, checksum, check) : body;
  const formerFiles = ctx.state.cubby.trash.formerFilesOf(signedInOf(ctx).user.id);
  const override = headers.get("if-none-match") !== "*";
  const options = {
    ifMatch: headers.get("if-match"),
    expectedLength: length,
    modified,
    signal: ctx.req.signal,
  };
  const there = override ? entryAt(access, path) : null;
  const noted = { formerFiles, note: () => Promise.resolve() };
  const etag = there?.isFile && !there.isBroken
    ? await changeFile(ctx, access, path, checked, { ...options, formerFiles })
    : await writeFile(ctx, access, path, checked, noted, { ...options, override });
  return { text, path, etag, sums };
}

/** Changes a file that is there: the right to make new ones counts for nothing. @returns the ETag */
async function changeFile(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  body: UploadBody,
  options: Omit<UploadOptions, "override">,
): Promise<string> {
  const file = () => access.modify(path).real;
  const change = { event: "save", access, path, file } as const;
  const confirm = rightsConfirmed(
    ctx,
    (now) => now.modify(path),
    () => assertUnlocked(ctx, change),
  );
  const { etag, place } = await hooked(
    ctx,
    change,
    () => saveFile(access, path, body, { ...options, confirm }),
  );
  recordUse(ctx, path, "changed", place);
  return etag;
}

/** What clients want to know of files that they have written, by the paths that they sent. */
async function describe(
  ctx: Context<State>,
  access: Access,
  written: readonly WrittenPart[],
): Promise<[path: string, Answer][]> {
  const { fileIds, fileChecksums } = ctx.state.cubby;
  const found = written.flatMap((file) => {
    const entry = entryAt(access, file.path);
    return entry && etagOf(entry.info) === file.etag ? [{ ...file, entry }] : [];
  });
  const ids = await fileIds?.idsOf(found.map(({ entry }) => identified(access, entry))) ?? [];
  await Promise.all(found.map(async ({ entry, sums }) => {
    if (Object.keys(sums).length === 0) return;
    await fileChecksums?.note(access.placeOf(entry), entry.info, sums);
  }));
  const known = new Map(found.map(({ text, path }, at) => {
    const id = wholeId(ids[at] ?? "");
    const permissions = permissionsOf(access, path, false);
    return [text, { fileid: id, "OC-FileID": id, permissions }];
  }));
  return written.map(({ text, etag }) => [text, {
    error: false,
    etag: etag.replaceAll('"', ""),
    "OC-ETag": etag,
    ...known.get(text),
    "X-OC-MTime": "accepted",
  }]);
}

function wholeBody(bytes: Uint8Array<ArrayBuffer>): UploadBody {
  return {
    bytes: () => Promise.resolve(bytes),
    get body() {
      return new Blob([bytes]).stream();
    },
  };
}

/** A body that ends with an error unless it has the expected digest. */
function verified(
  body: UploadBody,
  checksum: UploadChecksum,
  check: () => void,
): UploadBody {
  if ("bytes" in body) {
    return {
      body: body.body,
      async bytes() {
        const bytes = await body.bytes();
        checksum.update(bytes);
        check();
        return bytes;
      },
    };
  }
  return body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        checksum.update(piece);
        controller.enqueue(piece);
      },
      flush: check,
    }),
  );
}

/** Reads the parts of a request one after the other. */
class PartReader implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  readonly #boundary: string;
  readonly #watch: IdleTimeout;
  #held: Uint8Array<ArrayBuffer> = new Uint8Array();
  #received = 0;
  /** Bytes of the part that were not read. */
  #left = 0;
  #isFirst = true;

  constructor({ body, signal }: Request, boundary: string) {
    this.#reader = body?.getReader();
    this.#boundary = boundary;
    this.#watch = new IdleTimeout(() => this.#received, maxStallMs, signal);
    const cancel = () => void this.#reader?.cancel().catch(() => {});
    this.#watch.signal.addEventListener("abort", cancel);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]();
    await this.#reader?.cancel().catch(() => {});
  }

  /**
   * Reads the headers of the next part; null at the end.
   *
   * @throws {DomainError} `invalid_body`
   */
  async next(): Promise<Part | null> {
    if (!this.#isFirst && await this.#line() !== "") {
      throw malformedError("a part is longer than its length");
    }
    this.#isFirst = false;
    const last = `--${this.#boundary}--`;
    const delimiter = await this.#line(last);
    if (delimiter === last) return null;
    if (delimiter !== `--${this.#boundary}`) throw malformedError("a boundary is missing");
    const headers = new Map<string, string>();
    for (;;) {
      const line = await this.#line();
      if (line === "") break;
      const [, name, value = ""] = /^([\w-]+):[ \t]*(.*)$/s.exec(line) ?? [];
      if (name === undefined || headers.size === maxHeaders) {
        throw malformedError("a part has malformed headers");
      }
      const key = name.toLowerCase();
      // A file's name may end with spaces.
      headers.set(key, key === "x-file-path" ? value : value.trimEnd());
    }
    const path = headers.get("x-file-path");
    const length = wholeNumber(headers.get("content-length") ?? "");
    if (path === undefined || length === undefined) {
      throw malformedError("a part lacks X-File-Path or Content-Length");
    }
    return { path, headers, length: this.#left = length };
  }

  /** Reads the content of a part. */
  async bytes(length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length);
    for (let position = 0; position < length;) {
      const piece = await this.#take(length - position);
      bytes.set(piece, position);
      position += piece.length;
    }
    this.#left = 0;
    return bytes;
  }

  /** The content of a part while it arrives. */
  stream(length: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#left = length;
    return new ReadableStream({
      pull: async (controller) => {
        if (this.#left === 0) return controller.close();
        const piece = await this.#take(this.#left);
        this.#left -= piece.length;
        controller.enqueue(piece.slice());
      },
    }, { highWaterMark: 0 });
  }

  /** Drops what was not read of a part, as its file was refused. */
  async skip(): Promise<void> {
    while (this.#left > 0) this.#left -= (await this.#take(this.#left)).length;
  }

  /** @param last a line that needs no line end where the request ends with it (RFC 2046, 5.1.1) */
  async #line(last?: string): Promise<string> {
    for (;;) {
      // Clients write names as they are: a line feed alone, or a carriage return, is part of one.
      const { buffer, byteOffset, length } = this.#held;
      const end = Buffer.from(buffer, byteOffset, length).indexOf("\r\n");
      if (end >= 0) {
        const line = this.#held.subarray(0, end);
        this.#held = this.#held.subarray(end + 2);
        return utf8(line);
      }
      if (this.#held.length > maxLineBytes) throw malformedError("a line is too long");
      const more = await this.#next();
      if (!more && last !== undefined && utf8(this.#held) === last) return last;
      if (!more) throw malformedError("it ends within a part");
      this.#held = new Uint8Array(Buffer.concat([this.#held, more]));
    }
  }

  async #take(max: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#held.length === 0) this.#held = await this.#read();
    const piece = this.#held.subarray(0, max);
    this.#held = this.#held.subarray(piece.length);
    return piece;
  }

  async #read(): Promise<Uint8Array<ArrayBuffer>> {
    const next = await this.#next();
    if (next) return next;
    throw malformedError("it ends within a part");
  }

  /** The next bytes of the request; null at its end. */
  async #next(): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const next = await this.#reader?.read();
      this.#watch.signal.throwIfAborted();
      if (next && !next.done) {
        this.#received += next.value.length;
        return next.value;
      }
    } catch {
      throw malformedError("it was cut off");
    }
    return null;
  }
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformedError("a header is not UTF-8");
  }
}

/** @throws DomainError `wrong_content_type`, `invalid_body` */
function boundaryOf(type: string): string {
  if (!/^multipart\/related\b/i.test(type)) {
    throw new DomainError(
      "wrong_content_type",
      `Cannot take "${type}": expected multipart/related`,
    );
  }
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(type) ??
    [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined) return boundary;
  throw malformedError("Content-Type names no boundary");
}

function malformedError(reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot read the request: ${reason}`);
}
