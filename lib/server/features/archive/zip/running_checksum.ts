import { crc32 } from "node:zlib";
import type { FileFacts } from "../../../core/access/folder_handle.ts";
import type { ChecksumCache } from "./checksum_cache.ts";

/** Interval between two cached checksums of a large file, in bytes. */
const stride = 64 * 2 ** 20;

/**
 * Computes the checksum of a file while it is sent. Intermediate checksums from the beginning are
 * cached, for a resume after a broken connection.
 */
export class RunningChecksum {
  readonly #facts: FileFacts;
  readonly #cache: ChecksumCache;
  readonly #keeps: boolean;
  #at: number;
  #kept: number;
  #crc: number;

  /** @param begun the checksum so far, or the offset at which a separate one begins */
  constructor(facts: FileFacts, cache: ChecksumCache, begun: { at: number; crc?: number }) {
    this.#facts = facts;
    this.#cache = cache;
    this.#keeps = begun.at === 0 || begun.crc !== undefined;
    this.#at = begun.at;
    this.#kept = begun.at;
    this.#crc = begun.crc ?? 0;
  }

  /** The CRC-32 of the added bytes. */
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
