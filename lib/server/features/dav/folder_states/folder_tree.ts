import { createHash } from "node:crypto";
import { DomainError } from "../../../../shared/errors.ts";
import {
  childOf,
  type EntryPath,
  isInside,
  relativePath,
  ROOT,
  segmentsOf,
} from "../../../../shared/path.ts";
import type { FolderHandle } from "../../../core/access/folder_handle.ts";
import { isTemporaryName } from "../../../core/access/names.ts";
import { SearchFolder } from "../../../core/access/search_folder.ts";
import type { Pauses } from "../../../core/concurrency/pauses.ts";
import { DiskError } from "../../../core/disk/disk.ts";
import { exactStateText, type Facts, isSettled } from "../../../core/disk/facts.ts";
import { mounts } from "../../../core/disk/mounts.ts";
import { pathBelow, type RealPath } from "../../../core/disk/real_path.ts";
import { etagOf } from "../../../files/content/open_content.ts";
import type { FolderWatches } from "./folder_watches.ts";

/** A check is not repeated for so many times as long as the next one will take. */
const rest = 50;

/** The time that a look at one folder takes, in milliseconds, before any was measured. */
const usualLookMs = 0.01;

/** Bytes of a digest. */
const digestBytes = 16;

/** What a tree shares with others. */
export interface Shared {
  watches: Pick<FolderWatches, "watch" | "has">;
  /** Most folders of all trees, about 300 bytes each. */
  maxFolders: number;
  /** The folders of all trees. */
  folders: number;
}

/** A folder as a viewer may see it, with what was found at the last look. */
export interface KnownFolder {
  name: string;
  parent: KnownFolder | null;
  /** Subfolders that are not links, sorted by name. */
  children: KnownFolder[];
  /** Whether names of its subfolders may be spelled in several ways. */
  caseInsensitive: boolean;
  /** Its own facts before it was read; "" when it has to be read again. */
  state: string;
  /** Digest of what is right in it, without subfolders; "" before it was read. */
  own: string;
  /** Bytes of the files right in it. */
  ownBytes: number;
  /** The names of links to folders right in it. */
  links: readonly string[];
  /** Number of such links, in it and below. */
  linkCount: number;
  /** Digest with all below; null when it has to be computed again. */
  digest: string | null;
  /** Bytes with all below. */
  bytes: number;
  /** Number of folders, with this one. */
  count: number;
  /** When the last check of all below began, by `performance.now()`. */
  checkedAt: number;
  /** When a change in it, or below it, was reported. */
  toldAt: number;
  watch: Disposable | null;
  /** The inode that is watched: another folder may take its place. */
  watchedIno: number | null;
}

/**
 * The folders below one, as viewers of one kind may see them, each with a digest of all below it: a
 * Merkle tree. A check looks at each folder once; only folders that have changed are read again.
 */
