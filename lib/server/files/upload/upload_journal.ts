import type { UploadJournal } from "../../core/access/viewer.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { uploadFolderKey, uploadFoldersPrefix } from "../../core/kv/keys/files.ts";
import type { Store } from "../../core/kv/store.ts";
import { LruCache } from "../../../shared/lru_cache.ts";

/** Validity of a note in memory before it is written to the store again, in milliseconds. */
const refreshMs = 60 * 60 * 1000;

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
    const key = await journalKey(folder);
    const note: Note = { folder, at: now };
    await this.#store.atomic((operation) => operation.set(key, note));
    this.#noted.set(folder, now);
  }

  /** The recorded folders, below the server root. */
  async list(): Promise<EntryPath[]> {
    const journal = await this.#store.list<Note>(uploadFoldersPrefix());
    return journal.map(({ value }) => value.folder);
  }

  /** Drops a clean folder, unless a running process may have noted it. */
  async forget(folder: EntryPath): Promise<void> {
    const note = await this.#store.get<Note>(await journalKey(folder));
    if (!note.value || Date.now() - note.value.at < forgetMs) return;
    await this.#store.atomic((operation) => operation.check(note).delete(note.key));
  }
}

async function journalKey(folder: EntryPath): Promise<Deno.KvKey> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(folder));
  return uploadFolderKey(new Uint8Array(digest).toHex());
}
