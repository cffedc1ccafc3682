import { ChildFile, factsOf, hasChanged } from "../access/child_file.ts";
import type { Child, FolderHandle } from "../access/folder_handle.ts";
import { childOf } from "../access/path.ts";
import type { PatientSteps } from "../walk/slices.ts";
import type { Container } from "./container.ts";
import { safeNames } from "./entry_names.ts";
import type { Tree } from "./tree.ts";

/** An entry of a folder, and its name in the archive. */
interface Named {
  child: Child;
  name: string;
}

/**
 * Puts all of a tree into a container: in each folder the files first, then the folders in it, each
 * by the plain order of their names, so that the same tree always gives the same archive. Links are
 * left out, and so are pipes, sockets, devices, and what the viewer may not know of.
 *
 * @throws {DomainError} when something that was there is gone before it is its turn, and what the
 * container throws
 */
export function* walkTree(tree: Tree, into: Container): PatientSteps<void> {
  for (const { source, name } of tree.files) yield* into.file(name, source) ?? [];
  for (const { handle, name } of tree.folders) {
    if (name !== "") yield* into.folder(name, factsOf(handle.info)) ?? [];
    yield;
    yield* walkFolder(handle, name === "" ? "" : `${name}/`, into);
  }
}

function* walkFolder(folder: FolderHandle, prefix: string, into: Container): PatientSteps<void> {
  const entries = entriesOf(folder, prefix);
  yield;
  const inner: Named[] = [];
  for (const entry of entries) {
    if (entry.child.isFolder) {
      inner.push(entry);
      continue;
    }
    const info = folder.stat(entry.child);
    if (!info) throw gone(folder, entry);
    if (!info.isFile) continue;
    yield* into.file(entry.name, new ChildFile(folder, entry.child.name, factsOf(info))) ?? [];
    yield;
  }
  for (const entry of inner) {
    const below = folder.enter(entry.child);
    if (!below) throw gone(folder, entry);
    yield* into.folder(entry.name, factsOf(below.info)) ?? [];
    yield;
    yield* walkFolder(below, `${entry.name}/`, into);
  }
}

function entriesOf(folder: FolderHandle, prefix: string): Named[] {
  const { children } = folder.read();
  const own = new Map<string, Child>();
  for (const child of children) if (!child.target) own.set(child.name, child);
  // Sorting texts is several times faster than sorting what they stand for.
  const names = [...own.keys()].sort();
  const safe = safeNames(names);
  const entries: Named[] = [];
  names.forEach((name, index) => {
    const child = own.get(name);
    if (child) entries.push({ child, name: prefix + safe[index] });
  });
  return entries;
}

function gone(folder: FolderHandle, { child }: Named): Error {
  return hasChanged(childOf(folder.path, child.name));
}
