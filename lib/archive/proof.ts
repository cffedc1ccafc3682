import { type ChildFile, proveFiles } from "../access/child_file.ts";
import { ChosenFile } from "./chosen_file.ts";
import type { Source } from "./container.ts";

/** So many files of one folder are proven at once at the most. */
const mostAtOnce = 64;

/**
 * The files that were read into a page, to be proven before the page leaves: that they lie where
 * the gate let the viewer in, and that they did not change while they were read.
 */
export class Proof {
  #files: ChildFile[] = [];

  /** @throws {DomainError} as {@link settle}, for those added before */
  add(source: Source): void {
    if (source instanceof ChosenFile) return source.prove();
    const [first] = this.#files;
    if (first && (first.folder !== source.folder || this.#files.length >= mostAtOnce)) {
      this.settle();
    }
    this.#files.push(source);
  }

  /** @throws {DomainError} `forbidden`, `not_found` when a file is gone, replaced or changed */
  settle(): void {
    const [first] = this.#files;
    if (!first) return;
    const files = this.#files.splice(0);
    proveFiles(first.folder, files);
  }
}
