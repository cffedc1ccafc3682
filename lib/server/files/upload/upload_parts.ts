import { createHash } from "node:crypto";
import type { EntryPath } from "../../../shared/path.ts";
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

/** The unfinished uploads in the store: one for each user and path. */
export class UploadParts {
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

  /** All of them, those that have expired included. */
  async list(): Promise<UploadPart[]> {
    return (await this.#store.list<UploadPart>(uploadPartsPrefix())).map(({ value }) => value);
  }
}

function keyOf(userId: number, path: EntryPath): Deno.KvKey {
  return uploadPartKey(userId, createHash("sha256").update(path).digest("base64url"));
}
