import { createHash } from "node:crypto";
import { LruCache } from "../../../../shared/lru_cache.ts";
import type { Facts } from "../../../core/disk/facts.ts";
import type { PreviewFormat, PreviewSize } from "./preview.ts";

/** Increment when the same file gives a different preview. */
const generation = 4;

/** Facts that identify one state of one file, independent of viewer and path. */
export interface FileIdentity {
  /** The real path, symlinks resolved. */
  real: string;
  info: Facts;
}

/**
 * The cache key of a preview: a digest of the file's identity and state and of the preview's
 * options. Includes the inode's change time, because programs may restore the modification time
 * after they rewrote a file in place.
 */
export function previewKey(
  { real, info }: FileIdentity,
  size: PreviewSize,
  format: PreviewFormat,
): string {
  return digestOf([generation, real, ...stateOf(info), size, format]);
}

/** The cache key of the PDF that a document gives. */
export function paperKey({ real, info }: FileIdentity): string {
  return digestOf([generation, "paper", real, ...stateOf(info)]);
}

/** The cache key of a folder's cover: it shows these previews, and depends on nothing else. */
export function coverKey(
  sourceKeys: readonly string[],
  size: PreviewSize,
  format: PreviewFormat,
): string {
  return digestOf([generation, "cover", ...sourceKeys, size, format]);
}

/** The latest digests, by what they are of: computing one takes as long as looking at the file. */
const digests = new LruCache<string, string>(1_000);

function digestOf(parts: readonly (string | number | null)[]): string {
  const text = JSON.stringify(parts);
  const known = digests.get(text);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(text).digest("hex");
  digests.set(text, digest);
  return digest;
}

/** Whether facts read at two times are of the same state of a file. */
export function isSameState(a: Facts, b: Facts): boolean {
  const other = stateOf(b);
  return stateOf(a).every((part, index) => part === other[index]);
}

/** Whether a file is as it was, or has only grown: somebody writes it, such as a recording. */
export function hasAtMostGrown(now: Facts, then: Facts): boolean {
  const isOne = now.dev === then.dev && now.ino === then.ino;
  return isSameState(now, then) || isOne && now.size > then.size;
}

/** Numbers that change with a file; to be compared, and to be sent to a Worker. */
export function stateOf({ dev, ino, size, mtime, ctime }: Facts): (number | null)[] {
  return [dev, ino, size, mtime?.getTime() ?? 0, ctime?.getTime() ?? 0];
}
