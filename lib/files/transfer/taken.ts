import type { Stats } from "node:fs";

/** Which file was copied, in which state: to know it again before it is deleted. */
export interface Taken {
  ino: number | null;
  dev: number;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** The copy is the very same file under a second name. */
  isLinked: boolean;
}

/** What is kept of an open file. */
export function takenOf({ ino, dev, size, mtimeMs }: Stats): Taken {
  return { ino, dev, size, modified: Math.floor(mtimeMs), isLinked: false };
}

/** Whether a look at the disk shows the very file that was copied, as it was then. */
export function isAsTaken(info: Deno.FileInfo, taken: Taken): boolean {
  if (info.ino !== taken.ino || info.dev !== taken.dev || !info.isFile) return false;
  if (taken.isLinked) return true;
  return info.size === taken.size && (info.mtime?.getTime() ?? 0) === taken.modified;
}
