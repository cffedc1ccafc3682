/** The Worker that keeps the digests of folders, with which sync clients find what has changed. */
import { Buffer } from "node:buffer";
import { DomainError } from "../../../../shared/errors.ts";
import { delay } from "../../../../shared/delay.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import { childOf, type EntryPath, joinPaths, ROOT } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";
import type { FolderHandle } from "../../../core/access/folder_handle.ts";
import { enterAgain, type SentAccess } from "../../../core/access/gate.ts";
import { virtualTop } from "../../../core/access/names.ts";
import { asRefusal } from "../../../core/access/os_errors.ts";
import { Pauses } from "../../../core/concurrency/pauses.ts";
import { isBelow, pathBelow } from "../../../core/disk/real_path.ts";
import { note, serveWorker, type WorkerCall } from "../../../core/concurrency/serve_worker.ts";
import { viewerKey } from "../../../files/listing/name_cache.ts";
import { ChangeSignal } from "./change_signal.ts";
import { digestOf, FolderTree, type KnownFolder, type Shared } from "./folder_tree.ts";
import type { FolderState } from "./folder_states.ts";
import { FolderWatches } from "./folder_watches.ts";

/** How long the Worker keeps its memory after the last question, in milliseconds. */
const idleMs = 15 * 60_000;

/** Most folders of all trees, about 300 bytes each. */
const maxFolders = 300_000;

/** Most trees: one for each kind of viewer, and for each linked folder. */
const maxTrees = 500;

/** Most links below a folder whose targets count; others count with their targets' inodes. */
const maxLinks = 1_000;

/** The least time between two walks through all files, in milliseconds. */
const walkEveryMs = 10 * 60_000;

/** The part of a processor that a walk takes, at most; and the work between two rests. */
const share = 0.1;
const sliceMs = 20;

interface Question {
  access: SentAccess;
  path: EntryPath;
}

/** What the Worker has found. */
export interface FoundState extends FolderState {
  /** Whether a {@linkcode ChangeSignal} tells of all that may change it. */
  isWatched: boolean;
}

/** That of the one thread that asks. */
let signalled: ChangeSignal | undefined;
const watches = new FolderWatches(note, () => signalled?.raise());
const shared: Shared = { watches, maxFolders, folders: 0 };
/** Bounded by {@linkcode bound}, which ends the watches of what it drops. */
const trees = new LruCache<string, KeptTree>(Infinity);
let walking: Promise<void> | null = null;

interface KeptTree {
  tree: FolderTree;
  askedAt: number;
  /** When all files were looked at last, or a walk that does so began. */
  walkedAt: number;
}

const work = {
  /**
   * The state of a folder.
   *
   * @param memory of the signal for later changes
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async state(
    { access, path, memory }: Question & { memory: SharedArrayBuffer },
    { signal }: WorkerCall,
  ): Promise<FoundState> {
    signalled ??= new ChangeSignal(memory);
    watches.report();
    const found = await stateAt(enterAgain(access), path, new Pauses(signal));
    signalled.queue = watches.queue;
    return found;
  },

  /**
   * The states of the folders in a folder, links to folders among them.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async states(
    { access, path }: Question,
    { signal }: WorkerCall,
  ): Promise<[name: string, FolderState][]> {
    watches.report();
    const entered = enterAgain(access);
    const pauses = new Pauses(signal);
    const states: [string, FolderState][] = [];
    const { children, others } = await foldersIn(entered, path, pauses);
    for (const { name, digest, bytes, linkCount } of children) {
      if (linkCount === 0) states.push([name, { etag: etagOfDigest(digest ?? ""), bytes }]);
      else others.push(name);
    }
    for (const name of others) {
      const state = await stateAt(entered, childOf(path, name), pauses).catch(nullIfRefused);
      if (state) states.push([name, { etag: state.etag, bytes: state.bytes }]);
    }
    return states;
  },

  /** Takes changes that the server itself has made. @param places below the server root */
  tell({ places }: { places: readonly EntryPath[] }): void {
    for (const [, { tree }] of trees) for (const place of places) tree.tell(place);
  },

  /** Takes note that another machine has changed something. */
  expire(): void {
    for (const [, { tree }] of trees) tree.expire();
  },
};

/** The functions of this worker. */
export type StateWork = typeof work;

serveWorker(work, {
  asError: (thrown, _, { path }: { path?: EntryPath }) =>
    path === undefined ? thrown : asRefusal(thrown, `Cannot list "${path}"`),
  idleMs,
});

/** @throws {DomainError} `forbidden`, `not_found` */
async function stateAt(access: Access, path: EntryPath, pauses: Pauses): Promise<FoundState> {
  const folder = access.folder(path);
  if (folder.real === virtualTop) return await stateOfTop(access, pauses);
  const { tree, found } = await check(access, folder, pauses);
  const { bytes } = found;
  const isWatched = tree.isWatched(found);
  let text = found.digest ?? "";
  for (const link of found.linkCount > 0 ? linksBelow(found, path) : []) {
    text += await linkedDigest(access, link, pauses);
  }
  return { etag: etagOfDigest(found.linkCount > 0 ? digestOf(text) : text), bytes, isWatched };
}

