import { childOf, type EntryPath, joinPaths, parsePath } from "../../shared/path.ts";
import { DomainError } from "../../shared/errors.ts";

/**
 * The home folder of a user: the name in `users` below the default scope, with characters that have
 * a meaning in paths or shells replaced by "-". Two names may give one home, hence `homeClaim`.
 *
 * @throws DomainError `invalid_name` when nothing is left of the name
 */
export function homeOf(username: string, defaultScope: string): EntryPath {
  const folder = username.normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}@_.-]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  if (folder === "") {
    throw new DomainError(
      "invalid_name",
      `Cannot make a home for "${username}": choose another name`,
    );
  }
  const base = parsePath(defaultScope).path;
  return childOf(joinPaths(base, parsePath("/users").path), folder);
}
