import type { UploadJournal } from "../../access/viewer.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { uploadFolderKey, uploadFoldersPrefix } from "../../kv/keys/upload_folders.ts";
import type { Store } from "../../kv/store.ts";
import { LruCache } from "../../../shared/lru_cache.ts";

/** How long a note in memory stands for the one in the store, in milliseconds. */
const refreshMs = 60 * 60 * 1000;

/** From this age on a note is dropped once its folder was swept: nobody can be relying on it. */
const forgetMs = 2 * refreshMs;

/** How many folders are remembered in memory. */
const capacity = 10_000;

/** A folder that had uploads. */
interface Note {
  /** Below the server root. */
  folder: EntryPath;
  /** When an upload was last noted, in milliseconds since the epoch. */
  at: number;
}

/**
 * Remembers in the store which folders have had uploads, so that the leftovers of a killed process
 * are found at the next start without walking the whole root. One write an hour for a folder, not
 * one for an upload.
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
    const key = await noteKey(folder);
    const note: Note = { folder, at: now };
    await this.#store.atomic((operation) => operation.set(key, note));
    this.#noted.set(folder, now);
  }

  /** The remembered folders, below the server root. */
  async list(): Promise<EntryPath[]> {
    const journal = await this.#store.list<Note>(uploadFoldersPrefix());
    return journal.map(({ value }) => value.folder);
  }

  /** Forgets a folder that is clean, unless a process that still runs may have noted it. */
  async forget(folder: EntryPath): Promise<void> {
    const note = await this.#store.get<Note>(await noteKey(folder));
    if (!note.value || Date.now() - note.value.at < forgetMs) return;
    await this.#store.atomic((operation) => operation.check(note).delete(note.key));
  }
}

async function noteKey(folder: EntryPath): Promise<Deno.KvKey> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(folder));
  return uploadFolderKey(new Uint8Array(digest).toHex());
}
