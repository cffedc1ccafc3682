import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import { hourMs } from "../../../shared/time.ts";

/** For how long the end of an upload is known, in milliseconds: longer than clients retry. */
const knownForMs = hourMs;

/** An upload that is complete, for a client that has not got the answer to its last bytes. */
export interface FinishedUpload {
  /** The inode of its file. */
  ino: number | null;
  /** The length of the file, in bytes. */
  length: number;
  /** Until when it is known, in milliseconds since 1970. */
  expires: number;
}

/** How an upload ended, for an hour, about 100 bytes. */
const finishedUploads = new Collection<FinishedUpload, [userId: number, digest: string]>(
  "finished_uploads",
  { expires: ({ expires }, now) => expires <= now },
);

/** The ends of uploads of the last hour, in the store, each named by its user and a digest. */
export class FinishedUploads {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds the end of an upload to a commit. */
  add(
    operation: Deno.AtomicOperation,
    userId: number,
    digest: string,
    { ino, length }: Omit<FinishedUpload, "expires">,
  ): Deno.AtomicOperation {
    const expires = Date.now() + knownForMs;
    return finishedUploads.put(operation, [userId, digest], { ino, length, expires });
  }

  /** Adds to a commit that the end of an upload is no more known, as it begins again. */
  forget(
    operation: Deno.AtomicOperation,
    userId: number,
    digest: string,
  ): Deno.AtomicOperation {
    return operation.delete(finishedUploads.key(userId, digest));
  }

  async get(userId: number, digest: string): Promise<FinishedUpload | null> {
    const upload = await finishedUploads.get(this.#store, userId, digest);
    return upload && upload.expires > Date.now() ? upload : null;
  }

  async removeExpired(): Promise<void> {
    await finishedUploads.removeExpired(this.#store, Date.now());
  }
}
