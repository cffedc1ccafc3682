import type { DestinationFolder } from "../../access/destination_folder.ts";
import { realChild } from "../../disk/real_path.ts";
import { readLink } from "../../access/resolve.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { ScannedFolder, ScannedTree } from "./scan.ts";
import type { Pauses } from "../../concurrency/pauses.ts";

/** Entries checked between two pauses. */
const stride = 512;

/**
 * Checks whether a folder's whole subtree may be at the destination, and finds existing folders
 * there: those are merged, and files replace files. A file never replaces a folder or a link, nor a
 * folder a file. Pipes, sockets and devices replace nothing: those whose names are taken stay.
 *
 * @param isRenamed whether entries are renamed, as pipes, sockets and devices can be, and not copied
 * @throws {DomainError} `forbidden`, `exists`; `not_supported` for a mount point
 */
export async function checkDestination(
  tree: ScannedTree,
  top: DestinationFolder,
  isRenamed: boolean,
  action: string,
  pauses: Pauses,
): Promise<void> {
  const stack: { index: number; destination: DestinationFolder }[] = [];
  for (const [index, folder] of tree.entries()) {
    while (stack.length > 0 && stack.at(-1)?.index !== folder.parent) stack.pop();
    const above = stack.at(-1)?.destination;
    const destination = above ? enter(above, folder.name, action) : top;
    stack.push({ index, destination });
    if (pauses.isDue) await pauses.pause();
    await checkEntries(folder, destination, action, pauses);
    if (isRenamed) takeOthers(folder, destination);
  }
}

function enter(above: DestinationFolder, name: string, action: string): DestinationFolder {
  above.admit(name);
  const there = above.entry(name);
  if (there && !there.isDirectory) throw existsError(name, action);
  if (there && there.dev !== above.info?.dev) {
    throw new DomainError("not_supported", `${action}: "${name}" there is another disk`);
  }
  return above.below(name);
}

async function checkEntries(
  folder: ScannedFolder,
  destination: DestinationFolder,
  action: string,
  pauses: Pauses,
): Promise<void> {
  folder.into = destination.info && destination.real;
  for (const [index, file] of folder.files.entries()) {
    if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
    destination.admit(file.name);
    const there = destination.entry(file.name);
    if (there && !there.isFile) throw existsError(file.name, action);
    file.replaces = there !== null;
  }
  for (const link of folder.links) {
    destination.admit(link.name);
    const there = destination.entry(link.name);
    link.isThere = !!there?.isSymlink &&
      readLink(realChild(destination.real, link.name)) === link.text;
    if (there && !link.isThere) throw existsError(link.name, action);
  }
}

/** Counts pipes, sockets and devices as files, but for those whose names are taken. */
function takeOthers(folder: ScannedFolder, destination: DestinationFolder): void {
  const free = new Set(folder.others.filter((name) => {
    destination.admit(name);
    return !destination.entry(name);
  }));
  for (const name of free) folder.files.push({ name, replaces: false, copied: null });
  folder.others = folder.others.filter((name) => !free.has(name));
}

function existsError(name: string, action: string): DomainError {
  const text = `${action}: another kind of entry has the name "${name}" at the destination`;
  return new DomainError("exists", text);
}
