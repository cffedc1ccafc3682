import { LruCache } from "../../../shared/lru_cache.ts";
import { foldName } from "../../../shared/fold.ts";
import { childrenOf, type EntryPath, ROOT } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import { ThreadChannel } from "../../core/concurrency/thread_channel.ts";
import { FolderQueue } from "../../files/search/folder_queue.ts";
import { mounts } from "../../core/disk/mounts.ts";
import { realChild } from "../../core/disk/real_path.ts";
import { pathInView, placeInView } from "./paths_in_view.ts";
import { entryAt } from "./places.ts";
import type { FileIds, IdentifiedEntry } from "./file_ids.ts";

/** Most ids whose places are known, about 250 bytes each. */
const maxKnown = 50_000;

/** How long a walk looks for an id, in milliseconds, and how long after it none begins again. */
const walkMs = 3_000;
const pauseMs = 30_000;

/** Most users whose last walk is known. */
const maxWalks = 1_000;

/** An entry with what its id depends on: its own place, and whether a link leads there. */
export function identified(
  access: Access,
  { path, real, info }: Pick<EntryHandle, "path" | "real" | "info">,
): Required<IdentifiedEntry> {
  const target = access.placeOf({ real });
  const place = placeInView(access.viewer, path) ?? target;
  // A disk may take other spellings of the same name.
  const isLinked = foldName(place) !== foldName(target);
  return { info, place: isLinked ? place : target, isLinked };
}

/**
 * Ids with the places of their entries below the server root, which one thread tells the others; null
 * asks for the place.
 */
type NotedPlaces = [id: string, place: EntryPath | null][];

/**
 * Finds entries by their ids, for clients that ask for previews by `oc:fileid` alone. They have the
 * ids from listings, which note where they were, in all threads of the server. For an id that no
 * listing has told, the viewer's files are walked for a moment; nothing is found that the viewer may
 * not see.
 */
export class IdLookups {
  readonly #fileIds: FileIds;
  readonly #places = new LruCache<string, EntryPath>(maxKnown);
  readonly #walked = new LruCache<string, number>(maxWalks);
  readonly #walks = new SingleFlight<void>();
  readonly #channel: ThreadChannel<NotedPlaces>;

  /** @param root the served folder, by which the threads of a server find each other */
  constructor(fileIds: FileIds, root: string) {
    this.#fileIds = fileIds;
    this.#channel = new ThreadChannel(`cubby-entry-ids ${root}`, {
      take: (places) => {
        for (const [id, place] of places) {
          const known = this.#places.get(id);
          if (place !== null) this.#places.set(id, place);
          else if (known !== undefined) this.#channel.post([[id, known]]);
        }
      },
    });
  }

  /** The ids of some entries, in their order; notes where these are. */
  async idsOf(entries: readonly Required<IdentifiedEntry>[]): Promise<string[]> {
    const ids = await this.#fileIds.idsOf(entries);
    const news = entries.flatMap(({ place }, at): [string, EntryPath][] => {
      const id = ids[at];
      return id === undefined || this.#places.get(id) === place ? [] : [[id, place]];
    });
    for (const [id, place] of news) this.#places.set(id, place);
    if (news.length > 0) this.#channel.post(news);
    return ids;
  }

  /**
   * The path of the entry with an id as the viewer has it; null for one that is not found.
   *
   * @param owner the key of the user, of whom only one walk runs at a time
   */
  async find(
    access: Access,
    owner: string,
    id: string,
    signal: AbortSignal,
  ): Promise<EntryPath | null> {
    const known = await this.#known(access, id);
    if (known !== null) return known;
    if (!/^\d{1,16}$/.test(id)) return null;
    // Another thread may have told of it before this one listened, or was behind.
    this.#channel.post([[id, null]]);
    const last = this.#walked.get(owner);
    if (last !== undefined && performance.now() - last < pauseMs) return null;
    await this.#walks.join(owner, (abandoned) => this.#walk(access, owner, abandoned), signal);
    return await this.#known(access, id);
  }

  close(): void {
    this.#channel.close();
  }

  /** Null also where another entry has the place by now. */
  async #known(access: Access, id: string): Promise<EntryPath | null> {
    const place = this.#places.get(id);
    const path = place === undefined ? null : pathInView(access.viewer, place);
    if (path === null) return null;
    try {
      const entry = entryAt(access, path);
      if (!entry) return null;
      const [own] = await this.#fileIds.idsOf([identified(access, entry)]);
      return own === id ? path : null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  /** Notes the ids of the viewer's files, the nearest first. */
  async #walk(access: Access, owner: string, signal: AbortSignal): Promise<void> {
    const end = performance.now() + walkMs;
    const pauses = new Pauses(signal, "serving");
    const queue = new FolderQueue<FolderHandle>();
    queue.add([access.folder(ROOT)]);
    try {
      for (let folder = queue.next(); folder; folder = queue.next()) {
        for await (const below of this.#noteIn(access, folder)) {
          queue.add(below);
          if (pauses.isDue) await pauses.pause();
          if (performance.now() >= end) return;
        }
      }
    } finally {
      this.#walked.set(owner, performance.now());
    }
  }

  /** Notes the ids in a folder, and gives the folders in it, part by part. */
  async *#noteIn(access: Access, folder: FolderHandle): AsyncGenerator<FolderHandle[]> {
    try {
      using open = folder.open();
      const pathOf = childrenOf(folder.path);
      for (const children of folder.readInParts(open)) {
        const found: ReturnType<typeof identified>[] = [];
        const below: FolderHandle[] = [];
        for (const child of children) {
          const real = realChild(folder.real, child.name);
          // Another disk may hang, and this thread with it.
          const isLeft = child.target !== null || mounts.isPoint(real);
          const info = isLeft ? null : folder.stat(child, open);
          if (!info) continue;
          const inside = info.isDirectory ? folder.enter(child, open) : null;
          const file = { path: pathOf(child.name), real, info };
          if (inside) below.push(inside);
          if (inside || info.isFile) found.push(identified(access, inside ?? file));
        }
        await this.idsOf(found);
        yield below;
      }
    } catch (error) {
      // Gone, or unreadable.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
