import { type EntryPath, joinPaths, parsePath } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";
import { type Query, wholePart } from "../../../files/search/query.ts";
import { search } from "../../../files/search/search.ts";
import type { ListingWorker } from "../../../files/workers/workers.ts";
import type { SearchRest, SearchResult } from "../../../../shared/schemas/entry.ts";
import { type Candidate, type Condition, meets, type SearchField } from "./condition.ts";
import type { DavSearch } from "./read_search.ts";

/** The dependencies of a search. */
export interface SearchTools {
  access: Access;
  listingWorker: ListingWorker;
  /** The name of the user whose files these are. */
  owner: string;
  /** The places of the user's favourites. */
  favorites: ReadonlySet<string>;
  /** Completes results by when pictures and videos were taken; absent for those who may not read. */
  withTaken?: (lines: ReadableStream<Uint8Array<ArrayBuffer>>) => typeof lines;
  signal: AbortSignal;
}

/** What a search has found, with what it is sorted by. */
interface Found extends Candidate {
  path: EntryPath;
}

/**
 * The paths of the entries below a folder that meet a search, in its order. They come from the walk
 * of a search by name, with all its rules, and no more of them are in memory than are wanted.
 *
 * @param folder below which it searches
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function findEntries(
  tools: SearchTools,
  folder: EntryPath,
  wanted: DavSearch,
): Promise<EntryPath[]> {
  const { access, listingWorker, owner, favorites, withTaken, signal } = tools;
  const { where, order, limit, offset } = wanted;
  const most = limit + offset;
  if (limit === 0) return [];
  const place = access.placeAt(folder);
  const query = queryOf(where);
  const media = withTaken !== undefined && asksTaken(wanted);
  const options = { query, details: true, media, format: "lines" as const, ...wholePart };
  const found = await search(access, listingWorker, folder, options, signal);
  const results = media ? withTaken(found) : found;
  const best = new Best(most, order);
  for await (const result of linesOf(results)) {
    if (!("path" in result)) continue;
    const { path, dir, size = 0, modified = "", taken } = result;
    const changed = Date.parse(modified);
    const below = parsePath(`/${path}`).path;
    const found: Found = {
      path: joinPaths(folder, below),
      name: path.slice(path.lastIndexOf("/") + 1),
      ...{ isFolder: dir, size, modified: changed, owner, id: NaN },
      taken: taken === undefined ? changed : Date.parse(taken),
      isFavorite: favorites.has(joinPaths(place, below)),
    };
    if (where && !meets(where, found)) continue;
    // In no order the first ones will do: the rest of the walk ends.
    if (best.add(found) === "full") break;
  }
  return best.taken.slice(offset).map(({ path }) => path);
}

/** Whether a search goes by when pictures and videos were taken. */
function asksTaken({ where, order }: DavSearch): boolean {
  return order.some(({ field }) => field === "taken") || (where !== null && comparesTaken(where));
}

function comparesTaken(condition: Condition): boolean {
  if (condition.kind === "not") return comparesTaken(condition.of);
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some(comparesTaken);
  return condition.kind === "number" && condition.field === "taken";
}

/** The results of a search, as they come. Ending early ends the search. */
async function* linesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<SearchResult | SearchRest> {
  let rest = "";
  const texts = stream.pipeThrough(new TextDecoderStream());
  for await (const text of texts) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

/** The best of many, as far as they are wanted. */
class Best {
  readonly #most: number;
  readonly #order: DavSearch["order"];
  #found: Found[] = [];

  constructor(most: number, order: DavSearch["order"]) {
    this.#most = most;
    this.#order = order;
  }

  /** @returns `full` when no other can take the place of one */
  add(found: Found): "full" | "open" {
    this.#found.push(found);
    if (this.#order.length === 0) return this.#found.length >= this.#most ? "full" : "open";
    // Sorting once in a while costs less than finding the place of each.
    if (this.#found.length >= 2 * this.#most + 100) this.#found = this.taken;
    return "open";
  }

  get taken(): Found[] {
    const sorted = this.#order.length === 0
      ? this.#found
      : this.#found.toSorted((a, b) => compare(a, b, this.#order));
    return sorted.slice(0, this.#most);
  }
}

function compare(one: Found, other: Found, order: DavSearch["order"]): number {
  for (const { field, isDescending } of order) {
    const [a, b] = [valueOf(one, field), valueOf(other, field)];
    if (a !== b) return (a < b) === isDescending ? 1 : -1;
  }
  // Pages of one search show each entry once.
  return one.path < other.path ? -1 : 1;
}

function valueOf(found: Found, field: SearchField): string | number {
  if (field === "favorite") return Number(found.isFavorite);
  return field === "type" ? found.name.replace(/^.*\./, "") : found[field];
}

/** A query that finds whatever can meet a condition, and less than everything where that is easy. */
function queryOf(where: Condition | null): Query {
  const query: Query = {
    ...{ terms: [], patterns: [], content: [], isCaseSensitive: false, types: [] },
    ...{ size: null, modified: null, date: null, timeZone: "UTC" },
  };
  for (const condition of where ? allOf(where) : []) {
    const types = typesOf(condition);
    if (types && query.types.length === 0) query.types = types;
    if (condition.kind === "text" && condition.field === "name" && condition.how === "like") {
      query.terms.push(...condition.text.split(/[%_]+/).filter((term) => term !== ""));
    }
    if (condition.kind !== "number" || condition.field !== "modified") continue;
    const { how, value } = condition;
    const { from, to } = query.modified ?? { from: -Infinity, to: Infinity };
    if (how === "gt" || how === "gte") query.modified = { from: Math.max(from, value - 1000), to };
    if (how === "lt" || how === "lte") query.modified = { from, to: Math.min(to, value + 1000) };
  }
  return query;
}

/** The conditions that must all be met. */
function allOf(condition: Condition): Condition[] {
  return condition.kind === "and" ? condition.of.flatMap(allOf) : [condition];
}

/** The types of files, one of which a condition asks for; null where it may be another. */
function typesOf(condition: Condition): string[] | null {
  if (condition.kind === "or") {
    const types = condition.of.map(typesOf);
    return types.includes(null) || types.length === 0
      ? null
      : [...new Set(types.flat() as string[])];
  }
  if (condition.kind !== "text" || condition.field !== "type") return null;
  const type = /^(image|video|audio)\//.exec(condition.text.toLowerCase())?.[1];
  const isTold = condition.how === "like" || condition.how === "eq";
  return type !== undefined && isTold ? [type] : null;
}
