import {
  type EntryPath,
  isInside,
  joinPaths,
  parentOf,
  parsePath,
  relativePath,
  ROOT,
} from "../../../shared/path.ts";
import { comparing, type RankedHit, rankerOf, type SearchOrder } from "./ranking.ts";
import { type SearchHit, type Terms, termsOf } from "./search_query.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { entryByName } from "../../../shared/entry_by_name.ts";
import type { Target } from "../../base/files/target.ts";
import { success } from "../../../shared/result.ts";

/** The results at one moment. */
export interface Found {
  /** The folder that was searched. */
  base: EntryPath;
  /** The terms that the names were matched against. */
  terms: Terms;
  /** The best of them in order. */
  hits: readonly RankedHit[];
  /** The number of all results. */
  count: number;
  /** Another one for other results, the same while more of them come. */
  run: symbol;
}

/** No results. */
export const NOTHING: Found = { base: ROOT, terms: termsOf(""), hits: [], count: 0, run: Symbol() };

/** The most results that are kept in order; of more the best. */
export const MOST_HITS = 5_000;

/** New results are put in order in batches of this size: one takes a few milliseconds. */
const BATCH = 500;

/**
 * The best results of a search that goes on: time and memory stay bounded however many come. A
 * result behind the last one kept of {@linkcode MOST_HITS} is only counted.
 */
export class BestHits {
  readonly #rank: (hit: SearchHit) => RankedHit;
  readonly #compare: (a: RankedHit, b: RankedHit) => number;
  #best: RankedHit[] = [];
  #new: RankedHit[] = [];
  #count = 0;

  constructor(terms: Terms, order: SearchOrder) {
    this.#rank = rankerOf(terms);
    this.#compare = comparing(order);
  }

  /** The number of all results. */
  get count(): number {
    return this.#count;
  }

  /** Adds a result. */
  add(hit: SearchHit): void {
    this.#count++;
    const ranked = this.#rank(hit);
    const last = this.#best.length === MOST_HITS ? this.#best.at(-1) : undefined;
    if (last && this.#compare(ranked, last) > 0) return;
    this.#new.push(ranked);
    if (this.#new.length === BATCH) this.#merge();
  }

  /** The results kept, the best first. The array does not change later. */
  best(): readonly RankedHit[] {
    if (this.#new.length > 0) this.#merge();
    return this.#best;
  }

  #merge(): void {
    const [old, added] = [this.#best, this.#new.sort(this.#compare)];
    const merged: RankedHit[] = [];
    let [o, a] = [0, 0];
    while (merged.length < MOST_HITS) {
      const [left, right] = [old[o], added[a]];
      if (left && (!right || this.#compare(left, right) <= 0)) {
        merged.push(left);
        o++;
      } else if (right) {
        merged.push(right);
        a++;
      } else break;
    }
    this.#best = merged;
    this.#new = [];
  }
}

/** The path of a result. @param base the folder that was searched */
export function pathOfHit({ path }: Pick<SearchHit, "path">, base: EntryPath): EntryPath {
  return joinPaths(path.startsWith("/") ? ROOT : base, parsePath(path).path);
}

/**
 * A result as an entry of a listing; its type is judged by its name.
 *
 * @param base the folder that was searched
 */
export function entryOfHit(hit: SearchHit, base: EntryPath): Entry {
  const { path, dir, size = 0, modified = "" } = hit;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return {
    name,
    path: pathOfHit(hit, base),
    ...entryByName(name, dir),
    size,
    modified,
    mode: 0,
  };
}

/**
 * Results of a search for the actions: a target at the deepest folder that holds all of them. What
 * is below another one of them goes with it.
 *
 * @param base the folder that was searched
 * @param hits at least one
 */
export function targetOfHits(base: EntryPath, hits: readonly RankedHit[]): Target {
  const entries = hits.map((hit) => entryOfHit(hit, base));
  const paths = withoutNested(entries.map(({ path }) => parsePath(path).path));
  let folder = parentOf(paths[0] ?? base);
  while (!paths.every((path) => isInside(path, folder))) folder = parentOf(folder);
  const names = paths.map((path) => relativePath(path, folder).slice(1));
  return {
    folder,
    size: paths.length,
    known: () => entries,
    names: () => Promise.resolve(success(names)),
  };
}

function withoutNested(paths: EntryPath[]): EntryPath[] {
  const all = new Set(paths);
  return paths.filter((path) => {
    for (let above = parentOf(path); above !== "/"; above = parentOf(above)) {
      if (all.has(above)) return false;
    }
    return true;
  });
}
