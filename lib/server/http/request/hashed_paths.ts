import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import { maxHashedPaths } from "../../../shared/schemas/choices/choices.ts";

/**
 * The `paths` of a request for ThumbHashes, each as it was sent and as it was read.
 *
 * @throws DomainError `invalid_body` for more than 200, or for what is no list of texts;
 * `invalid_path`
 */
export function hashedPaths(
  { paths }: Record<string, unknown>,
): [sent: string, path: EntryPath][] {
  if (!Array.isArray(paths) || paths.length > maxHashedPaths) {
    throw new DomainError(
      "invalid_body",
      `Cannot read paths: it must be a list of at most ${maxHashedPaths}`,
    );
  }
  return paths.map((path: unknown) => {
    if (typeof path === "string") return [path, parsePath(path).path];
    throw new DomainError("invalid_body", "Cannot read paths: it must be a list of texts");
  });
}
