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
  const way: { index: number; arrival: DestinationFolder }[] = [];
  for (const [index, folder] of tree.entries()) {
    while (way.length > 0 && way.at(-1)?.index !== folder.parent) way.pop();
    const above = way.at(-1)?.arrival;
    const arrival = above ? enter(above, folder.name, action) : top;
    way.push({ index, arrival });
    if (pauses.isDue) await pauses.pause();
    await checkEntries(folder, arrival, action, pauses);
    if (isRenamed) takeOthers(folder, arrival);
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
  arrival: DestinationFolder,
  action: string,
  pauses: Pauses,
): Promise<void> {
  folder.into = arrival.info && arrival.real;
  for (const [index, file] of folder.files.entries()) {
    if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
    arrival.admit(file.name);
    const there = arrival.entry(file.name);
    if (there && !there.isFile) throw existsError(file.name, action);
    file.replaces = there !== null;
  }
  for (const link of folder.links) {
    arrival.admit(link.name);
    const there = arrival.entry(link.name);
    link.isThere = !!there?.isSymlink && readLink(realChild(arrival.real, link.name)) === link.text;
    if (there && !link.isThere) throw existsError(link.name, action);
  }
}

/** Counts pipes, sockets and devices as files, but for those whose names are taken. */
function takeOthers(folder: ScannedFolder, arrival: DestinationFolder): void {
  const free = new Set(folder.others.filter((name) => {
    arrival.admit(name);
    return !arrival.entry(name);
  }));
  for (const name of free) folder.files.push({ name, replaces: false, copied: null });
  folder.others = folder.others.filter((name) => !free.has(name));
}

function existsError(name: string, action: string): DomainError {
  const text = `${action}: another kind of entry has the name "${name}" at the destination`;
  return new DomainError("exists", text);
}
