/** The formats of a release, written so that the same entries give the same bytes. */
import { constants, gzipSync } from "node:zlib";
import {
  blockSize,
  nameSize,
  prefixSize,
  writeHeader,
} from "../../lib/server/features/archive/tar/header.ts";
import { joined } from "../../lib/shared/joined.ts";
import type { Bytes } from "../../lib/server/features/archive/extract/archived_entry.ts";

/**
 * A file (of the mode 0644 unless given) or a symlink by its path, with slashes; folders follow from
 * the paths.
 */
export type Entry =
  | { path: string; content: Bytes; mode?: number }
  | { path: string; link: string };

const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): Bytes {
  return encoder.encode(text);
}

/**
 * A tar (POSIX ustar) of entries in the order of their paths, all of the account 0.
 *
 * @param seconds the time of all entries, since 1970
 * @param start comes before each path, such as `./`
 * @throws Error for a path that is too long
 */
export function tar(entries: readonly Entry[], seconds: number, start = ""): Bytes {
  const folders = new Set<string>();
  for (const { path } of entries) {
    const names = path.split("/").slice(0, -1);
    names.forEach((_, at) => folders.add(names.slice(0, at + 1).join("/")));
  }
  const all = [
    ...start === "" ? [] : [{ path: "", isFolder: true as const }],
    ...[...folders].map((path) => ({ path: `${path}/`, isFolder: true as const })),
    ...entries,
  ].sort((a, b) => a.path < b.path ? -1 : 1);
  const parts = all.flatMap((entry) => {
    const header = new Uint8Array(blockSize);
    const content = "content" in entry ? entry.content : new Uint8Array(0);
    const mode = "content" in entry ? entry.mode ?? 0o644 : "link" in entry ? 0o777 : 0o755;
    writeHeader(header, {
      ...placeOf(start + entry.path),
      ...{ mode, size: content.length, modified: seconds },
      ...{ type: "link" in entry ? "2" : "isFolder" in entry ? "5" : "0" },
      ..."link" in entry && { link: entry.link },
    });
    return [header, content, new Uint8Array((blockSize - content.length % blockSize) % blockSize)];
  });
  return joined([...parts, new Uint8Array(2 * blockSize)]);
}

/** The name and the folders before it, as a header has room for them. */
function placeOf(path: string): { name: string; prefix?: string } {
  if (encoder.encode(path).length <= nameSize) return { name: path };
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    const fits = encoder.encode(name).length <= nameSize;
    if (fits && name !== "" && encoder.encode(prefix).length <= prefixSize) return { name, prefix };
  }
  throw new Error(`Cannot archive "${path}": the path is too long`);
}

/** The bytes compressed, without a time or a name. */
export function gzip(bytes: Bytes): Bytes {
  return new Uint8Array(gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
}

/** An `ar` of files, as a Debian package is one. */
export function ar(files: readonly { name: string; content: Bytes }[], seconds: number): Bytes {
  const parts = files.flatMap(({ name, content }) => {
    const fields = [[name, 16], [seconds, 12], [0, 6], [0, 6], ["100644", 8], [content.length, 10]];
    const header = fields.map(([value, width]) => String(value).padEnd(Number(width))).join("");
    return [bytesOf(`${header}\`\n`), content, bytesOf(content.length % 2 === 1 ? "\n" : "")];
  });
  return joined([bytesOf("!<arch>\n"), ...parts]);
}
