import { childOf, type EntryPath, joinPaths, parsePath } from "../../../../shared/path.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { DomainError } from "../../../../shared/errors.ts";

/**
 * The home folder of a user: the name below the default scope and the base path of homes, with
 * characters that have a meaning in paths or shells replaced by "-". Two names may give one home,
 * hence `homeClaim`.
 *
 * @throws DomainError `invalid_name` when nothing is left of the name
 */
export function homeOf(
  username: string,
  { defaults, userHomeBasePath }: Pick<Settings, "defaults" | "userHomeBasePath">,
): EntryPath {
  const folder = username.normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}@_.-]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  if (folder === "") {
    throw new DomainError(
      "invalid_name",
      `Cannot make a home for "${username}": choose another name`,
    );
  }
  const base = parsePath(defaults.scope).path;
  return childOf(joinPaths(base, parsePath(userHomeBasePath).path), folder);
}
