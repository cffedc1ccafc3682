import type { Entry } from "../../../shared/api_types.ts";
import { mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import type { Rows } from "../../base/files/rows.ts";

/**
 * The files of a folder that can be shown, in its order. A row that is not loaded counts as one
 * until it is known better, so that the strip has its length at once.
 */
export class MediaStrip {
  /** The strip of a folder about which nothing is known. */
  static readonly none = new MediaStrip();

  readonly #rows: Rows | null;
  /** The indexes of the rows, in order. */
  readonly #places: readonly number[];
  /** Whether every row is loaded, so that places and length are exact. */
  readonly isWhole: boolean;

  /**
   * @param rows of the folder
   * @param firstFile the index of the first row that is no folder
   */
  constructor(rows: Rows | null = null, firstFile = 0) {
    const places: number[] = [];
    let isWhole = true;
    for (let index = firstFile; index < (rows?.total ?? 0); index++) {
      const entry = rows?.at(index);
      if (!entry || mediaTypes.has(entry.type)) places.push(index);
      isWhole &&= entry !== undefined;
    }
    this.#rows = rows;
    this.#places = places;
    this.isWhole = isWhole && rows !== null;
  }

  /** The number of files, with rows that are not loaded. */
  get length(): number {
    return this.#places.length;
  }

  /** A file by its place, from 0; undefined while its row is not loaded. */
  at(place: number): Entry | undefined {
    const index = this.#places[place];
    return index === undefined ? undefined : this.#rows?.at(index);
  }

  /** The place of a file by its name, from 0; -1 for one that is not in the strip. */
  placeOf(name: string): number {
    const index = this.#rows?.indexOf(name) ?? -1;
    return index === -1 ? -1 : this.#find(index);
  }

  /** The index of the row at a place; -1 beyond the ends. */
  rowOf(place: number): number {
    return this.#places[place] ?? -1;
  }

  #find(index: number): number {
    let [from, to] = [0, this.#places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#places[middle] ?? 0) < index) from = middle + 1;
      else to = middle;
    }
    return this.#places[from] === index ? from : -1;
  }
}