export class FolderTree {
  readonly top: KnownFolder;
  readonly #shared: Shared;
  #start: FolderHandle;
  #lookMs = usualLookMs;
  /** Number of folders that were read. */
  #reads = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(start: FolderHandle, shared: Shared) {
    this.#start = start;
    this.#shared = shared;
    this.top = this.#add("", null, false);
  }

  /** Takes the folder as a later request has entered it. */
  enter(start: FolderHandle): void {
    this.#start = start;
  }

  /**
   * Checks a folder with all below it, unless that was done just now.
   *
   * @param path below the top
   * @returns null when it is not there
   * @throws the reason of the pauses' signal
   */
  async checked(path: EntryPath, pauses: Pauses): Promise<KnownFolder | null> {
    // One check at a time: those that wait mostly find all done.
    const turn = this.#running.then(async () => {
      await pauses.pause();
      const found = this.#find(path);
      if (!found || this.#isFresh(found.folder)) return found?.folder ?? null;
      const [begun, reads] = [performance.now(), this.#reads];
      await pauses.between(this.#check(found.folder, found.at, pauses));
      if (this.#reads === reads) this.#measure(found.folder.count, performance.now() - begun);
      return found.folder;
    });
    this.#running = turn.catch(() => {});
    return await turn;
  }

  /**
   * Takes a change that the server itself has made.
   *
   * @param place of the entry, below the server root
   */
  tell(place: EntryPath): void {
    const { real, locator } = this.#start;
    const topPlace = pathBelow(real, locator.spec.root);
    if (!isInside(place, topPlace)) return;
    let folder = this.top;
    for (const name of segmentsOf(relativePath(place, topPlace))) {
      const child = childIn(folder, name);
      if (!child) break;
      folder = child;
    }
    touch(folder);
    if (folder.parent) touch(folder.parent);
  }

  /** Has the next question check everything, as another machine has changed something. */
  expire(): void {
    this.top.toldAt = performance.now();
    for (const folder of this.folders()) folder.toldAt = this.top.toldAt;
  }

  /**
   * Whether a watch tells of all that may change the state of a folder: all folders in it are
   * watched, were at rest when they were read, hold no links, and lie on a disk of this machine.
   */
  isWatched(folder: KnownFolder): boolean {
    const at = this.#placeOf(folder);
    if (!at || !mounts.isKnown || mounts.concerning(at.real, "below").length > 0) return false;
    for (const { state, watch } of foldersFrom(folder)) {
      if (state === "" || !this.#shared.watches.has(watch)) return false;
    }
    return true;
  }

  /** All folders, each before those in it; those that come or go meanwhile may be left out. */
  folders(): Generator<KnownFolder, void> {
    return foldersFrom(this.top);
  }

  /** Reads a folder again, as files may have changed without it. */
  reread(folder: KnownFolder): void {
    const at = this.#placeOf(folder);
    const info = at && lookAt(at);
    if (!at || !info) return;
    this.#read(folder, at, info);
    if (folder.digest === null) tellAbove(folder);
  }

  /** Ends all watches. */
  close(): void {
    this.#drop(this.top);
  }

  #add(name: string, parent: KnownFolder | null, caseInsensitive: boolean): KnownFolder {
    this.#shared.folders++;
    return {
      ...{ name, parent, caseInsensitive, children: [], state: "", own: "", ownBytes: 0 },
      ...{
        links: none,
        linkCount: 0,
        digest: null,
        bytes: 0,
        count: 1,
        checkedAt: -Infinity,
        toldAt: -Infinity,
      },
      ...{ watch: null, watchedIno: null },
    };
  }

  #drop(folder: KnownFolder): void {
    const queue = [folder];
    for (let each = queue.pop(); each; each = queue.pop()) {
      this.#shared.folders--;
      each.watch?.[Symbol.dispose]();
      each.watch = null;
      each.parent = null;
      for (const child of each.children) queue.push(child);
    }
  }

  /** A folder, with those on the way to it, which are read where they are not known. */
  #find(path: EntryPath): { folder: KnownFolder; at: SearchFolder } | null {
    let folder = this.top;
    let at = SearchFolder.of(this.#start);
    for (const name of segmentsOf(path)) {
      let child = folder.own === "" ? null : childIn(folder, name);
      if (!child) {
        const info = lookAt(at);
        if (info) this.#read(folder, at, info);
        child = childIn(folder, name);
      }
      if (!child) return null;
      at = at.branch(name, folder.caseInsensitive);
      folder = child;
    }
    return { folder, at };
  }

  #placeOf(folder: KnownFolder): SearchFolder | null {
    const names: string[] = [];
    let at = folder;
    for (; at.parent; at = at.parent) names.push(at.name);
    if (at !== this.top) return null;
    const path = names.reverse().reduce<EntryPath>(childOf, ROOT);
    const { spelling } = this.#start;
    const caseInsensitive = folder.parent?.caseInsensitive ?? spelling.caseInsensitive;
    return SearchFolder.below(this.#start, path, caseInsensitive);
  }

  #isFresh({ checkedAt, toldAt, count, digest }: KnownFolder): boolean {
    if (digest === null || toldAt >= checkedAt) return false;
    return performance.now() - checkedAt < rest * count * this.#lookMs;
  }

  /** Measures how long a look takes, by a check that has read nothing. */
  #measure(count: number, ms: number): void {
    const each = Math.min(ms / count, 10 * usualLookMs);
    this.#lookMs = Math.min(each, this.#lookMs * 0.8 + each * 0.2);
  }

  *#check(folder: KnownFolder, at: SearchFolder, pauses: Pauses): Generator<void, void> {
    if (pauses.isDue) yield;
    // Meanwhile others may have found that it is gone.
    if (folder !== this.top && !folder.parent) return;
    const begun = performance.now();
    const info = lookAt(at);
    if (!info || folder.state === "" || folder.state !== exactStateText(info)) {
      this.#read(folder, at, info);
    }
    for (const child of [...folder.children]) {
      yield* this.#check(child, at.branch(child.name, folder.caseInsensitive), pauses);
    }
    if (folder.digest === null) sum(folder);
    folder.checkedAt = begun;
    if (this.#shared.folders > this.#shared.maxFolders) this.#forgetBelow(folder);
  }

  /** Keeps the digest alone of a folder: the next check reads all below it again. */
  #forgetBelow(folder: KnownFolder): void {
    for (const child of folder.children) this.#drop(child);
    folder.children = [];
    folder.state = "";
  }

  /** @param info of the folder; null when it is gone */
  #read(folder: KnownFolder, at: SearchFolder, info: Facts | null): void {
    const readAt = Date.now();
    this.#reads++;
    if (info) this.#keepWatched(folder, at, info);
    const { content, branches, links, bytes, isLasting, caseInsensitive } = contentOf(at, info);
    const own = digestOf(content);
    const known = new Map(folder.children.map((child) => [child.name, child]));
    const children = branches.sort().map((name) => {
      const child = known.get(name) ?? this.#add(name, folder, false);
      known.delete(name);
      return child;
    });
    for (const gone of known.values()) this.#drop(gone);
    const isSame = own === folder.own && bytes === folder.ownBytes && known.size === 0 &&
      children.length === folder.children.length;
    if (!isSame) outdate(folder);
    Object.assign(folder, { own, ownBytes: bytes, links, children, caseInsensitive });
    folder.state = info && isLasting && isSettled(info, readAt) ? exactStateText(info) : "";
  }

  #keepWatched(folder: KnownFolder, at: SearchFolder, { ino }: Facts): void {
    const { watches } = this.#shared;
    if (folder.watchedIno === ino && watches.has(folder.watch)) return;
    folder.watch?.[Symbol.dispose]();
    folder.watchedIno = ino;
    folder.watch = watches.watch(at, (name) => {
      // Our own temporary files are in no listing.
      if (name === null || !isTemporaryName(name)) touch(folder);
      if (name === "") folder.watchedIno = null;
    });
  }
}

