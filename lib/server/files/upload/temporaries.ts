import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import type { Gate } from "../../core/access/gate.ts";
import { isTemporaryName } from "../../core/access/names.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import { SERVER, type UploadJournal } from "../../core/access/viewer.ts";
import { removeTree } from "../remove_tree.ts";
import type { UploadPart, UploadParts } from "./upload_parts.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { dayMs, hourMs } from "../../../shared/time.ts";

/** During an upload, or without locks, only files older than this are leftovers. */
export const certainlyDeadMs = dayMs;

/** Maximum delay of file system timestamps, in milliseconds. */
export const clockGrainMs = 20;

/**
 * Removes temporary files and folders that killed processes left in folders with uploads and
 * copies. Called at start; those in use by other processes, and of uploads that can go on, are
 * kept.
 *
 * @param parts the uploads that can go on; none unless given
 * @param staging the names of copies that can go on
 * @returns the number of removed entries
 */
export async function sweepTemporaries(
  gate: Gate,
  folders: StoredUploadJournal,
  parts?: UploadParts,
  staging: readonly string[] = [],
): Promise<number> {
  const access = gate.enter(SERVER);
  const startedAt = Date.now() - clockGrainMs;
  const live = await parts?.list() ?? [];
  let removed = 0;
  for (const path of await folders.list()) {
    try {
      const kept = live.filter(({ folder }) => folder === path).map(({ name }) => name);
      removed += await sweepFolder(access.folder(path), startedAt, [...kept, ...staging]);
    } catch (error) {
      // The folder is gone or unreachable: nothing to sweep. Any other disk error must not keep the
      // server from starting: the next start retries.
      const refusal = asRefusal(error, "Cannot sweep");
      if (!(refusal instanceof DomainError) || refusal.code === "disk_timeout") continue;
    }
    await folders.forget(path);
  }
  return removed;
}

/**
 * Removes unfinished resumable uploads that have expired, with their files.
 *
 * @returns the number of removed uploads
 */
export async function removeExpiredParts(gate: Gate, parts: UploadParts): Promise<number> {
  let removed = 0;
  for (const part of await parts.list()) {
    if (part.expires > Date.now()) continue;
    await removePart(gate, parts, part);
    removed++;
  }
  return removed;
}

/** Removes the record of an unfinished upload, and its part. */
export async function removePart(gate: Gate, parts: UploadParts, part: UploadPart): Promise<void> {
  try {
    using folder = gate.enter(SERVER).folder(part.folder).open();
    const info = isTemporaryName(part.name) ? folder.look(part.name) : null;
    if (info?.isFile && info.ino === part.ino) folder.removeFile(part.name);
  } catch (error) {
    // The folder is gone, or its disk is: the file is left to a sweep.
    if (!(asRefusal(error, "Cannot sweep") instanceof DomainError)) throw error;
  }
  await parts.remove(part);
}

/**
 * Forgets uploads whose files are certain to be gone, such as one that a kill has kept from noting
 * that its file has got its name.
 *
 * @param tops folders that were mount points once, below the server root
 */
export async function forgetLostParts(
  gate: Gate,
  parts: UploadParts,
  tops: readonly EntryPath[],
): Promise<void> {
  for (const part of await parts.list()) {
    const state = stateOfPlace(gate.spec(), childOf(part.folder, part.name), tops);
    if (state.kind === "gone") await parts.remove(part, true);
  }
}

async function sweepFolder(
  handle: FolderHandle,
  startedAt: number,
  kept: readonly string[],
): Promise<number> {
  using folder = handle.open();
  const before = folder.lock("exclusive") ? startedAt : startedAt - certainlyDeadMs;
  let removed = 0;
  for (const { name } of folder.entries()) {
    const info = isTemporaryName(name) ? folder.look(name) : null;
    if ((!info?.isFile && !info?.isDirectory) || kept.includes(name)) continue;
    // An upload may give its file a time to come, but no such `ctime`.
    const changed = Math.min(...[info.mtime, info.ctime].map((time) => time?.getTime() ?? 0));
    if (changed >= before) continue;
    await removeTree(folder, name, new Pauses());
    removed++;
  }
  return removed;
}

/** Validity of a note in memory before it is written to the store again, in milliseconds. */
const refreshMs = hourMs;

/** Notes of this age are dropped once the folder was swept: no upload can rely on them. */
const forgetMs = 2 * refreshMs;

/** Maximum number of folders noted in memory. */
const capacity = 10_000;

/** A folder with uploads. */
interface Note {
  /** Below the server root. */
  folder: EntryPath;
  /** Time of the last noted upload, in milliseconds since the epoch. */
  at: number;
}

/**
 * A folder with uploads: its path and a time, at most 9 KiB. The key has a digest of the path,
 * which may be longer than a key.
 */
export const uploadFolders = new Collection<Note, [digest: string]>("upload_folders");

/**
 * Records in the store which folders have had uploads, so that leftovers of a killed process are
 * found at the next start without walking the whole root. At most one write an hour for a folder,
 * not one an upload.
 */
export class StoredUploadJournal implements UploadJournal {
  readonly #store: Store;
  readonly #noted = new LruCache<EntryPath, number>(capacity);

  constructor(store: Store) {
    this.#store = store;
  }

  async remember(folder: EntryPath): Promise<void> {
    const now = Date.now();
    if (now - (this.#noted.get(folder) ?? 0) < refreshMs) return;
    await uploadFolders.set(this.#store, [digestOf(folder)], { folder, at: now });
    this.#noted.set(folder, now);
  }

  /** The recorded folders, below the server root. */
  async list(): Promise<EntryPath[]> {
    return (await uploadFolders.list(this.#store)).map(({ folder }) => folder);
  }

  /** Drops a clean folder, unless a running process may have noted it. */
  async forget(folder: EntryPath): Promise<void> {
    const note = await uploadFolders.entry(this.#store, digestOf(folder));
    if (!note.value || Date.now() - note.value.at < forgetMs) return;
    await this.#store.atomic((operation) => uploadFolders.write(operation, note, null));
  }
}

function digestOf(folder: EntryPath): string {
  return createHash("sha256").update(folder).digest("hex");
}