/** The state of the virtual top: that of all named roots. */
async function stateOfTop(access: Access, pauses: Pauses): Promise<FoundState> {
  const names = rootsIn(access);
  let [text, sum] = ["", 0];
  // No watch tells of a root that comes.
  let isWatched = names.length === access.viewer.roots?.length;
  for (const name of names) {
    const state = await stateAt(access, childOf(ROOT, name), pauses).catch(nullIfRefused);
    text += `${name}\0${state?.etag ?? ""}\n`;
    sum += state?.bytes ?? 0;
    isWatched &&= state?.isWatched ?? false;
  }
  return { etag: etagOfDigest(digestOf(text)), bytes: sum, isWatched };
}

function rootsIn(access: Access): string[] {
  return access.folder(ROOT).read().children.map(({ name }) => name).sort();
}

/** The folders in a folder, and the names of those that have to be asked for by themselves. */
async function foldersIn(
  access: Access,
  path: EntryPath,
  pauses: Pauses,
): Promise<{ children: readonly KnownFolder[]; others: string[] }> {
  const folder = access.folder(path);
  if (folder.real === virtualTop) return { children: [], others: rootsIn(access) };
  const { children, links } = (await check(access, folder, pauses)).found;
  return { children, others: [...links] };
}

/** The paths of the links to folders below a folder, at most {@linkcode maxLinks}. */
function linksBelow(top: KnownFolder, path: EntryPath): EntryPath[] {
  const found: EntryPath[] = [];
  const queue: [KnownFolder, EntryPath][] = [[top, path]];
  for (let next = queue.pop(); next && found.length < maxLinks; next = queue.pop()) {
    const [folder, at] = next;
    for (const name of folder.links) found.push(childOf(at, name));
    for (const child of folder.children) {
      if (child.linkCount > 0) queue.push([child, childOf(at, child.name)]);
    }
  }
  return found.slice(0, maxLinks);
}

/** The digest of what a link leads to, in which other links count with their targets' inodes. */
async function linkedDigest(access: Access, link: EntryPath, pauses: Pauses): Promise<string> {
  try {
    return (await check(access, access.folder(link), pauses)).found.digest ?? "";
  } catch (error) {
    if (error instanceof DomainError) return "";
    throw error;
  }
}

async function check(
  access: Access,
  folder: FolderHandle,
  pauses: Pauses,
): Promise<{ tree: FolderTree; found: KnownFolder }> {
  const { root, base } = folder.bounds;
  const top = access.folder(root ? childOf(ROOT, root.name) : ROOT);
  const below = isBelow(folder.real, base) ? pathBelow(folder.real, base) : ROOT;
  // Behind a link, rules concern the path as well.
  const isStraight = isPlain(access) || folder.path === joinPaths(top.path, below);
  const [start, path] = top.real === base && isStraight ? [top, below] : [folder, ROOT];
  const tree = keptTree(start, access);
  const found = await tree.checked(path, pauses);
  bound();
  if (found) return { tree, found };
  throw new DomainError("not_found", `Cannot list "${folder.path}": it is not there`);
}

/** Whether a viewer sees whatever is in the bounds, by whatever path. */
function isPlain({ viewer: { rules, hideDotfiles, within } }: Access): boolean {
  return rules.length === 0 && !hideDotfiles && within === undefined;
}

function keptTree(start: FolderHandle, access: Access): FolderTree {
  // Users who see all of a folder share what is known of it.
  const { base } = start.bounds;
  const key = isPlain(access)
    ? `${start.real}\0${base}\0${access.spec.root}`
    : `${start.real}\0${start.path}\0${viewerKey(access)}`;
  const now = performance.now();
  const kept = trees.get(key) ??
    { tree: new FolderTree(start, shared), askedAt: now, walkedAt: now };
  kept.tree.enter(start);
  kept.askedAt = now;
  trees.set(key, kept);
  walking ??= walkAll().finally(() => walking = null);
  return kept.tree;
}

/** Drops the trees that were asked for least lately, while there is no room; the last one stays. */
function bound(): void {
  let left = [...trees].length;
  for (const [key, { tree }] of trees) {
    const isFull = shared.folders > maxFolders || left > maxTrees;
    if (!isFull || left-- === 1) return;
    trees.delete(key);
    tree.close();
  }
}

function etagOfDigest(digest: string): string {
  return `"${Buffer.from(digest, "latin1").toString("base64url")}"`;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}

/**
 * Looks at all files that no watch tells of, every now and then while there are questions, at a
 * small part of a processor: a file may change without its folder.
 */
async function walkAll(): Promise<void> {
  for (;;) {
    const now = performance.now();
    const asked = [...trees].map(([, kept]) => kept)
      .filter(({ askedAt }) => now - askedAt < walkEveryMs);
    if (asked.length === 0) return;
    const due = asked.filter(({ walkedAt }) => now - walkedAt >= walkEveryMs);
    for (const kept of due) {
      kept.walkedAt = performance.now();
      await walk(kept.tree);
    }
    if (due.length === 0) await delay(walkEveryMs / 20);
  }
}

async function walk(tree: FolderTree): Promise<void> {
  let begun = performance.now();
  for (const folder of tree.folders()) {
    if (!watches.has(folder.watch)) tree.reread(folder);
    const worked = performance.now() - begun;
    if (worked < sliceMs) continue;
    await delay(worked * (1 / share - 1));
    begun = performance.now();
  }
}
