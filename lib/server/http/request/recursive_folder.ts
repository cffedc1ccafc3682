import type { Context } from "fresh";
import { childOf, type EntryPath, isInside, relativePath, ROOT } from "../../../shared/path.ts";
import type { State } from "../define.ts";

const callPath = childOf(ROOT, "recursive");

/** Options that only describing an entry takes: they tell an entry called "recursive" apart. */
const describeOptions = [
  ...["offset", "limit", "around", "startsWith", "filter", "sort", "order", "checksum"],
];

/**
 * The folder that `GET /api/resources/recursive/{path}` is about; null for a request that describes
 * an entry. File Browser reserves the name "recursive" at the root for this call. Here an entry
 * that has it can still be described: by HEAD, or with an option of the description.
 *
 * @param path the path after `/api/resources`
 */
export function recursiveFolder(
  { req, url }: Pick<Context<State>, "req" | "url">,
  path: EntryPath,
): EntryPath | null {
  if (req.method !== "GET" || !isInside(path, callPath)) return null;
  if (describeOptions.some((name) => url.searchParams.has(name))) return null;
  return relativePath(path, callPath);
}
