/** The Worker that keeps the digests of folders, with which sync clients find what has changed. */
import { Buffer } from "node:buffer";
import { DomainError } from "../../../../shared/errors.ts";
import { delay } from "../../../../shared/delay.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import { childOf, type EntryPath, nameOf, ROOT } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";
import type { FolderHandle } from "../../../core/access/folder_handle.ts";
import { enterAgain, type SentAccess } from "../../../core/access/gate.ts";
import { virtualTop } from "../../../core/access/names.ts";
import { asRefusal } from "../../../core/access/os_errors.ts";
import { SearchFolder } from "../../../core/access/search_folder.ts";
import { Pauses } from "../../../core/concurrency/pauses.ts";
import { note, serveWorker, type WorkerCall } from "../../../core/concurrency/serve_worker.ts";
import { viewerKey } from "../../../files/listing/name_cache.ts";
import { FolderTree, type KnownFolder, type Shared } from "./folder_tree.ts";
import type { FolderState } from "./folder_states.ts";
import { FolderWatches } from "./folder_watches.ts";

/** How long the Worker keeps its memory after the last question, in milliseconds. */
const idleMs = 15 * 60_000;

/** Most folders of all trees, about 300 bytes each. */
const maxFolders = 300_000;

/** Most trees: one for each kind of viewer, and for each linked folder. */
const maxTrees = 500;

/** The least time between two walks through all files, in milliseconds. */
const walkEveryMs = 10 * 60_000;

/** The part of a processor that a walk takes, at most; and the work between two rests. */
const share = 0.1;
const sliceMs = 20;

interface Question {
  access: SentAccess;
  path: EntryPath;
}

const watches = new FolderWatches(note);
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
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async state({ access, path }: Question, { signal }: WorkerCall): Promise<FolderState> {
    return stateOf(await check(enterAgain(access), path, new Pauses(signal)));
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
    const entered = enterAgain(access);
    const pauses = new Pauses(signal);
    const { children } = await check(entered, path, pauses);
    const states = children.map((child): [string, FolderState] => [child.name, stateOf(child)]);
    for (const link of linkedIn(entered, path)) {
      states.push([nameOf(link), stateOf(await check(entered, link, pauses))]);
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

async function check(access: Access, path: EntryPath, pauses: Pauses): Promise<KnownFolder> {
  const folder = access.folder(path);
  const top = access.folder(ROOT);
  // Below a link it is elsewhere, and rules may concern both places.
  const isStraight = SearchFolder.below(top, path, false).real === folder.real;
  const found = isStraight
    ? await keptTree(top, access).checked(path, pauses)
    : await keptTree(folder, access).checked(ROOT, pauses);
  bound();
  if (found) return found;
  throw new DomainError("not_found", `Cannot list "${path}": it is not there`);
}

function keptTree(start: FolderHandle, access: Access): FolderTree {
  const key = `${start.real}\0${start.path}\0${viewerKey(access)}`;
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

function stateOf({ digest, bytes }: KnownFolder): FolderState {
  const text = Buffer.from(digest ?? "", "latin1").toString("base64url");
  return { etag: `"${text}"`, bytes };
}

function linkedIn(access: Access, path: EntryPath): EntryPath[] {
  const folder = access.folder(path);
  if (folder.real === virtualTop) return [];
  return folder.read().children
    .filter(({ target, isFolder }) => target !== null && isFolder)
    .map(({ name }) => childOf(path, name));
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
