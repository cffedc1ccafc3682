import { DomainError } from "../../../shared/errors.ts";
import { fastLevel, maxLevel } from "./deflate.ts";

/** Compression of a tar. */
export type CodecName = "gzip" | "bzip2" | "xz" | "lz4" | "snappy" | "zstd" | "brotli";

/** A kind of archive. Plain data that can be posted to a Worker. */
export interface Format {
  container: "zip" | "tar";
  codec: CodecName | null;
  /** With its dot: ".tar.gz". */
  extension: string;
  mediaType: string;
  /**
   * Memory of one archive in the making whose client reads nothing, in bytes: measured, with a
   * margin.
   */
  held: number;
}

const MiB = 1024 * 1024;

const zip: Format = {
  container: "zip",
  codec: null,
  extension: ".zip",
  mediaType: "application/zip",
  held: 3 * MiB,
};

function tar(codec: CodecName | null, ending: string, mediaType: string, held: number): Format {
  return { container: "tar", codec, extension: `.tar${ending}`, mediaType, held };
}

/** By the value of `algo` without dots. Old clients send "true" for the default. */
const formats: ReadonlyMap<string, Format> = new Map([
  ["", zip],
  ["true", zip],
  ["zip", zip],
  ["tar", tar(null, "", "application/x-tar", 3 * MiB)],
  ["targz", tar("gzip", ".gz", "application/gzip", 6 * MiB)],
  ["tarbz2", tar("bzip2", ".bz2", "application/x-bzip2", 4 * MiB)],
  ["tarxz", tar("xz", ".xz", "application/x-xz", 18 * MiB)],
  ["tarlz4", tar("lz4", ".lz4", "application/x-lz4", 5 * MiB)],
  ["tarsz", tar("snappy", ".sz", "application/x-snappy-framed", 3 * MiB)],
  ["tarzst", tar("zstd", ".zst", "application/zstd", 6 * MiB)],
  ["tarbr", tar("brotli", ".br", "application/x-brotli", 16 * MiB)],
]);

/**
 * Reads `algo`: "tar.gz" and "targz" are the same; nothing means zip.
 *
 * @throws {DomainError} `invalid_option`
 */
export function readFormat(algo: string | null): Format {
  const format = formats.get((algo ?? "").replace(/^tar\./, "tar"));
  if (format) return format;
  throw new DomainError("invalid_option", `Cannot create an archive of the kind "${algo}"`);
}

/**
 * Reads `level`, of gzip and of a deflated zip: 1 (fast) to 9 (small); nothing means 1.
 *
 * @throws {DomainError} `invalid_option`
 */
export function readLevel(text: string | null): number {
  if (text === null || text === "") return fastLevel;
  const level = /^\d$/.test(text) ? Number(text) : NaN;
  if (level >= 1 && level <= maxLevel) return level;
  throw new DomainError(
    "invalid_option",
    `Cannot compress at the level "${text}": expected 1 to ${maxLevel}`,
  );
}
