import {
  type Attributes,
  DiskError,
  type OpenFile,
  type OpenFolder,
  type Watch,
  type WatchListener,
} from "../disk/disk.ts";
import { type DirectoryEntry, type EntryKind, type Facts, unknownFacts } from "../disk/facts.ts";
import { mounts } from "../disk/mounts.ts";
import { disk } from "../disk/this_disk.ts";
import { foldName } from "../../../shared/fold.ts";
import type { Locator } from "./locator.ts";
import { belowScope, type Bounds } from "./scopes.ts";
import { asRefusal } from "./os_errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { virtualTop } from "./names.ts";
import { realChild, type RealPath } from "../disk/real_path.ts";
import { followLink, type LinkTarget } from "./resolve.ts";
import { type DiskSpelling, foldsNames } from "./disk_spelling.ts";
import type { NamedRoot } from "../../../shared/schemas/named_root.ts";

/** An entry of a folder, as far as it is known without a stat call. */
export interface Child {
  name: string;
  /** Of the entry itself: a link is a link. */
  kind: EntryKind;
  /** A folder, or a link to one. */
  isFolder: boolean;
  /** The target of a link. For one that leads out of the bounds nothing more is known. */
  target: LinkTarget | null;
}

/** The place at which a folder was found. */
export interface FolderPlace {
  locator: Locator;
  path: EntryPath;
  real: RealPath;
  bounds: Bounds;
}

/** Decides about the entries of one folder. */
export interface FolderVisibility {
  /** Whether the viewer may know of an entry; the target of a link is not checked. */
  allows: (entry: Pick<DirectoryEntry, "name" | "ino">) => boolean;
  /** The folder, or one above it, takes several spellings for the same name. */
  caseInsensitive: boolean;
}

/**
 * Opens a folder, which the caller closes.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function openFolder(
  { locator, path, real }: Pick<FolderPlace, "locator" | "path" | "real">,
): OpenFolder {
  try {
    return real === virtualTop ? new VirtualTop(locator) : disk.folder(real);
  } catch (error) {
    throw asRefusal(error, `Cannot read the folder "${path}"`);
  }
}

/**
 * Prepares the decisions about names, both for the requested path and, behind a link, for the real
 * one.
 *
 * @param spelling of the folder itself
 * @param open the folder and its entries; null for one that is not there yet
 */
export function visibilityOf(
  { locator, path, real, bounds }: FolderPlace,
  spelling: DiskSpelling,
  open: { folder: OpenFolder; entries: DirectoryEntry[] } | null,
): FolderVisibility {
  const caseInsensitive = spelling.caseInsensitive ||
    (open !== null && locator.visibility().hasRules && foldsEntries(open.folder, open.entries));
  const visibility = locator.visibility(caseInsensitive);
  const tests = [visibility.allowsIn(locator.inScope(path))];
  // Without rules, names alone matter.
  if (visibility.hasRules) {
    const behind = belowScope(spelling.real, bounds);
    if (behind !== locator.inScope(path)) tests.push(visibility.allowsIn(behind));
  }
  const { reserved } = locator;
  const reservedNames = reserved.namesIn(real);
  const { inodes } = reserved;
  const isReserved = ({ name, ino }: Pick<DirectoryEntry, "name" | "ino">) => {
    if (reservedNames.size > 0 && reservedNames.has(foldName(name))) return true;
    const facts = inodes.has(ino) ? open?.folder.look(name) : null;
    return !!facts && reserved.is(facts);
  };
  return {
    allows: (entry) => tests.every((allows) => allows(entry.name)) && !isReserved(entry),
    caseInsensitive,
  };
}

/** An entry as the viewer may know it; null for a link to what the viewer may not know of. */
export function childOfEntry(
  { locator, real, bounds }: FolderPlace,
  { name, kind }: Pick<DirectoryEntry, "name" | "kind">,
): Child | null {
  if (kind !== "link") return { name, kind, isFolder: kind === "folder", target: null };
  const target = followLink(realChild(real, name), bounds.base);
  if (target.kind === "outside") return { name, kind, isFolder: false, target };
  if (!locator.allowsTarget(target, bounds)) return null;
  const isFolder = target.kind === "inside" && target.info.isDirectory;
  return { name, kind, isFolder, target };
}