function* foldersFrom(top: KnownFolder): Generator<KnownFolder, void> {
  const queue = [top];
  for (let folder = queue.pop(); folder; folder = queue.pop()) {
    yield folder;
    for (const child of folder.children) queue.push(child);
  }
}

/** Shared by all folders without links. */
const none: readonly string[] = [];

/** What is right in a folder. */
interface FolderContent {
  /** Names and states of entries that are no folders of the tree, as a text. */
  content: string;
  /** The names of the subfolders to go on with. */
  branches: string[];
  /** The names of links to folders. */
  links: readonly string[];
  bytes: number;
  /** Whether it stays while the folder itself does: not so with links, whose targets may change. */
  isLasting: boolean;
  caseInsensitive: boolean;
}

function contentOf(at: SearchFolder, info: Facts | null): FolderContent {
  const { caseInsensitive } = at;
  const empty = { branches: [], links: none, bytes: 0, isLasting: true, caseInsensitive };
  if (!info) return { ...empty, content: "gone" };
  try {
    const { hits, branches } = at.pick(() => true);
    const entered = branches.filter(({ real }) => !isOnSlowDisk(real));
    const others = hits.filter(({ kind, target }) =>
      kind !== "folder" && kind !== "other" && (target === null || target.kind === "inside")
    );
    const lines: string[] = [];
    const links: string[] = [];
    let bytes = 0;
    for (const { child: { name }, info } of others.length > 0 ? at.look(others) : []) {
      if (info.isDirectory) {
        links.push(name);
        lines.push(`${name}\0link ${info.ino}`);
      }
      if (!info.isFile) continue;
      lines.push(`${name}\0${etagOf(info)}`);
      bytes += info.size;
    }
    // Folders that cannot be entered here.
    for (const branch of branches) {
      if (!entered.includes(branch)) lines.push(`${nameOfBranch(branch)}\0`);
    }
    return {
      content: lines.sort().join("\n"),
      branches: entered.map(nameOfBranch),
      links: links.length === 0 ? none : links.sort(),
      bytes,
      isLasting: !hits.some(({ target }) => target !== null),
      caseInsensitive: branches[0]?.caseInsensitive ?? caseInsensitive,
    };
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof DiskError)) throw error;
    return { ...empty, content: "unreadable" };
  }
}

/** Whether a folder is on a disk that this thread must not wait for. */
function isOnSlowDisk(real: RealPath): boolean {
  return mounts.concerning(real, "entry").some(({ point }) => mounts.isForbidden(point));
}

function nameOfBranch({ below }: SearchFolder): string {
  return below.slice(below.lastIndexOf("/") + 1);
}

/** Facts about a folder; null when it is gone, or cannot be looked at. */
function lookAt(at: SearchFolder): Facts | null {
  try {
    return at.facts();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function childIn({ children }: KnownFolder, name: string): KnownFolder | null {
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle]?.name ?? "") < name) low = middle + 1;
    else high = middle;
  }
  const child = children[low];
  return child?.name === name ? child : null;
}

/** Has a folder be read again, and those above it be checked. */
function touch(folder: KnownFolder): void {
  folder.state = "";
  tellAbove(folder);
}

function tellAbove(folder: KnownFolder): void {
  const now = performance.now();
  for (let at: KnownFolder | null = folder; at; at = at.parent) at.toldAt = now;
}

/** Has the digests of a folder and of those above it be computed again. */
function outdate(folder: KnownFolder): void {
  // Above one without a digest none has one.
  for (let at: KnownFolder | null = folder; at && at.digest !== null; at = at.parent) {
    at.digest = null;
  }
}

/** Computes the totals of a folder from its own and those of its subfolders. */
function sum(folder: KnownFolder): void {
  folder.bytes = folder.ownBytes;
  folder.count = 1;
  folder.linkCount = folder.links.length;
  let text = folder.own;
  for (const { name, digest, bytes, count, linkCount } of folder.children) {
    text += `\n${name}\0${digest ?? ""}`;
    folder.bytes += bytes;
    folder.count += count;
    folder.linkCount += linkCount;
  }
  folder.digest = digestOf(text);
}

/** A digest as a text of one character a byte, which takes the least memory. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, digestBytes).toString("latin1");
}
