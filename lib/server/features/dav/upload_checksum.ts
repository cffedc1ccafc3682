import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import type { Checksums } from "./file_checksums.ts";

/** The algorithms that clients may prefer, by their names in headers. */
const algorithms = { SHA1: "sha1", SHA256: "sha256", MD5: "md5" } as const;

/** A digest of bytes that come in pieces. */
interface Digest {
  update(bytes: Uint8Array<ArrayBuffer>): unknown;
  digest(encoding: "hex"): string;
}

/** A checksum that a client has sent with a file: it is computed while the file comes. */
export class UploadChecksum {
  readonly #name: string;
  readonly #expected: string;
  #hash: Digest;

  private constructor(name: string, expected: string, hash: Digest) {
    this.#name = name;
    this.#expected = expected;
    this.#hash = hash;
  }

  /**
   * Reads the header `OC-Checksum`, such as `SHA1:2fd4e1c6…`. Null without one, and for an algorithm
   * that is not known here: such a file is taken as it is.
   */
  static read(header: string | null): UploadChecksum | null {
    const [, name = "", expected = ""] = /^\s*([\w-]+)\s*:\s*(\S*)\s*$/.exec(header ?? "") ?? [];
    const known = name.toUpperCase();
    const algorithm = Object.hasOwn(algorithms, known)
      ? algorithms[known as keyof typeof algorithms]
      : null;
    if (!algorithm && known !== "ADLER32") return null;
    const hash = algorithm ? createHash(algorithm) : new Adler32();
    return new UploadChecksum(known, expected.toLowerCase(), hash);
  }

  /** Takes the next bytes. */
  update(piece: Uint8Array<ArrayBuffer>): void {
    this.#hash.update(piece);
  }

  /**
   * Goes on with a digest of the first bytes, before any others have come.
   *
   * @returns whether it is of the kind that is computed here
   */
  adopt(name: string, digest: Digest): boolean {
    if (name !== this.#name) return false;
    this.#hash = digest;
    return true;
  }

  /**
   * Compares, once all bytes have come.
   *
   * @returns what may be kept of it
   * @throws {DomainError} `checksum_mismatch`
   */
  verify(action: string): Checksums {
    if (this.#hash.digest("hex") !== this.#expected) {
      const message = `${action}: the computed checksum does not match the one that was sent`;
      throw new DomainError("checksum_mismatch", message);
    }
    return this.#name === "ADLER32" ? {} : { [this.#name]: this.#expected };
  }
}

const adlerModulus = 65_521;

/** Bytes after which the sums are reduced: before that they stay below 2^32. */
const adlerStep = 5_552;

/** Adler-32 (RFC 1950, 9), which `node:crypto` and `node:zlib` do not have. */
class Adler32 implements Digest {
  #low = 1;
  #high = 0;

  update(bytes: Uint8Array<ArrayBuffer>): void {
    let [low, high] = [this.#low, this.#high];
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(at + adlerStep, bytes.length);
      for (; at < end; at++) {
        low += bytes[at] as number;
        high += low;
      }
      low %= adlerModulus;
      high %= adlerModulus;
    }
    [this.#low, this.#high] = [low, high];
  }

  digest(): string {
    return (this.#high * 0x1_0000 + this.#low).toString(16).padStart(8, "0");
  }
}