/**
 * Facts about an entry: about a link's target, or about the link when it is broken or leads out;
 * null when it is gone. For the mount point of a slow or broken disk only its existence is known.
 *
 * @param folder the open folder that holds it
 */
export function factsOfChild(
  { path, real }: Pick<FolderPlace, "path" | "real">,
  child: Child,
  folder: OpenFolder,
): Facts | null {
  if (child.target?.kind === "inside") return child.target.info;
  try {
    const info = folder.look(child.name);
    // A link that was no link when the folder was read: its target is unknown.
    return info?.isSymlink && !child.target ? null : info;
  } catch (error) {
    if (mounts.isPoint(realChild(real, child.name))) return unknownFacts(child.kind);
    throw asRefusal(error, `Cannot read the folder "${path}"`);
  }
}

function foldsEntries(folder: OpenFolder, entries: DirectoryEntry[]): boolean {
  const telling = entries.find(({ name }) =>
    /[a-z]/i.test(name) && !mounts.isPoint(realChild(folder.real as RealPath, name))
  );
  return telling !== undefined && foldsNames(folder, telling.name);
}

/**
 * The folder in which a viewer finds the named roots. It is on no disk: its entries are the roots
 * whose folders are there, and every change of it is refused.
 */
class VirtualTop implements OpenFolder {
  readonly real = virtualTop;
  readonly #locator: Locator;

  constructor(locator: Locator) {
    this.#locator = locator;
  }

  facts(): Facts {
    return unknownFacts("folder");
  }

  look(name: string): Facts | null {
    const root = this.#roots.find((each) => each.name === name);
    return root ? this.#locator.scopes.look(root) : null;
  }

  entries(): DirectoryEntry[] {
    return this.#roots.flatMap((root): DirectoryEntry[] => {
      const info = this.#locator.scopes.look(root);
      return info ? [{ name: root.name, kind: "folder", ino: info.ino ?? 0 }] : [];
    });
  }

  entriesInParts(): DirectoryEntry[][] {
    return [this.entries()];
  }

  folder(name: string): OpenFolder {
    const root = this.#roots.find((each) => each.name === name);
    if (!root) throw new DiskError("ENOENT", "open");
    return disk.folder(this.#locator.scopes.bounds(`Cannot open "${name}"`, root).base);
  }

  /** Which roots there are changes with their user alone, and that ends what the user has open. */
  watch(_listener: WatchListener): Watch {
    return { queue: null, report() {}, [Symbol.dispose]: () => {} };
  }

  free(): Promise<number> {
    return Promise.resolve(Infinity);
  }

  usage(): Promise<{ total: number; used: number }> {
    return Promise.resolve({ total: 0, used: 0 });
  }

  lock(): boolean {
    return refuse();
  }

  readLink(): string {
    throw new DiskError("EINVAL", "readlink");
  }

  file(): OpenFile {
    return refuse();
  }

  makeFolder(): void {
    refuse();
  }

  makeLink(): void {
    refuse();
  }

  unnamedFile(): null {
    return null;
  }

  addName(): void {
    refuse();
  }

  rename(): void {
    refuse();
  }

  renameToFree(): void {
    refuse();
  }

  removeFile(): void {
    refuse();
  }

  removeFolder(): void {
    refuse();
  }

  attributes(): Attributes {
    return new Map();
  }

  setAttribute(): void {
    refuse();
  }

  setMode(): void {
    refuse();
  }

  setOwner(): void {
    refuse();
  }

  setTimes(): void {
    refuse();
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  syncAll(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.dispose](): void {}

  get #roots(): readonly NamedRoot[] {
    return this.#locator.viewer.roots ?? [];
  }
}

function refuse(): never {
  throw new DiskError("EPERM", "virtual top");
}
