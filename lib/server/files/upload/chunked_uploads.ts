import { createHash, type Hash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { rootsOf } from "../../../shared/named_roots.ts";
import { childOf, type EntryPath, isInside, ROOT } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { noGrowth } from "../../core/access/allowance.ts";
import type { Gate } from "../../core/access/gate.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { SERVER } from "../../core/access/viewer.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import { mounts } from "../../core/disk/mounts.ts";
import { bestEffort } from "../../core/kv/best_effort.ts";
import { etagOf } from "../content/open_content.ts";
import type { Body } from "./body_pieces.ts";
import { commitUpload, type FormerFiles } from "./commit_upload.ts";
import { findNamed } from "./free_path.ts";
import { assertRoom, growthBy, growthOf } from "./growth.ts";
import { IdleTimeout, maxStallMs } from "./idle_timeout.ts";
import { holdReservation } from "./part_reservation.ts";
import { PartWriter } from "./part_writer.ts";
import { TemporaryFile } from "./temporary_file.ts";
import { removePart } from "./temporaries.ts";
import { checkTarget } from "./upload.ts";
import type { UploadChunk } from "./upload_chunks.ts";
import { notBegunError, UploadEnds } from "./upload_ends.ts";
import {
  type BegunBy,
  type ChunkPlace,
  lengthOf,
  partEnd,
  type PartReservation,
  unknownLength,
  type UploadPart,
  type UploadParts,
} from "./upload_parts.ts";

/** The owner of an upload in chunks, and the name that the client gave it. */
export interface ChunkedUploader {
  userId: number;
  chunks: string;
  /** The API token that asks: one does not continue what another has begun. */
  tokenId?: string;
}

/** An upload in chunks that is to begin. */
export interface ChunkedDraft extends Omit<ChunkedUploader, "tokenId"> {
  /** The target, if it is known: the bytes are received beside it. */
  path?: EntryPath;
  /** The length of the whole file, in bytes, if it is known. */
  length?: number;
  begun: BegunBy;
}

/** A chunk that a request brings. */
export interface SentChunk {
  /** Digits, or two such with a dash between them. */
  name: string;
  body: Body | null;
  /** In bytes. */
  length: number;
  /** Where in the file the client says that it begins. Only the order of the names counts. */
  offset?: number;
  signal?: AbortSignal;
}

/** Computes a digest of bytes, and compares it with an expected one. */
export interface Verifier {
  update(piece: Uint8Array<ArrayBuffer>): void;
  /**
   * Takes over a digest in place of its own, which has no bytes yet.
   *
   * @returns whether it computes that kind of digest
   */
  adopt(name: typeof ownDigest, digest: Hash): boolean;
  /** @throws {DomainError} `checksum_mismatch` */
  verify(action: string): void;
}

/** The digest that clients are asked for, which is computed while chunks come. */
const ownDigest = "SHA1";

/** How an upload in chunks ends. */
export interface ChunkedEnd {
  path: EntryPath;
  /** The sum of the lengths of all chunks, as the client knows it. */
  length?: number;
  /** Takes the bytes of the file in their order, and throws `checksum_mismatch`. */
  checksum: Verifier | null;
  /** The time that the file is to have, in milliseconds since 1970. */
  modified?: number;
  mayReplace: boolean;
  /** The `If-Match` header: the file that is replaced must have one of these tags. */
  ifMatch?: string;
  formerFiles?: FormerFiles;
  /** Called around the moment in which the file gets its name. */
  around<T>(finish: () => Promise<T>): Promise<T>;
}

/** The file that an upload in chunks has become. */
export interface ChunkedFile {
  etag: string;
  /** Absent of one that was complete already, as its client has not got the answer. */
  written?: {
    /** Its path below the server root. */
    place: EntryPath;
  };
}

/** Most chunks of one upload. */
const maxChunks = 10_000;

/**
 * Uploads in chunks of any order, each with a name that is a number or an offset, as clients of
 * Nextcloud and ownCloud send them. All chunks are written into one hidden file beside the target,
 * at the place that they have in the end, if that is known when they come: then the file gets its
 * name without a second copy of the bytes. A chunk counts once it is on the disk as a whole. Other
 * parts of such an upload are as of {@link ResumableUploads}.
 */
export class ChunkedUploads {
  readonly #parts: UploadParts;
  readonly #gate: Gate;
  readonly #ends: UploadEnds;
  readonly #digests = new RunningDigests();

  constructor(parts: UploadParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
    this.#ends = new UploadEnds(parts, gate);
  }

  /**
   * Begins an upload.
   *
   * @returns whether it has begun: false where one of the same name has not ended
   * @throws {DomainError} `exists`, `is_folder`, `forbidden`, `not_a_file`, `read_only`,
   * `disk_full`, `over_quota`
   */
  async begin(access: Access, draft: ChunkedDraft, formerFiles?: FormerFiles): Promise<boolean> {
    const { path, length, ...owner } = draft;
    const former = await this.#parts.get(owner, ROOT);
    if (former && former.expires > Date.now()) return false;
    if (former) await removePart(this.#gate, this.#parts, former);
    const action = `Cannot write "${path ?? ROOT}"`;
    const target = path === undefined ? null : targetOf(access, path, action);
    const growth = target
      ? await growthOf(target, length ?? 0, formerFiles)
      : { bytes: length ?? 0, files: 1 };
    const folderBelowRoot = target?.folderBelowRoot ?? stagingFolder(access, action);
    using folder = target?.open() ?? this.#gate.enter(SERVER).folder(folderBelowRoot).open();
    await assertRoom(folder, length ?? 0, action);
    const room = await holdReservation(access.allowance, growth, action);
    let isDone = false;
    try {
      await access.journal?.remember(folderBelowRoot);
      using temporary = new TemporaryFile(folder, action, target?.fileMode);
      await folder.sync();
      await this.#parts.put({
        ...owner,
        ...{ path: path ?? ROOT, folder: folderBelowRoot, name: temporary.name },
        ...{ ino: temporary.facts().ino, length: unknownLength, announced: length, override: true },
        room,
      });
      temporary.keep();
      isDone = true;
      return true;
    } finally {
      if (!isDone && room) await access.allowance?.settle(room.ticket, noGrowth);
    }
  }

  /**
   * Receives a chunk, which replaces one of the same name.
   *
   * @returns whether it is a new one
   * @throws {DomainError} `not_found`, `locked`, `body_too_large`, `invalid_body`, `disk_full`,
   * `over_quota`, `forbidden`
   */
  async receive(access: Access, uploader: ChunkedUploader, chunk: SentChunk): Promise<boolean> {
    const part = await this.#find(access, uploader);
    if (part.isAssembled) throw new DomainError("locked", `${actionOn(part)}: it is being written`);
    let bytes = chunk.length;
    const placeChunk = async (now: UploadPart): Promise<ChunkPlace> => {
      const come = await this.#parts.chunks.list(now);
      const others = [...come, ...writtenNow(now)].filter(({ name }) => name !== chunk.name);
      bytes = sumOf(others) + chunk.length;
      if (others.length >= maxChunks) {
        throw new DomainError("body_too_large", `${actionOn(now)}: over ${maxChunks} chunks`);
      }
      if (bytes > lengthOf(now)) {
        const reason = `it is longer than the ${now.announced} bytes announced`;
        throw new DomainError("body_too_large", `${actionOn(now)}: ${reason}`);
      }
      return placeFor(chunk, others, lengthOf(now));
    };
    await using writer = await PartWriter.take(this.#parts, part, { placeChunk });
    const place = writer.chunk;
    using open = this.#open(access, writer.part, "shared");
    if (!open || !place) throw notBegunError(part.path);
    await assertRoom(open.folder, chunk.length, open.action);
    const room = await this.#reserve(access, writer.part, bytes, open.action);
    // What has come of it so far is overwritten.
    const isNew = !await this.#parts.chunks.has(part, chunk.name);
    if (!isNew) await this.#parts.chunks.remove(part, chunk.name);
    const digest = this.#digests.follow(part, place);
    await receiveChunk(open, chunk, place, { writer, digest });
    await writer.confirm();
    const at = Date.now();
    await writer.save({ room, expires: partEnd() }, "last", (operation) => {
      return this.#parts.chunks.add(operation, part, place, at);
    });
    if (digest) this.#digests.add(part, { ...place, at }, digest);
    return isNew;
  }

  /**
   * The chunks that have come, in their order.
   *
   * @throws {DomainError} `not_found`
   */
  async list(access: Access, uploader: ChunkedUploader): Promise<UploadChunk[]> {
    return await this.#parts.chunks.list(await this.#find(access, uploader));
  }

  /** The names of the uploads that have not ended. */
  async names({ userId, tokenId }: Omit<ChunkedUploader, "chunks">): Promise<string[]> {
    const own = (await this.#parts.list(userId)).filter(({ chunks, begun, expires }) =>
      chunks !== undefined && begun?.tokenId === tokenId && expires > Date.now()
    );
    return own.flatMap(({ chunks }) => chunks ?? []);
  }

  /**
   * Drops a chunk.
   *
   * @throws {DomainError} `not_found`, `locked`
   */
  async remove(access: Access, uploader: ChunkedUploader, name: string): Promise<void> {
    const part = await this.#find(access, uploader);
    const found = (await this.#parts.chunks.list(part)).find((chunk) => chunk.name === name);
    if (!found || part.isAssembled) throw notBegunError(part.path);
    const { start, length } = found;
    const placeChunk = () => Promise.resolve({ name, start, length });
    await using _ = await PartWriter.take(this.#parts, part, { placeChunk });
    await this.#parts.chunks.remove(part, name);
  }

  /**
   * Drops an upload with all its chunks.
   *
   * @throws {DomainError} `not_found`, `locked`
   */
  async drop(access: Access, uploader: ChunkedUploader): Promise<void> {
    const part = await this.#find(access, uploader);
    await using writer = await PartWriter.take(this.#parts, part);
    await removePart(this.#gate, this.#parts, writer.part);
  }

  /**
   * Makes the chunks a file. Of one that was complete already, whose client has not got the answer,
   * that is told again for an hour.
   *
   * @throws {DomainError} `not_found`; `invalid_body` when the lengths of the chunks are another in
   * all than expected; `checksum_mismatch`, `exists`, `is_folder`, `not_a_file`, `forbidden`,
   * `locked`, `disk_full`, `over_quota`
   */
  async finish(access: Access, uploader: ChunkedUploader, end: ChunkedEnd): Promise<ChunkedFile> {
    const { path } = end;
    const part = await this.#lookFor(access, uploader);
    if (!part) return await this.#completed(access, uploader, path);
    try {
      await using writer = await PartWriter.take(this.#parts, part, { isPatient: true });
      using open = this.#open(access, writer.part, "exclusive");
      if (open) return await this.#finish(access, writer, open, end);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "not_found")) throw error;
      // The request that this one waited for may have completed the upload.
      if (await this.#parts.get(part, path)) throw error;
      return await this.#completed(access, uploader, path);
    }
    const offset = part.length;
    const { etag = "" } = await this.#ends.named(access, { ...part, path }, { offset });
    return { etag };
  }

  /**
   * The ETag of a file that an upload has become, as long as that is known; null where it is not
   * complete.
   *
   * @throws {DomainError} `not_found` for one that is not known at all
   */
  async findDone(
    access: Access,
    uploader: ChunkedUploader,
    path: EntryPath,
  ): Promise<string | null> {
    const part = await this.#lookFor(access, uploader);
    if (!part) return (await this.#completed(access, uploader, path)).etag;
    if (part.path === ROOT || part.announced === undefined) return null;
    const named = findNamed(access, path, { ino: part.ino, length: part.announced });
    return named?.etag ?? null;
  }

  async #completed(
    access: Access,
    uploader: ChunkedUploader,
    path: EntryPath,
  ): Promise<ChunkedFile> {
    const { etag = "" } = await this.#ends.complete(access, uploader, path);
    return { etag };
  }

  async #finish(
    access: Access,
    writer: PartWriter,
    open: OpenChunks,
    { path, length: expected, checksum, modified, formerFiles, around, ...end }: ChunkedEnd,
  ): Promise<ChunkedFile> {
    const { part } = writer;
    const action = `Cannot write "${path}"`;
    const target = access.create(path);
    const options = { mayReplace: end.mayReplace, ifMatch: end.ifMatch, formerFiles };
    checkTarget(target, options, action);
    const chunks: (ChunkPlace & { at?: number })[] = part.isAssembled
      ? [{ name: "", start: 0, length: lengthOf(part) }]
      : await this.#parts.chunks.list(part);
    const length = sumOf(chunks);
    const announced = expected ?? part.announced;
    if (length !== (announced ?? length) || chunks.length === 0 && announced !== 0) {
      const reason = `Chunks on server do not sum up to ${announced ?? "a file"} but to ${length}`;
      throw new DomainError("invalid_body", `${reason} bytes`);
    }
    if (checksum) {
      const known = this.#digests.of(part, chunks);
      const isAdopted = known !== null && checksum.adopt(ownDigest, known.hash);
      await verify(open, isAdopted ? chunks.slice(known.chunks) : chunks, checksum, action);
    }
    const room = await this.#reserve(access, { ...part, path }, length, action, formerFiles);
    using folder = target.open();
    const isInOrder = isContiguous(chunks) && isSameDisk(open.folder, folder);
    using copy = isInOrder ? null : await this.#copy(access, writer, open, target, folder, chunks);
    const temporary = copy ?? open.temporary;
    if (temporary.facts().size > length) temporary.truncate(length);
    // A start, or another request, finds the file by that if it has got its name.
    await writer.save({ path, announced: length, room }, "begun");
    if (modified !== undefined) temporary.setModified(modified);
    return await around(async () => {
      await writer.confirm();
      target.assertInPlace(folder);
      const kept = await commitUpload(temporary, folder, target, options, action);
      await target.sync(folder);
      const growth = growthBy(target, length, kept);
      if (room) await access.allowance?.settle(room.ticket, growth);
      await bestEffort(() => this.#parts.finish(writer.part));
      const place = childOf(target.folderBelowRoot, target.name);
      return { etag: etagOf(temporary.facts()), written: { place } };
    });
  }

  /** Copies the chunks in their order into another hidden file, which is that of the upload then. */
  async #copy(
    access: Access,
    writer: PartWriter,
    open: OpenChunks,
    { folderBelowRoot, fileMode }: WriteHandle,
    folder: OpenFolder,
    chunks: readonly ChunkPlace[],
  ): Promise<TemporaryFile> {
    const length = sumOf(chunks);
    await assertRoom(folder, length, open.action);
    await access.journal?.remember(folderBelowRoot);
    using stack = new DisposableStack();
    const copy = stack.use(new TemporaryFile(folder, open.action, fileMode));
    try {
      for (const chunk of chunks) {
        await copy.append(open.temporary, chunk);
        await writer.confirm();
      }
      await copy.sync();
    } catch (error) {
      throw asRefusal(error, open.action);
    }
    const { name } = copy;
    const { ino } = copy.facts();
    await writer.save(
      { folder: folderBelowRoot, name, ino, announced: length, isAssembled: true },
      "begun",
    );
    copy.keep();
    open.temporary.keep(false);
    stack.move();
    return copy;
  }

  /** @returns the room that is reserved for the upload then */
  async #reserve(
    access: Access,
    { path, announced = 0, room }: UploadPart,
    bytes: number,
    action: string,
    formerFiles?: FormerFiles,
  ): Promise<PartReservation | undefined> {
    if (!access.allowance) return room;
    const whole = Math.max(bytes, announced);
    const growth = path === ROOT
      ? { bytes: whole, files: 1 }
      : await growthOf(access.create(path), whole, formerFiles);
    return await holdReservation(access.allowance, growth, action, room);
  }

  /** @returns null when the file is gone or replaced */
  #open(access: Access, part: UploadPart, how: "shared" | "exclusive"): OpenChunks | null {
    const action = actionOn(part);
    if (part.path === ROOT) access.need(action, "create");
    else access.create(part.path);
    using stack = new DisposableStack();
    const folder = stack.use(this.#gate.enter(SERVER).folder(part.folder).open());
    const info = folder.look(part.name);
    if (!info?.isFile || info.ino !== part.ino) return null;
    const temporary = stack.use(new TemporaryFile(folder, action, undefined, part.name));
    temporary.keep();
    if (!isSameEntry(temporary.facts(), info)) return null;
    if (!temporary.lock(how)) {
      throw new DomainError("locked", `${action}: another request is sending it`);
    }
    const all = stack.move();
    return { action, folder, temporary, [Symbol.dispose]: () => all.dispose() };
  }

  async #find(access: Access, uploader: ChunkedUploader): Promise<UploadPart> {
    const part = await this.#lookFor(access, uploader);
    if (part) return part;
    throw new DomainError("not_found", "Cannot continue the upload: no upload in progress");
  }

  /** The upload, if it is the uploader's and the viewer reaches its folder. */
  async #lookFor(access: Access, uploader: ChunkedUploader): Promise<UploadPart | null> {
    const part = await this.#parts.get(uploader, ROOT);
    const isOwn = part && part.expires > Date.now() && part.begun?.tokenId === uploader.tokenId;
    return isOwn && reaches(access, part.folder) ? part : null;
  }
}

/** The open file of an upload in chunks. */
interface OpenChunks extends Disposable {
  action: string;
  folder: OpenFolder;
  temporary: TemporaryFile;
}

/** The chunks that are being written, in the order of their start. */
function writtenNow({ writers = [] }: UploadPart): ChunkPlace[] {
  return writers.flatMap(({ chunk }) => chunk ?? []);
}

function actionOn({ path }: UploadPart): string {
  return path === ROOT ? "Cannot write the chunk" : `Cannot write "${path}"`;
}

function sumOf(chunks: readonly ChunkPlace[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

function isContiguous(chunks: readonly ChunkPlace[]): boolean {
  let end = 0;
  return chunks.every(({ start, length }) => {
    const isNext = start === end;
    end += length;
    return isNext;
  });
}

/** Whether a rename leads from one folder to the other. */
function isSameDisk(from: OpenFolder, to: OpenFolder): boolean {
  if (isSameEntry(from.facts(), to.facts())) return true;
  return from.facts().dev === to.facts().dev &&
    mounts.pointOf(from.real) === mounts.pointOf(to.real);
}

/**
 * Where in the file a chunk is written: where the client says, where its name says, behind the one
 * before it, or where it would be if all had the same length. Behind all others where that is taken,
 * or beyond the end of the file: then the chunks are copied in the end.
 */
function placeFor(
  { name, length, offset }: SentChunk,
  others: readonly ChunkPlace[],
  maxLength: number,
): ChunkPlace {
  const end = others.reduce((last, each) => Math.max(last, each.start + each.length), 0);
  const start = offset ?? offsetIn(name) ?? expectedStart(name, length, others);
  // Without a length there would be no bound for holes.
  const isInside = maxLength === unknownLength ? start <= end : start + length <= maxLength;
  const isFree = others.every((each) =>
    start + length <= each.start || start >= each.start + each.length || each.length === 0
  );
  return { name, start: isInside && isFree ? start : end, length };
}

/** Fewest digits of a name that is an offset: some clients pad offsets to 15 or 16. */
const offsetDigits = 15;

function offsetIn(name: string): number | undefined {
  const [first = "", last] = name.split("-");
  return last !== undefined || first.length >= offsetDigits ? Number(first) : undefined;
}

function expectedStart(name: string, length: number, others: readonly ChunkPlace[]): number {
  const number = Number(name);
  const numbered = others.map((each) => ({ ...each, number: Number(each.name) }));
  const before = numbered.find((each) => each.number === number - 1);
  if (before) return before.start + before.length;
  const [first] = numbered.sort((a, b) => a.number - b.number);
  if (!first || first.number > number) return Math.max(0, number - 1) * length;
  return first.start + (number - first.number) * first.length;
}

/** @throws {DomainError} `invalid_body`, `body_too_large`, `disk_full`, `locked` */
async function receiveChunk(
  { temporary, action }: OpenChunks,
  { body, length, signal }: SentChunk,
  { start }: ChunkPlace,
  { writer, digest }: { writer: PartWriter; digest: Hash | null },
): Promise<void> {
  let count = 0;
  const admit = async (piece: Uint8Array) => {
    count += piece.length;
    if (count > length) {
      const reason = `it is longer than the ${length} bytes announced`;
      throw new DomainError("body_too_large", `${action}: ${reason}`);
    }
    await writer.confirm();
    digest?.update(piece);
  };
  const ends = signal ? AbortSignal.any([signal, writer.signal]) : writer.signal;
  using watch = new IdleTimeout(() => count, maxStallMs, ends);
  try {
    await temporary.fill(body, action, {
      ...{ start, expectedLength: length, signal: watch.signal, admit },
    });
  } catch (error) {
    throw writer.signal.aborted ? writer.signal.reason : error;
  }
}

/** Uploads whose running digests are kept: those of uploads that lie idle are computed again. */
const maxDigests = 50;

/** The digest of the first chunks of an upload. */
interface RunningDigest {
  hash: Hash;
  /** The end of these chunks, in bytes. */
  end: number;
  /** Which chunks these are: one that comes again is another. */
  chunks: string[];
}

/** The digests of chunks that come in their order, so that MOVE need not read the file again. */
class RunningDigests {
  readonly #all = new LruCache<string, RunningDigest>(maxDigests);

  /** The digest that goes on with a chunk; null for one that is not the next. */
  follow({ name }: UploadPart, { start }: ChunkPlace): Hash | null {
    if (start === 0) return createHash(ownDigest.toLowerCase());
    const known = this.#all.get(name);
    return known?.end === start ? known.hash.copy() : null;
  }

  /** Notes a chunk that has come. @param hash of all up to its end */
  add(
    { name }: UploadPart,
    chunk: ChunkPlace & { at: number },
    hash: Hash,
  ): void {
    const chunks = chunk.start === 0 ? [] : this.#all.get(name)?.chunks ?? [];
    chunks.push(identityOf(chunk));
    this.#all.set(name, { hash, end: chunk.start + chunk.length, chunks });
  }

  /** The digest of the first of some chunks, if these are the same; with their number. */
  of(
    { name }: UploadPart,
    chunks: readonly (ChunkPlace & { at?: number })[],
  ): { hash: Hash; chunks: number } | null {
    const known = this.#all.get(name);
    const isSame = known && known.chunks.length <= chunks.length &&
      known.chunks.every((identity, index) => {
        const chunk = chunks[index];
        return chunk !== undefined && identity === identityOf(chunk);
      });
    return isSame ? { hash: known.hash.copy(), chunks: known.chunks.length } : null;
  }
}

function identityOf({ name, start, length, at = 0 }: ChunkPlace & { at?: number }): string {
  return [name, start, length, at].join(" ");
}

/** Bytes that are read at a time to verify a digest. */
const readBytes = 1024 * 1024;

/** @throws {DomainError} `checksum_mismatch`, `locked` */
async function verify(
  { temporary }: OpenChunks,
  chunks: readonly ChunkPlace[],
  checksum: Verifier,
  action: string,
): Promise<void> {
  try {
    for (const place of chunks) {
      for await (const piece of temporary.read(place, readBytes)) checksum.update(piece);
    }
  } catch (error) {
    throw asRefusal(error, action);
  }
  checksum.verify(action);
}

/** The target of an upload that is to begin. */
function targetOf(access: Access, path: EntryPath, action: string): WriteHandle {
  const target = access.create(path);
  if (target.existing) access.need(`Cannot replace "${path}"`, "modify");
  checkTarget(target, { mayReplace: true }, action);
  return target;
}

/** The folders that the viewer reaches, as the viewer names them. */
function topsOf({ viewer }: Access): EntryPath[] {
  if (viewer.within !== undefined) return [viewer.within];
  return rootsOf(viewer)?.map(({ name }) => childOf(ROOT, name)) ?? [ROOT];
}

/**
 * The folder for the bytes of an upload whose target is not known, below the server root: a rename
 * leads from there to most targets.
 *
 * @throws {DomainError} `forbidden`, `read_only`
 */
function stagingFolder(access: Access, action: string): EntryPath {
  access.need(action, "create");
  const tops = topsOf(access);
  const top = tops.find((path) => !access.isReadOnly(path));
  if (top === undefined) access.needWritable(tops[0] ?? ROOT, action);
  return access.placeOf(access.stat(top ?? ROOT));
}

function reaches(access: Access, folder: EntryPath): boolean {
  return topsOf(access).some((top) => {
    try {
      return isInside(folder, access.placeOf(access.stat(top)));
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  });
}
