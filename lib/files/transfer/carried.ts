import { DomainError } from "../../errors.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import { realChild } from "../../access/real_path.ts";
import type { VerifiedFolder } from "./staging.ts";

/** Which file of which disk. */
export interface Identity {
  ino: number | null;
  dev: number;
}

/** An entry that is there and here. */
export interface Carried {
  name: string;
  from: Identity;
  to: Identity;
}

/** How often each entry is looked at again at the most. */
const mostLooks = 6;

/** So many looks prove a batch, however they are spread over it. */
const looksEnough = 16;

/**
 * Proves of entries in one folder and their copies in another that both folders were what they
 * seemed to be while the entries were opened or linked. Somebody who swaps a folder for a link and
 * back would have to hit the right moment at every look.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function proveCarried(
  from: VerifiedFolder,
  to: VerifiedFolder,
  carried: readonly Carried[],
  action: string,
): void {
  if (carried.length === 0) return;
  const rounds = Math.min(mostLooks, Math.max(1, Math.ceil(looksEnough / carried.length)));
  for (let round = 0; round < rounds; round++) {
    for (const entry of carried) {
      const isProven = isThere(from, entry.name, entry.from) && isThere(to, entry.name, entry.to);
      if (!isProven) {
        throw new DomainError("not_found", `${action}: "${entry.name}" was replaced meanwhile`);
      }
    }
    from.verify();
    to.verify();
  }
}

function isThere(folder: VerifiedFolder, name: string, { ino, dev }: Identity): boolean {
  const info = lstatIfThere(realChild(folder.real, name));
  return info !== null && info.ino === ino && info.dev === dev;
}
