import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import { SERVER } from "../../core/access/viewer.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, isInside, ROOT } from "../../../shared/path.ts";
import { freePath } from "./free_path.ts";
import type { Body } from "./body_pieces.ts";
import { TemporaryFile } from "./temporary_file.ts";
import type { UploadPart } from "./upload_parts.ts";
import { createHash } from "node:crypto";
import { IdleTimeout, maxStallMs } from "./idle_timeout.ts";

/** An upload whose folder and file are open. */
export interface OpenPart extends Disposable {
  action: string;
  /** The name that it is for; of a visitor's the first free one as of now. */
  target: WriteHandle;
  /** Holds the file; of a visitor's upload not always the folder of the target. */
  folder: OpenFolder;
  temporary: TemporaryFile;
}

/**
 * Opens the part of an upload that has arrived.
 *
 * @returns null when the file is gone or replaced, or no longer where the path leads
 * @throws {DomainError} `forbidden`
 */
export function openPart(access: Access, gate: Gate, part: UploadPart): OpenPart | null {
  const action = `Cannot write "${part.path}"`;
  const target = access.create(targetPath(access, part));
  using stack = new DisposableStack();
  const open = part.upload === undefined ? openTarget : openOwn;
  const folder = open(access, gate, target, part);
  if (!folder) return null;
  stack.use(folder);
  const info = folder.look(part.name);
  // The number of the device is another on each machine.
  if (!info?.isFile || info.ino !== part.ino || info.size > part.length) return null;
  const temporary = stack.use(new TemporaryFile(folder, action, undefined, part.name));
  temporary.keep();
  if (!isSameEntry(temporary.facts(), info)) return null;
  const all = stack.move();
  return { action, target, folder, temporary, [Symbol.dispose]: () => all.dispose() };
}

/** The path that an upload is for; a visitor's never has the name of another entry. */
export function targetPath(access: Access, { path, upload }: UploadPart): EntryPath {
  return upload === undefined ? path : freePath(access, path);
}

/** A user's part lies beside its target. */
function openTarget(
  _access: Access,
  _gate: Gate,
  target: WriteHandle,
  part: UploadPart,
): OpenFolder | null {
  const isInPlace = !target.lacksParents && target.folderBelowRoot === part.folder;
  return isInPlace ? target.open() : null;
}

/** A visitor's part lies where no folder had to be made for it, in what the visitor was given. */
function openOwn(
  access: Access,
  gate: Gate,
  _target: WriteHandle,
  { folder }: UploadPart,
): OpenFolder | null {
  if (!isInside(folder, access.placeOf(access.stat(ROOT)))) return null;
  return unlessRefused(() => gate.enter(SERVER).folder(folder).open(), "not_found");
}

/** The next bytes of a resumable upload. */
export interface PartBody {
  body: Body | null;
  /** Where in the file they begin. */
  offset: number;
  /** Their number, if it is known. */
  expectedLength?: number;
  /** Their expected digest; without it all bytes that came count, also when they break off. */
  checksum?: { algorithm: string; digest: Uint8Array };
  signal?: AbortSignal;
}

/** Called while the bytes of a part come. */
interface PartSteps {
  /** Before bytes are written, with the size that the file has then; throws to refuse them. */
  admit(size: number): Promise<void>;
  /** Aborted with a DomainError when the bytes must end. */
  signal: AbortSignal;
}

/**
 * Writes the bytes of a part to its file.
 *
 * @throws {DomainError} `body_too_large`, `invalid_body` when they break off, `checksum_mismatch`,
 * `disk_full`, and what the steps throw
 */
export async function receivePart(
  temporary: TemporaryFile,
  { length }: UploadPart,
  { body, offset, expectedLength, checksum, signal }: PartBody,
  { admit, signal: ending }: PartSteps,
  action: string,
): Promise<void> {
  const remaining = length - offset;
  const tooLargeError = () =>
    new DomainError("body_too_large", `${action}: it is longer than the ${length} bytes announced`);
  if ((expectedLength ?? 0) > remaining) throw tooLargeError();
  const hash = checksum && createHash(checksum.algorithm);
  let count = 0;
  const check = async (piece: Uint8Array) => {
    count += piece.length;
    if (count > remaining) throw tooLargeError();
    await admit(offset + count);
    hash?.update(piece);
  };
  const ends = signal ? AbortSignal.any([signal, ending]) : ending;
  using watch = new IdleTimeout(() => count, maxStallMs, ends);
  try {
    const options = { start: offset, expectedLength, signal: watch.signal, admit: check };
    await temporary.fill(body, action, options);
  } catch (error) {
    if (checksum || count > remaining) temporary.truncate(offset);
    throw ending.aborted ? ending.reason : error;
  }
  if (!checksum || !hash || isEqual(hash.digest(), checksum.digest)) return;
  temporary.truncate(offset);
  throw new DomainError("checksum_mismatch", `${action}: checksum mismatch`);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
