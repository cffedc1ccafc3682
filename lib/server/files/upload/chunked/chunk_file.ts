import type { Hash } from "node:crypto";
import { DomainError } from "../../../../shared/errors.ts";
import { ROOT } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";
import type { Gate } from "../../../core/access/gate.ts";
import { asRefusal } from "../../../core/access/os_errors.ts";
import { SERVER } from "../../../core/access/viewer.ts";
import type { OpenFolder } from "../../../core/disk/disk.ts";
import { isSameEntry } from "../../../core/disk/facts.ts";
import type { Body } from "../body_pieces.ts";
import { IdleTimeout, maxStallMs } from "../idle_timeout.ts";
import type { PartWriter } from "../part_writer.ts";
import { TemporaryFile } from "../temporary_file.ts";
import type { ChunkPlace, UploadPart } from "../upload_parts.ts";
import { actionOn, type NamedChunk } from "./chunk_places.ts";

/** The open file of an upload in chunks. */
export interface ChunkFile extends Disposable {
  action: string;
  folder: OpenFolder;
  temporary: TemporaryFile;
}

/**
 * Opens the file of an upload in chunks.
 *
 * @returns null when the file is gone or replaced
 * @throws {DomainError} `forbidden`, `locked`
 */
export function openChunkFile(
  access: Access,
  gate: Gate,
  part: UploadPart,
  how: "shared" | "exclusive",
): ChunkFile | null {
  const action = actionOn(part);
  if (part.path === ROOT) access.needWrite(action);
  else access.write(part.path);
  using stack = new DisposableStack();
  const folder = stack.use(gate.enter(SERVER).folder(part.folder).open());
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

/** A chunk that a request brings. */
export interface SentChunk extends NamedChunk {
  body: Body | null;
  signal?: AbortSignal;
}

/**
 * Writes a chunk at its place.
 *
 * @param digest of all before the chunk, which goes on with it
 * @throws {DomainError} `invalid_body`, `body_too_large`, `disk_full`, `locked`
 */
export async function receiveChunk(
  { temporary, action }: ChunkFile,
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
  };
  const onPiece = digest ? (piece: Uint8Array) => void digest.update(piece) : undefined;
  const ends = signal ? AbortSignal.any([signal, writer.signal]) : writer.signal;
  using watch = new IdleTimeout(() => count, maxStallMs, ends);
  try {
    await temporary.fill(body, action, {
      ...{ start, expectedLength: length, signal: watch.signal, admit, onPiece },
    });
  } catch (error) {
    throw writer.signal.aborted ? writer.signal.reason : error;
  }
}

/** Bytes that are read at a time to verify a digest. */
const readBytes = 1024 * 1024;

/** Hands the bytes of chunks to a digest, in their order. @throws {DomainError} */
export async function digestChunks(
  { temporary, action }: ChunkFile,
  chunks: readonly ChunkPlace[],
  digest: { update(piece: Uint8Array<ArrayBuffer>): void },
): Promise<void> {
  try {
    for (const place of chunks) {
      for await (const piece of temporary.read(place, readBytes)) digest.update(piece);
    }
  } catch (error) {
    throw asRefusal(error, action);
  }
}
