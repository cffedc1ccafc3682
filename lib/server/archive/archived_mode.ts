import type { FileFacts } from "../access/child_file.ts";

/**
 * The permission bits that an archive keeps. Set-uid and set-gid are left out: whoever unpacks as
 * root would give root's rights to a program that somebody uploaded. So is the sticky bit, which
 * means nothing elsewhere.
 */
export function archivedMode({ mode }: FileFacts): number {
  return mode & 0o777;
}
