import { finishedUploadKey, finishedUploadsPrefix } from "../../core/kv/keys/files.ts";
import { removeExpired } from "../../core/kv/remove_expired.ts";
import type { Store } from "../../core/kv/store.ts";

/** For how long the end of an upload is known, in milliseconds: longer than clients retry. */
const knownForMs = 60 * 60_000;

/** Most ends that are known of one user: a later one takes the place of an earlier one. */
const maxPerUser = 1_000;

/** An upload that is complete, for a client that has not got the answer to its last bytes. */
export interface FinishedUpload {
  /** Names the upload; see {@linkcode FinishedUploads}. */
  digest: string;
  /** The inode of its file. */
  ino: number | null;
  /** The length of the file, in bytes. */
  length: number;
  /** Until when it is known, in milliseconds since 1970. */
  expires: number;
}

/** The ends of uploads of the last hour, in the store. */
export class FinishedUploads {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds the end of an upload to a commit. */
  add(
    operation: Deno.AtomicOperation,
    userId: number,
    upload: Omit<FinishedUpload, "expires">,
  ): Deno.AtomicOperation {
    const expires = Date.now() + knownForMs;
    return operation.set(keyOf(userId, upload.digest), { ...upload, expires });
  }

  /** Adds to a commit that the end of an upload is no more known, as it begins again. */
  forget(
    operation: Deno.AtomicOperation,
    userId: number,
    digest: string,
  ): Deno.AtomicOperation {
    return operation.delete(keyOf(userId, digest));
  }

  async get(userId: number, digest: string): Promise<FinishedUpload | null> {
    const { value } = await this.#store.get<FinishedUpload>(keyOf(userId, digest));
    return value?.digest === digest && value.expires > Date.now() ? value : null;
  }

  async removeExpired(): Promise<void> {
    const now = Date.now();
    const isOver = ({ expires }: FinishedUpload) => expires <= now;
    await removeExpired<FinishedUpload>(this.#store, finishedUploadsPrefix(), isOver);
  }
}

function keyOf(userId: number, digest: string): Deno.KvKey {
  const place = Uint8Array.fromBase64(digest, { alphabet: "base64url" })
    .slice(0, 4).reduce((number, byte) => number * 256 + byte, 0);
  return finishedUploadKey(userId, place % maxPerUser);
}
