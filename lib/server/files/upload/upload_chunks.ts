import { createHash } from "node:crypto";
import { dayMs } from "../../../shared/time.ts";
import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import type { ChunkPlace, Uploader } from "./upload_parts.ts";

/** A chunk that has come, with all its bytes on the disk. */
export interface UploadChunk extends ChunkPlace {
  userId: number;
  /** The digest of the upload's name. */
  upload: string;
  /** When it came, in milliseconds since 1970. */
  at: number;
}

/** A chunk of an upload, about 200 bytes: where its bytes are in the file of the upload. */
export const uploadChunks = new Collection<
  UploadChunk,
  [userId: number, digest: string, name: string]
>("upload_chunks");

/** Records that are removed in one commit. */
const atOnce = 200;

/** The order of chunks: by the numbers in their names. */
const collator = new Intl.Collator("en", { numeric: true });

/** The chunks of unfinished uploads, in the store. */
export class UploadChunks {
  readonly #store: Store;
  readonly #live: () => Promise<Uploader[]>;

  /** @param live lists the uploads that are not complete */
  constructor(store: Store, live: () => Promise<Uploader[]>) {
    this.#store = store;
    this.#live = live;
  }

  /** The chunks of an upload that have come, in the order of their numbers. */
  async list({ userId, chunks = "" }: Uploader): Promise<UploadChunk[]> {
    const all = await uploadChunks.list(this.#store, userId, chunksDigest(chunks));
    return all.sort((a, b) => collator.compare(a.name, b.name));
  }

  /** Adds a chunk to a commit. @param at when it came, in milliseconds since 1970 */
  add(
    operation: Deno.AtomicOperation,
    { userId, chunks = "" }: Uploader,
    { name, start, length }: ChunkPlace,
    at: number,
  ): Deno.AtomicOperation {
    const upload = chunksDigest(chunks);
    const chunk = { userId, upload, name, start, length, at };
    return uploadChunks.put(operation, [userId, upload, name], chunk);
  }

  async has({ userId, chunks = "" }: Uploader, name: string): Promise<boolean> {
    return await uploadChunks.get(this.#store, userId, chunksDigest(chunks), name) !== null;
  }

  async remove({ userId, chunks = "" }: Uploader, name: string): Promise<void> {
    await uploadChunks.remove(this.#store, userId, chunksDigest(chunks), name);
  }

  /** Removes all chunks of an upload. */
  async clear({ userId, chunks }: Uploader): Promise<void> {
    if (chunks === undefined) return;
    const entries = await uploadChunks.entries(this.#store, userId, chunksDigest(chunks));
    for (let start = 0; start < entries.length; start += atOnce) {
      await this.#store.atomic((operation) => {
        for (const { key } of entries.slice(start, start + atOnce)) operation.delete(key);
        return operation;
      });
    }
  }

  /** Removes those whose upload is gone, as a kill came between the two. */
  async removeExpired(): Promise<void> {
    const live = new Set(
      (await this.#live()).map(({ userId, chunks = "" }) => `${userId} ${chunksDigest(chunks)}`),
    );
    const before = Date.now() - dayMs;
    await uploadChunks.removeExpired(
      this.#store,
      before,
      ({ at, userId, upload }) => at < before && !live.has(`${userId} ${upload}`),
    );
  }
}

/** The part of keys that names an upload in chunks: the name may be longer than a key. */
export function chunksDigest(name: string): string {
  return createHash("sha256").update(`chunks ${name}`).digest("base64url");
}
