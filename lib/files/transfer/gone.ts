import { DomainError } from "../../errors.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import { realChild } from "../../access/real_path.ts";
import type { VerifiedFolder } from "./staging.ts";

/** How often one has to look for an entry before it counts as gone. */
const looks = 6;

/**
 * Makes sure that an entry which could not be found was deleted by somebody, and was not merely out
 * of sight for a moment because a folder above it was being exchanged: what is left out of a copy
 * must not be there.
 *
 * @throws {DomainError} `not_found` when it is there after all, or its folder is not; `forbidden`
 */
export function makeSureGone(folder: VerifiedFolder, name: string, action: string): void {
  for (let look = 0; look < looks; look++) {
    folder.verify();
    if (lstatIfThere(realChild(folder.real, name))) {
      throw new DomainError("not_found", `${action}: "${name}" was replaced meanwhile`);
    }
  }
  folder.verify();
}
