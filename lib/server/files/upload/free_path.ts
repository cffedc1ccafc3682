import { DomainError } from "../../../shared/errors.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Access } from "../../access/access.ts";

/** Most names that are tried for a new upload. */
const mostNames = 1_000;

/**
 * A path like the wanted one at which nothing is, so that no upload goes through a link that is
 * there.
 *
 * @throws {DomainError} `exists` when all names like it are taken; `forbidden`, `invalid_name`
 */
export function freePath(access: Access, wanted: EntryPath): EntryPath {
  for (let number = 0; number < mostNames; number++) {
    const name = number === 0 ? nameOf(wanted) : numberedName(nameOf(wanted), number, false);
    const path = childOf(parentOf(wanted), name);
    if (!access.create(path).existing) return path;
  }
  throw new DomainError("exists", "Cannot take the file: all names like it are taken");
}
