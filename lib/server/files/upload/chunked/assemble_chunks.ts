import type { Hash } from "node:crypto";
import { DomainError } from "../../../../shared/errors.ts";
import { childOf, type EntryPath } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";
import { asRefusal } from "../../../core/access/os_errors.ts";
import type { WriteHandle } from "../../../core/access/write_handle.ts";
import type { OpenFolder } from "../../../core/disk/disk.ts";
import { isSameEntry } from "../../../core/disk/facts.ts";
import { mounts } from "../../../core/disk/mounts.ts";
import { bestEffort } from "../../../core/kv/best_effort.ts";
import { etagOf } from "../../content/open_content.ts";
import { commitUpload, type FormerFiles } from "../commit_upload.ts";
import { assertRoom, growthBy } from "../growth.ts";
import { chunksReservation } from "../part_reservation.ts";
import type { PartWriter } from "../part_writer.ts";
import { TemporaryFile } from "../temporary_file.ts";
import { checkTarget } from "../upload.ts";
import { type ChunkPlace, lengthOf, type UploadPart, type UploadParts } from "../upload_parts.ts";
import { type ChunkFile, digestChunks } from "./chunk_file.ts";
import { isContiguous, totalLength } from "./chunk_places.ts";
import { type DatedChunk, ownDigest, type RunningDigests } from "./running_digests.ts";

/** Computes a digest of bytes, and compares it with an expected one. */
interface Verifier {
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

/** The stores of uploads in chunks. */
interface ChunkStores {
  parts: UploadParts;
  digests: RunningDigests;
}

/**
 * Makes the chunks of an upload the file at its target.
 *
 * @throws {DomainError} `invalid_body`, `checksum_mismatch`, `exists`, `is_folder`, `not_a_file`,
 * `forbidden`, `locked`, `disk_full`, `over_quota`
 */
export async function assembleChunks(
  { parts, digests }: ChunkStores,
  access: Access,
  writer: PartWriter,
  open: ChunkFile,
  { path, length: expected, checksum, modified, around, ...options }: ChunkedEnd,
): Promise<ChunkedFile> {
  const { part } = writer;
  const action = `Cannot write "${path}"`;
  const target = access.write(path);
  checkTarget(target, options, action);
  const chunks = await chunksOf(parts, part);
  const length = totalLength(chunks);
  const announced = expected ?? part.announced;
  if (length !== (announced ?? length) || chunks.length === 0 && announced !== 0) {
    const reason = `Chunks on server do not sum up to ${announced ?? "a file"} but to ${length}`;
    throw new DomainError("invalid_body", `${reason} bytes`);
  }
  const known = digests.of(part, chunks);
  const isAsked = checksum?.adopt(ownDigest, known.hash) ?? false;
  digests.learn(part, isAsked);
  if (checksum) {
    const left = isAsked ? chunks.slice(known.chunks) : chunks;
    await digestChunks({ ...open, action }, left, checksum);
    checksum.verify(action);
  }
  const room = await chunksReservation(
    access,
    { ...part, path },
    length,
    action,
    options.formerFiles,
  );
  using folder = target.open();
  const isInPlace = isContiguous(chunks) && isSameDisk(open.folder, folder);
  using copy = isInPlace ? null : await copyChunks(access, writer, open, target, folder, chunks);
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
    await bestEffort(() => parts.finish(writer.part));
    const place = childOf(target.folderBelowRoot, target.name);
    return { etag: etagOf(temporary.facts()), written: { place } };
  });
}

async function chunksOf(parts: UploadParts, part: UploadPart): Promise<DatedChunk[]> {
  if (part.isAssembled) return [{ name: "", start: 0, length: lengthOf(part) }];
  return await parts.chunks.list(part);
}

/** Whether a rename leads from one folder to the other. */
function isSameDisk(from: OpenFolder, to: OpenFolder): boolean {
  if (isSameEntry(from.facts(), to.facts())) return true;
  return from.facts().dev === to.facts().dev &&
    mounts.pointOf(from.real) === mounts.pointOf(to.real);
}

/** Copies the chunks in their order into another hidden file, which is that of the upload then. */
async function copyChunks(
  access: Access,
  writer: PartWriter,
  open: ChunkFile,
  { folderBelowRoot, fileMode }: WriteHandle,
  folder: OpenFolder,
  chunks: readonly ChunkPlace[],
): Promise<TemporaryFile> {
  const length = totalLength(chunks);
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
