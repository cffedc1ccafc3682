import { createHash, type Hash } from "node:crypto";
import { LruCache } from "../../../../shared/lru_cache.ts";
import type { ChunkPlace, UploadPart } from "../upload_parts.ts";

/** The digest that clients are asked for, which is computed while chunks come. */
export const ownDigest = "SHA1";

/** Uploads whose running digests are kept: those of uploads that lie idle are computed again. */
const maxDigests = 50;

/** Clients that are remembered to ask for no digest. */
const maxClients = 1_000;

/** A chunk, and when it came, in milliseconds since 1970: one that comes again is another. */
export type DatedChunk = ChunkPlace & { at?: number };

/** The digest of the first chunks of an upload. */
interface RunningDigest {
  hash: Hash;
  /** The end of these chunks, in bytes. */
  end: number;
  /** The identities of these chunks. */
  chunks: string[];
}

/**
 * The digests of chunks that come in their order, so that MOVE need not read the file again. A client
 * tells only with its MOVE whether it has one to compare: what it did last is expected again.
 */
export class RunningDigests {
  readonly #all = new LruCache<string, RunningDigest>(maxDigests);
  /** Clients whose last upload was not compared with such a digest, as the apps of phones. */
  readonly #unasked = new LruCache<string, true>(maxClients);

  /** The digest that a chunk continues; null for one that is not the next, or whose client asks for none. */
  follow(part: UploadPart, { start }: ChunkPlace): Hash | null {
    if (this.#unasked.get(clientOf(part))) return null;
    if (start === 0) return newHash();
    const known = this.#all.get(part.name);
    return known?.end === start ? known.hash.copy() : null;
  }

  /** Notes a chunk that has come. @param hash of all up to its end */
  add({ name }: UploadPart, chunk: Required<DatedChunk>, hash: Hash): void {
    const chunks = chunk.start === 0 ? [] : this.#all.get(name)?.chunks ?? [];
    chunks.push(identityOf(chunk));
    this.#all.set(name, { hash, end: chunk.start + chunk.length, chunks });
  }

  /** The digest of the first of some chunks, with their number; of none where it is not known. */
  of({ name }: UploadPart, chunks: readonly DatedChunk[]): { hash: Hash; chunks: number } {
    const known = this.#all.get(name);
    const isSame = known && known.chunks.length <= chunks.length &&
      known.chunks.every((identity, index) => {
        const chunk = chunks[index];
        return chunk !== undefined && identity === identityOf(chunk);
      });
    if (!isSame) return { hash: newHash(), chunks: 0 };
    return { hash: known.hash.copy(), chunks: known.chunks.length };
  }

  /** Notes whether a client has asked for the digest of an upload that ends. */
  learn(part: UploadPart, isAsked: boolean): void {
    if (isAsked) this.#unasked.delete(clientOf(part));
    else this.#unasked.set(clientOf(part), true);
  }
}

function newHash(): Hash {
  return createHash(ownDigest.toLowerCase());
}

function clientOf({ userId, begun }: UploadPart): string {
  return `${userId} ${begun?.tokenId ?? ""}`;
}

function identityOf({ name, start, length, at = 0 }: DatedChunk): string {
  return [name, start, length, at].join(" ");
}
