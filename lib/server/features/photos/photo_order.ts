import type { Access } from "../../core/access/access.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { pathBelow } from "../../core/disk/real_path.ts";
import { dayOf, wallClock } from "../../files/listing/taken_order.ts";
import { dayMs } from "../../../shared/time.ts";
import { childOf, type EntryPath, joinPaths, relativePath, ROOT } from "../../../shared/path.ts";
import type { Group } from "../../../shared/schemas/entry.ts";
import type { PhotoPlaces, PlaceBox } from "../../../shared/schemas/timeline.ts";
import { topsIn } from "../contents/ask.ts";
import type { IndexFile } from "../contents/index_file.ts";
import { FOLDERS_BELOW, IndexFolders } from "../contents/index_folders.ts";

/** Which photos are wanted. */
export interface PhotoQuery {
  /** In which the photos without a clock of their own are shown: an IANA name. */
  timeZone: string;
  /** Only those taken here. */
  within?: PlaceBox | undefined;
}

/** A place of a viewer in the index. */
interface Branch {
  /** The folder as the viewer has it. */
  path: EntryPath;
  /** Which names in it the viewer may know of; null for all. */
  allows: ((name: string) => boolean) | null;
}

/**
 * The photos that a viewer may know of, the latest first: some 20 bytes each, however long their
 * names are. Rules, hidden names, scope and roots are those of the gate, which is asked again for
 * those that are shown.
 */
export class PhotoOrder {
  /** Photos that are not read yet. */
  readonly unread: number;
  #ids: Float64Array;
  #walls: Float64Array;
  #ratios: Uint16Array;
  #sum = 0;
  readonly #branches: ReadonlyMap<number, Branch>;
  readonly #groups = new Map<number, Group[]>();

  private constructor(found: Found, branches: ReadonlyMap<number, Branch>) {
    const { ids, walls, ratios } = found;
    const order = Uint32Array.from(ids.keys())
      .sort((a, b) => (walls[b] ?? 0) - (walls[a] ?? 0) || (ids[b] ?? 0) - (ids[a] ?? 0));
    this.unread = found.unread;
    this.#branches = branches;
    this.#ids = Float64Array.from(order, (at) => ids[at] ?? 0);
    this.#walls = Float64Array.from(order, (at) => walls[at] ?? 0);
    this.#ratios = Uint16Array.from(order, (at) => ratios[at] ?? 0);
  }

  /** Reads the photos of a viewer. Blocks, so for Workers. @throws {DomainError} `not_found` */
  static read(index: IndexFile, access: Access, query: PhotoQuery): PhotoOrder {
    const branches = branchesOf(index, access);
    return new PhotoOrder(photosIn(index, branches, query), branches);
  }

  /** The number of photos. */
  get total(): number {
    return this.#ids.length;
  }

