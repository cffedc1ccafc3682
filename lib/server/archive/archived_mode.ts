import type { FileFacts } from "../access/child_file.ts";

/**
 * The permission bits that an archive keeps. Set-uid and set-gid are dropped: unpacking as root
 * would make an uploaded program run as root. The sticky bit is dropped as meaningless elsewhere.
 */
export function archivedMode({ mode }: FileFacts): number {
  return mode & 0o777;
}
