import type { Rows } from "../../base/files/rows.ts";

/** The names of a folder's README, in any case. */
export const README = /^readme(\.(md|markdown|txt))?$/i;

/**
 * The name of the README among the loaded rows of a folder; "" when other rows may have it, and
 * null when there is none.
 */
export function readmeIn(rows: Rows): string | null {
  for (const [, { name, isDir }] of rows.entries()) if (!isDir && README.test(name)) return name;
  return rows.loaded < rows.total ? "" : null;
}
