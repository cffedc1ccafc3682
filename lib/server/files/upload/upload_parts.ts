import { createHash } from "node:crypto";
import { type EntryPath, isInside, joinPaths, relativePath } from "../../../shared/path.ts";
import type { EntryObserver } from "../entry_observers.ts";
import { uploadPartKey, uploadPartsPrefix } from "../../kv/keys/upload_parts.ts";
import type { Store } from "../../kv/store.ts";

/** An unfinished upload lives for so long after the last byte that came, in milliseconds. */
export const partLifeMs = 24 * 60 * 60 * 1000;

/** The record of an unfinished upload. How much has come is told by its file alone. */
export interface UploadPart {
  userId: number;
  /** The target in the user's scope. */
  path: EntryPath;
  /** The folder that holds the temporary file, below the server root. */
  folder: EntryPath;
  /** The temporary file's name, and what it was when it was made: another in its place is refused. */
  name: string;
  ino: number | null;
  dev: number;
  /** The length of the whole file, in bytes. */
  length: number;
  /** A file of the same name may be replaced. */
  override: boolean;
  /** The time that the file is to have, in milliseconds since 1970. */
  lastModified?: number;
  /** When it expires, in milliseconds since 1970. */
  expires: number;
}

/**
 * The unfinished uploads in the store: one for each user and path. When a folder is moved, their
 * temporary files go with it, and are found there when they expire.
 */
export class UploadParts implements EntryObserver {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async get(userId: number, path: EntryPath): Promise<UploadPart | null> {
    return (await this.#store.get<UploadPart>(keyOf(userId, path))).value;
  }

  /** Stores a part, with a new time at which it expires. */
  async put(part: Omit<UploadPart, "expires">): Promise<UploadPart> {
    const renewed = { ...part, expires: Date.now() + partLifeMs };
    await this.#store.atomic((operation) => operation.set(keyOf(part.userId, part.path), renewed));
    return renewed;
  }

  async remove({ userId, path }: Pick<UploadPart, "userId" | "path">): Promise<void> {
    await this.#store.atomic((operation) => operation.delete(keyOf(userId, path)));
  }

  async concerns(path: EntryPath): Promise<boolean> {
    return (await this.#below(path)).length > 0;
  }

  async moved(from: EntryPath, to: EntryPath): Promise<void> {
    for (const { key, value, versionstamp } of await this.#below(from)) {
      const folder = joinPaths(to, relativePath(value.folder, from));
      await this.#store.atomic((operation) =>
        operation.check({ key, versionstamp }).set(key, { ...value, folder })
      );
    }
  }

  async removed(path: EntryPath): Promise<void> {
    for (const { key } of await this.#below(path)) {
      await this.#store.atomic((operation) => operation.delete(key));
    }
  }

  async #below(path: EntryPath): Promise<Deno.KvEntry<UploadPart>[]> {
    const all = await this.#store.list<UploadPart>(uploadPartsPrefix());
    return all.filter(({ value }) => isInside(value.folder, path));
  }

  /** All of them, those that have expired included. */
  async list(): Promise<UploadPart[]> {
    return (await this.#store.list<UploadPart>(uploadPartsPrefix())).map(({ value }) => value);
  }
}

function keyOf(userId: number, path: EntryPath): Deno.KvKey {
  return uploadPartKey(userId, createHash("sha256").update(path).digest("base64url"));
}
