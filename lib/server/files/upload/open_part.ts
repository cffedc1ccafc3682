import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import { SERVER } from "../../core/access/viewer.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, isInside, ROOT } from "../../../shared/path.ts";
import { freePath } from "./free_path.ts";
import { TemporaryFile } from "./temporary_file.ts";
import type { UploadPart } from "./upload_parts.ts";

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
  try {
    return gate.enter(SERVER).folder(folder).open();
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}