  /** A number that changes with the photos and their order, nearly surely. */
  get sum(): number {
    if (this.#sum > 0) return this.#sum;
    let sum = 1;
    for (const id of this.#ids) sum = (Math.imul(sum, 31) + id) | 0;
    return this.#sum = (sum >>> 0) + 1;
  }

  /** Takes photos out that are gone. @param ids their ids */
  drop(ids: readonly number[]): void {
    const gone = new Set(ids);
    const kept = Uint32Array.from(this.#ids.keys().filter((at) => !gone.has(this.idAt(at))));
    this.#walls = Float64Array.from(kept, (at) => this.#walls[at] ?? 0);
    this.#ratios = Uint16Array.from(kept, (at) => this.#ratios[at] ?? 0);
    this.#ids = Float64Array.from(kept, (at) => this.#ids[at] ?? 0);
    this.#groups.clear();
    this.#sum = 0;
  }

  /** The memory that it takes, in photos. */
  get size(): number {
    return this.total + 1;
  }

  /** The id of a photo. */
  idAt(index: number): number {
    return this.#ids[index] ?? -1;
  }

  /** The place of a photo by its id; -1 without it. */
  indexOf(id: number): number {
    return this.#ids.indexOf(id);
  }

  /** The path of a photo as the viewer has it. @param folder the id of its folder */
  pathIn(folder: number, name: string): EntryPath | null {
    const branch = this.#branches.get(folder);
    return branch ? childOf(branch.path, name) : null;
  }

  /** When a photo was taken, as a clock on the wall showed it. */
  wallAt(index: number): number {
    return this.#walls[index] ?? 0;
  }

  /** The ratios of some photos; see `Ratios`. */
  ratios(from: number, to: number): number[] {
    return [...this.#ratios.subarray(from, to)];
  }

  /** Where and on which days the latest photos that have a place were taken. */
  places(index: IndexFile, limit: number): PhotoPlaces {
    const known = new Map<number, [latitude: number, longitude: number]>();
    const sql = "SELECT id, latitude, longitude FROM photos WHERE latitude IS NOT NULL";
    for (const { id, latitude, longitude } of index.each(sql)) {
      known.set(Number(id), [Number(latitude), Number(longitude)]);
    }
    const answer: PhotoPlaces = { places: [], days: [], total: 0 };
    for (const [at, id] of this.#ids.entries()) {
      const place = known.get(id);
      if (!place || ++answer.total > limit) continue;
      answer.places.push(...place.map(rounded));
      answer.days.push(Math.floor(this.wallAt(at) / dayMs));
    }
    return answer;
  }

  /** The months or days, with the numbers of their photos. */
  groupsBy(unit: "month" | "day"): Group[] {
    const length = unit === "month" ? "2026-11".length : "2026-11-29".length;
    const kept = this.#groups.get(length);
    if (kept) return kept;
    const groups: Group[] = [];
    let [day, name] = [NaN, ""];
    for (const wall of this.#walls) {
      const here = Math.floor(wall / dayMs);
      if (here !== day) [day, name] = [here, dayOf(here * dayMs).slice(0, length)];
      const last = groups.at(-1);
      if (last?.name === name) last.count++;
      else groups.push({ name, count: 1 });
    }
    this.#groups.set(length, groups);
    return groups;
  }

  /** The photos of a day of former years, by the years. @param now what the clock shows now */
  onDayOf(now: number): { year: number; from: number; to: number }[] {
    const today = dayOf(now);
    const years: { year: number; from: number; to: number }[] = [];
    let from = 0;
    for (const { name, count } of this.groupsBy("day")) {
      if (name.slice(4) === today.slice(4) && name < today) {
        years.push({ year: Number(name.slice(0, 4)), from, to: from + count });
      }
      from += count;
    }
    return years;
  }
}

/** Four digits are some ten metres. */
function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}

/** The folders of the index that a viewer may know of, by their ids. */
function branchesOf(index: IndexFile, access: Access): Map<number, Branch> {
  const branches = new Map<number, Branch>();
  // Of roots in one another the innermost counts, as it does for paths in records.
  const tops = topsIn(access.folder(ROOT)).map((top) => ({
    top,
    base: pathBelow(top.real, access.spec.root),
  })).sort((a, b) => b.base.length - a.base.length);
  const folders = new IndexFolders(index);
  for (const { top, base } of tops) {
    const branchAt = branchIn(top);
    const rows = index.each(
      `SELECT id, path FROM folders WHERE id IN (${FOLDERS_BELOW})`,
      ...folders.rangeOf(base),
    );
    for (const { id, path } of rows) {
      if (branches.has(Number(id))) continue;
      const branch = branchAt(joinPaths(top.path, relativePath(String(path) as EntryPath, base)));
      if (branch) branches.set(Number(id), branch);
    }
  }
  return branches;
}

/** Decides about the folders in one that a viewer has entered. */
function branchIn({ locator, spelling }: FolderHandle): (path: EntryPath) => Branch | null {
  const filters = spelling.caseInsensitive
    ? [locator.visibility(), locator.visibility(true)]
    : [locator.visibility()];
  if (filters.every(({ hidesNothing }) => hidesNothing)) return (path) => ({ path, allows: null });
  return (path) => {
    const inScope = locator.inScope(path);
    // A folder that names alone hide has nothing to be found, nor has one above the bound of a token.
    if (!filters.every((filter) => isOpen(filter, inScope))) return null;
    const tests = filters.map((filter) => filter.allowsIn(inScope));
    return { path, allows: (name) => tests.every((test) => test(name)) };
  };
}

function isOpen(filter: { denialOf(path: string): "name" | number | null }, path: string): boolean {
  return path === ROOT || filter.denialOf(path) === null;
}

/** How many rows of the index are in memory as text at a time. */
const rowsAtOnce = 50_000;

/** Photos in the order of the index. */
interface Found {
  ids: number[];
  walls: number[];
  ratios: number[];
  unread: number;
}

function photosIn(
  index: IndexFile,
  branches: ReadonlyMap<number, Branch>,
  { timeZone, within }: PhotoQuery,
): Found {
  const wallOf = wallClock(timeZone);
  const found: Found = { ids: [], walls: [], ratios: [], unread: 0 };
  const needsNames = branches.values().some(({ allows }) => allows !== null);
  // A box over the date line begins further east than it ends.
  const [west, south, east, north] = within ?? [];
  const longitudes = (west ?? 0) <= (east ?? 0)
    ? "longitude >= ? AND longitude <= ?"
    : "(longitude >= ? OR longitude <= ?)";
  const where = within ? `AND latitude >= ? AND latitude <= ? AND ${longitudes}` : "";
  const values = within ? [south, north, west, east] as number[] : [];
  const columns = ["id", "folder", "time", "is_wall + 2 * unread", "ratio"];
  if (needsNames) columns.push("name");
  // Columns as JSON: a value of SQLite in a row of its own takes three times as long to read.
  const lists = columns.map((_, at) => `json_group_array(c${at}) AS c${at}`);
  const named = columns.map((column, at) => `${column} AS c${at}`);
  const sql = `SELECT ${lists} FROM
    (SELECT ${named} FROM photos WHERE id > ? ${where} ORDER BY id LIMIT ${rowsAtOnce})`;
  for (let last = -1;;) {
    const row = index.one(sql, last, ...values) ?? {};
    const listOf = (at: number) => JSON.parse(String(row[`c${at}`] ?? "[]"));
    const ids: number[] = listOf(0);
    const [folders, times, flags, ratios]: number[][] = [1, 2, 3, 4].map(listOf);
    const names: string[] = listOf(5);
    for (const [at, id] of ids.entries()) {
      const branch = branches.get(folders?.[at] ?? -1);
      if (!branch || branch.allows && !branch.allows(names[at] ?? "")) continue;
      const [time = 0, flag = 0] = [times?.[at], flags?.[at]];
      found.ids.push(id);
      found.walls.push(flag & 1 ? time : wallOf(time));
      found.ratios.push(ratios?.[at] ?? 0);
      found.unread += flag >> 1;
    }
    if (ids.length < rowsAtOnce) return found;
    last = ids.at(-1) ?? last;
  }
}
