import type { Branch } from "../access/branch.ts";
import type { FolderHandle } from "../access/folder_handle.ts";
import type { Child } from "../access/folder_sight.ts";
import { Proof } from "../access/proof.ts";
import type { Results } from "./results.ts";
import type { PatientSteps } from "./slices.ts";

/** Hits are held back for so many milliseconds, to prove many of their folders together. */
const gatherMs = 10;

/** So many hits are enough to prove. */
const gatherCount = 1_000;

/**
 * How often each folder with a hit is looked at again before it is told of: see `FileHandle` for
 * who would have to be deceived how often.
 */
const looks = 3;

/** Hits of a search between being found and being told: the folders they are in must be proved. */
export class Gathering {
  readonly #top: FolderHandle;
  readonly #results: Results;
  #found: { branch: Branch; hits: Child[] }[] = [];
  #count = 0;
  #lastTold = -Infinity;

  constructor(top: FolderHandle, results: Results) {
    this.#top = top;
    this.#results = results;
  }

  /** Takes the hits in one folder. */
  add(branch: Branch, hits: Child[]): void {
    if (hits.length === 0) return;
    this.#found.push({ branch, hits });
    this.#count += hits.length;
  }

  /** Whether somebody waits for the hits: at once for the first. */
  get isDue(): boolean {
    if (this.#count === 0) return false;
    return this.#count >= gatherCount || performance.now() - this.#lastTold >= gatherMs;
  }

  /**
   * Tells the hits of those folders that are what they were.
   *
   * @throws {DomainError} `forbidden`, `not_found` when the folder of the search was swapped
   */
  *tell(): PatientSteps<void> {
    for (const { branch, hits } of this.#proved()) {
      const prefix = branch.below === "/" ? "" : `${branch.below.slice(1)}/`;
      for (const { name, isFolder } of hits) {
        yield* this.#results.add({ path: prefix + name, dir: isFolder });
      }
    }
    yield* this.#results.flush();
    this.#lastTold = performance.now();
  }

  #proved() {
    let found = this.#found;
    for (let look = 0; look < looks; look++) {
      const proof = new Proof(this.#top);
      found = found.filter(({ branch }) => proof.holds(branch.real));
    }
    this.#found = [];
    this.#count = 0;
    return found;
  }
}
