import { rmdirSync } from "node:fs";
import { DomainError } from "../../errors.ts";
import { isSameEntry } from "../../access/identity.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import { makeTemporaryName } from "../../access/names.ts";
import { realChild, type RealPath } from "../../access/real_path.ts";
import { holdFolder } from "../folder_hold.ts";

/** A real folder that can prove it is still the one that was judged. */
export interface VerifiedFolder {
  readonly real: RealPath;
  /** @throws {DomainError} `forbidden`, `not_found` */
  verify(): void;
}

/** How often the hidden folder is looked at before anything is put into it. */
const looks = 6;

/** How often its removal is tried, should somebody be exchanging folders above it. */
const removals = 20;

/** A folder that is being filled out of everybody's sight. Only its owner may enter it meanwhile. */
export class StagedFolder implements VerifiedFolder {
  readonly real: RealPath;
  readonly info: Deno.FileInfo;
  readonly #above: VerifiedFolder;

  /** Makes the folder; nothing may have its name. */
  constructor(above: VerifiedFolder, name: string) {
    this.real = realChild(above.real, name);
    this.#above = above;
    Deno.mkdirSync(this.real, { mode: 0o700 });
    this.info = Deno.lstatSync(this.real);
    this.verify();
  }

  /** Whether this very folder is found where it was made. */
  get isThere(): boolean {
    const now = lstatIfThere(this.real);
    return now !== null && isSameEntry(now, this.info);
  }

  /** @throws {DomainError} `forbidden`, `not_found` */
  verify(): void {
    this.#above.verify();
    if (this.isThere) return;
    throw new DomainError("forbidden", "Cannot go on copying: the copy was tampered with");
  }
}

/**
 * The hidden folder in which a copy is made before it takes its name. Nobody can list or reach it,
 * and a sweep at the next start knows it by its name, should the process be killed.
 */
export class Staging implements AsyncDisposable {
  readonly folder: StagedFolder;
  readonly #hold: AsyncDisposable;

  /** @param place the folder to make it in: on the disk on which the copy is to lie */
  constructor(place: VerifiedFolder) {
    const name = makeTemporaryName();
    this.#hold = holdFolder(place.real);
    try {
      this.folder = new StagedFolder(place, name);
      for (let look = 1; look < looks; look++) this.folder.verify();
    } catch (error) {
      removeEmpty(realChild(place.real, name));
      void this.#hold[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Removes what was not moved out of it. That it is this very folder is enough: where the path of
   * the copy leads may be another thing by now, when the copy is a link.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.folder.isThere) await Deno.remove(this.folder.real, { recursive: true });
    } catch {
      // Somebody has moved it or the disk is gone: the sweep at the next start may find it.
    }
    await this.#hold[Symbol.asyncDispose]();
  }
}

function removeEmpty(folder: RealPath): void {
  for (let attempt = 0; attempt < removals; attempt++) {
    try {
      return rmdirSync(folder);
    } catch {
      // It is not there right now.
    }
  }
}
