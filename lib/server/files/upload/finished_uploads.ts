import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";

/** For how long the end of an upload is known, in milliseconds: longer than clients retry. */
const knownForMs = 60 * 60_000;

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

/**
 * How an upload ended, for an hour, at most 1 KiB. A user has a fixed number of places: a later
 * upload replaces an earlier one in the same place.
 */
const finishedUploads = new Collection<FinishedUpload, [userId: number, place: number]>(
  "finished_uploads",
  { max: 1_000, expires: ({ expires }, now) => expires <= now },
);

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
    return finishedUploads.put(operation, idOf(userId, upload.digest), { ...upload, expires });
  }

  /** Adds to a commit that the end of an upload is no more known, as it begins again. */
  forget(
    operation: Deno.AtomicOperation,
    userId: number,
    digest: string,
  ): Deno.AtomicOperation {
    return operation.delete(finishedUploads.key(...idOf(userId, digest)));
  }

  async get(userId: number, digest: string): Promise<FinishedUpload | null> {
    const upload = await finishedUploads.get(this.#store, ...idOf(userId, digest));
    return upload?.digest === digest && upload.expires > Date.now() ? upload : null;
  }

  async removeExpired(): Promise<void> {
    await finishedUploads.removeExpired(this.#store, Date.now());
  }
}

function idOf(userId: number, digest: string): [userId: number, place: number] {
  const place = Uint8Array.fromBase64(digest, { alphabet: "base64url" })
    .slice(0, 4).reduce((number, byte) => number * 256 + byte, 0);
  return [userId, place % finishedUploads.max];
}
