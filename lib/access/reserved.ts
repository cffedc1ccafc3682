import { foldName } from "../rules/fold.ts";
import { isBelow, realParent, type RealPath } from "./real_path.ts";

/** What SQLite puts beside a store, and takes for its own when it finds it there. */
const companions = ["", "-wal", "-shm", "-journal"];

/**
 * The real paths that nobody may see or reach, with all below them: the store, the cache, the
 * config file. Letters are compared in either case, for the file systems on which that is the same
 * file; on the others the price is one innocent name.
 */
export class Reserved {
  readonly #paths: RealPath[];

  constructor(paths: string[]) {
    const all = paths.flatMap((path) => companions.map((suffix) => foldName(path + suffix)));
    this.#paths = [...new Set(all)] as RealPath[];
  }

  /** Whether a real path is one of them or lies below one. */
  covers(real: RealPath): boolean {
    if (this.#paths.length === 0) return false;
    const folded = foldName(real) as RealPath;
    return this.#paths.some((path) => isBelow(folded, path));
  }

  /** The names in one folder that are reserved, folded; usually none. */
  namesIn(folder: RealPath): Set<string> {
    const folded = foldName(folder);
    const here = this.#paths.filter((path) => realParent(path) === folded);
    return new Set(here.map((path) => path.slice(folded === "/" ? 1 : folded.length + 1)));
  }
}
