import { createHash } from "node:crypto";
import type { Facts } from "../disk/facts.ts";
import type { PreviewFormat, PreviewSize } from "./preview.ts";

/** Counts up when previews of the same file come to look different. */
const generation = 1;

/** What tells one state of one file from all others, whoever asks for it and by which path. */
export interface FileIdentity {
  /** Where the file really lies, links resolved. */
  real: string;
  info: Facts;
}

/**
 * The name under which a preview is kept: a digest of which file it is of, in which state, and how
 * it is made. The time of the last change of the inode is part of it: programs set the other one
 * back after they rewrote a file in place.
 */
export function previewKey(
  { real, info }: FileIdentity,
  size: PreviewSize,
  format: PreviewFormat,
): string {
  const parts = [generation, real, ...stateOf(info), size, format];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Whether two looks at a file saw it in the same state. */
export function isSameState(a: Facts, b: Facts): boolean {
  const other = stateOf(b);
  return stateOf(a).every((part, index) => part === other[index]);
}

function stateOf({ dev, ino, size, mtime, ctime }: Facts): (number | null)[] {
  return [dev, ino, size, mtime?.getTime() ?? 0, ctime?.getTime() ?? 0];
}
