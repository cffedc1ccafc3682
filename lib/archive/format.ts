import { DomainError } from "../errors.ts";

/** How the bytes of a tar are made smaller. */
export type CodecName = "gzip" | "bzip2" | "xz" | "lz4" | "snappy" | "zstd" | "brotli";

/** A kind of archive. Plain data, so that a Worker can be told of it. */
export interface Format {
  container: "zip" | "tar";
  codec: CodecName | null;
  /** With its dot: ".tar.gz". */
  extension: string;
  mediaType: string;
}

const zip: Format = {
  container: "zip",
  codec: null,
  extension: ".zip",
  mediaType: "application/zip",
};

function tar(codec: CodecName | null, ending: string, mediaType: string): Format {
  return { container: "tar", codec, extension: `.tar${ending}`, mediaType };
}

/** By the words of `algo`, dots left out. "true" is what old clients send for "some archive". */
const formats: ReadonlyMap<string, Format> = new Map([
  ["", zip],
  ["true", zip],
  ["zip", zip],
  ["tar", tar(null, "", "application/x-tar")],
  ["targz", tar("gzip", ".gz", "application/gzip")],
  ["tarbz2", tar("bzip2", ".bz2", "application/x-bzip2")],
  ["tarxz", tar("xz", ".xz", "application/x-xz")],
  ["tarlz4", tar("lz4", ".lz4", "application/x-lz4")],
  ["tarsz", tar("snappy", ".sz", "application/x-snappy-framed")],
  ["tarzst", tar("zstd", ".zst", "application/zstd")],
  ["tarbr", tar("brotli", ".br", "application/x-brotli")],
]);

/**
 * Reads `algo`: "tar.gz" and "targz" are the same; nothing means zip.
 *
 * @throws {DomainError} `invalid_option`
 */
export function readFormat(algo: string | null): Format {
  const format = formats.get((algo ?? "").replace(/^tar\./, "tar"));
  if (format) return format;
  throw new DomainError("invalid_option", `Cannot make an archive of the kind "${algo}"`);
}
