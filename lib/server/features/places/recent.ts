import { isoOf } from "../../../shared/time.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import type { RecentEntry, RecentUse } from "../../../shared/schemas/places.ts";
import type { Access } from "../../core/access/access.ts";
import { type EntryFacts, entryOf } from "../../files/listing/entries.ts";
import { factsOf } from "../../files/listing/folder_resource.ts";
import { maxRecordLength } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import { keptPath } from "./favorites.ts";
import { PlaceLists, recentLists, type StoredUse } from "./place_lists.ts";
import { shownPlace } from "./shown_place.ts";

/** The most entries that are remembered of one user. */
const maxRecent = 100;

/**
 * How long uses are gathered before they are written together, in milliseconds: other threads and
 * nodes see them only then.
 */
const gatherAmongOthersMs = 3_000;
const gatherAloneMs = 30_000;

/** The dependencies of recent files. */
export interface RecentOptions {
  store: Store;
  /** No other thread or node works on the store. */
  isAlone: boolean;
  /** Is told of a store that cannot be written. */
  report: (error: unknown) => void;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

/**
 * The files that users have opened, uploaded or changed last. Uses are gathered in memory and
 * written now and then, so that a request costs no write to the store; a process that is killed
 * forgets the last ones.
 */
export class Recent {
  /** The lists, which follow entries that are moved. */
  readonly lists: PlaceLists<StoredUse>;
  readonly #now: () => number;
  readonly #gathered = new Map<number, Map<EntryPath, StoredUse>>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor({ store, isAlone, report, now = () => Date.now() }: RecentOptions) {
    this.lists = new PlaceLists(store, recentLists);
    this.#now = now;
    const gatherMs = isAlone ? gatherAloneMs : gatherAmongOthersMs;
    this.#timer = setInterval(() => void this.#writeAll().catch(report), gatherMs);
    Deno.unrefTimer(this.#timer);
  }

  /**
   * Notes that a user has used a file.
   *
   * @param place its path below the server root, where it is known; it is looked up otherwise
   * @throws DomainError `forbidden`, `not_found`, `is_folder`
   */
  note(
    userId: number,
    access: Access,
    path: EntryPath,
    use: RecentUse,
    place = placeOfFile(access, path),
  ): void {
    const kept = keptPath(access, path);
    const item = { path: kept, place, use, at: this.#now() };
    const uses = this.#gathered.get(userId) ?? new Map<EntryPath, StoredUse>();
    uses.delete(kept);
    uses.set(kept, item);
    const [oldest] = uses.keys();
    if (uses.size > maxRecent && oldest !== undefined) uses.delete(oldest);
    this.#gathered.set(userId, uses);
  }

  /**
   * The entries that a user has used and may see now, the latest first, without those that are
   * gone.
   */
  async of(userId: number, access: Access): Promise<RecentEntry[]> {
    await this.#write(userId);
    return (await this.lists.get(userId)).flatMap(({ use, at, ...item }) => {
      const shown = shownPlace(access, item);
      if (!shown || shown.entry === "gone") return [];
      const { path, entry } = shown;
      return [{
        ...entryOf(entry ? factsOf(entry) : unknownFacts(path), access.may("modify")),
        use,
        at: isoOf(at),
      }];
    });
  }

  /** Forgets what a user has used. */
  async clear(userId: number): Promise<void> {
    this.#gathered.delete(userId);
    await this.lists.clear(userId);
  }

  /** Stops the timer: what was gathered last is not written any more. */
  close(): void {
    clearInterval(this.#timer);
    this.#gathered.clear();
  }

  async #writeAll(): Promise<void> {
    for (const userId of [...this.#gathered.keys()]) await this.#write(userId);
  }

  async #write(userId: number): Promise<void> {
    const uses = this.#gathered.get(userId);
    if (!uses) return;
    this.#gathered.delete(userId);
    await this.lists.change(userId, (items) => {
      const latest = [...uses.values()].reverse();
      const all = [...latest, ...items.filter(({ path }) => !uses.has(path))];
      return fitting(all.sort((a, b) => b.at - a.at).slice(0, maxRecent));
    });
  }
}

/** The facts of a file whose disk may not answer: its name alone. */
function unknownFacts(path: EntryPath): EntryFacts {
  const info = { isDirectory: false, isFile: true, size: 0, mtime: null, mode: null };
  return { name: nameOf(path), path, info, isLink: false, isBroken: false };
}

/** The first items, cut to what fits into a record. */
function fitting(items: readonly StoredUse[]): StoredUse[] {
  const fit: StoredUse[] = [];
  let length = 2;
  for (const item of items) {
    length += JSON.stringify(item).length + 1;
    if (length > maxRecordLength) break;
    fit.push(item);
  }
  return fit;
}

function placeOfFile(access: Access, path: EntryPath): EntryPath {
  const entry = access.stat(path);
  if (!entry.isFolder) return access.placeOf(entry);
  throw new DomainError("is_folder", `Cannot record "${path}": it is a folder`);
}
