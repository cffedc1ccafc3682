import { crc32 } from "node:zlib";
import type { FileFacts } from "../../access/child_file.ts";
import type { ChecksumCache } from "./checksum_cache.ts";

/** So many bytes lie between two checksums that are kept of a large file. */
const stride = 64 * 2 ** 20;

/**
 * Sums up a file while it passes by. From its beginning, what was summed up so far is kept from
 * time to time, in case the connection breaks.
 */
export class RunningChecksum {
  readonly #facts: FileFacts;
  readonly #cache: ChecksumCache;
  readonly #keeps: boolean;
  #at: number;
  #kept: number;
  #crc: number;

  /** @param begun what was summed up before, or where in the file a sum of its own begins */
  constructor(facts: FileFacts, cache: ChecksumCache, begun: { at: number; crc?: number }) {
    this.#facts = facts;
    this.#cache = cache;
    this.#keeps = begun.at === 0 || begun.crc !== undefined;
    this.#at = begun.at;
    this.#kept = begun.at;
    this.#crc = begun.crc ?? 0;
  }

  /** The CRC-32 of what was added. */
  get crc(): number {
    return this.#crc;
  }

  readonly add = (bytes: Uint8Array): void => {
    this.#crc = crc32(bytes, this.#crc);
    this.#at += bytes.length;
    const isDue = this.#at - this.#kept >= stride || this.#at === this.#facts.size;
    if (!this.#keeps || !isDue) return;
    this.#kept = this.#at;
    this.#cache.note(this.#facts, { at: this.#at, crc: this.#crc });
  };
}
