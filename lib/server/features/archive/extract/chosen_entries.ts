import { DomainError } from "../../../../shared/errors.ts";
import { type EntryPath, isInside, parentOf, ROOT, segmentsOf } from "../../../../shared/path.ts";
import { isAbsolute, namesOf } from "./entry_path.ts";

/** The entries of an archive that are extracted: all of them, or those below chosen paths. */
export class ChosenEntries {
  readonly #chosen: ReadonlySet<string> | null;
  readonly #missing: Set<string>;
  /** The depth of the folder that holds all that is chosen, which is not made again. */
  readonly #depth: number;

  /**
   * @param chosen paths in the archive; null for all of it
   * @param windowsNames whether names have to be such as Windows takes
   */
  constructor(chosen: readonly EntryPath[] | null, readonly windowsNames = false) {
    const all = chosen?.includes(ROOT) ? null : chosen;
    this.#chosen = all && new Set(all);
    this.#missing = new Set(all);
    this.#depth = all ? segmentsOf(commonFolder(all)).length : 0;
  }

  /** Whether all entries are extracted. */
  get isAll(): boolean {
    return this.#chosen === null;
  }

  /**
   * Where an entry goes, below the folder that holds all that is chosen.
   *
   * @param path as the archive spells it; one that leads out of it is refused, chosen or not
   * @returns null for one that is not chosen, and for an absolute one
   * @throws {DomainError} as `namesOf()` does
   */
  place(path: string): string[] | null {
    if (isAbsolute(path)) return null;
    const names = namesOf(path, this.windowsNames);
    if (!this.#chosen) return names;
    let above = "";
    let isChosen = false;
    for (const name of names) {
      above += `/${name}`;
      if (!this.#chosen.has(above)) continue;
      this.#missing.delete(above);
      isChosen = true;
    }
    return isChosen ? names.slice(this.#depth) : null;
  }

  /**
   * Checks, at the end, that there was something at each chosen path.
   *
   * @throws {DomainError} `not_found`
   */
  assertFound(): void {
    const [missing] = this.#missing;
    if (missing === undefined) return;
    throw new DomainError("not_found", `Cannot extract "${missing}": it is not in the archive`);
  }
}

/** The deepest folder that holds all of these. */
function commonFolder(paths: readonly EntryPath[]): EntryPath {
  const [first, ...rest] = paths.map(parentOf);
  let folder = first ?? ROOT;
  for (const path of rest) {
    while (!isInside(path, folder)) folder = parentOf(folder);
  }
  return folder;
}
