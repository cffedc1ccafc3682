/**
 * The Worker that lists large folders and trees, searches by name, measures and deletes folders, and
 * parses large JSON bodies.
 */
import { parseJson } from "../text/parse_json.ts";
import { enterAgain, type SentAccess } from "../../core/access/gate.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import type { Growth } from "../../core/access/allowance.ts";
import { encodeFolder } from "../listing/folder_resource.ts";
import type { ListOptions } from "../listing/listing.ts";
import type { SearchOptions } from "../search/query.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import {
  serveWorker,
  type StreamCall,
  type WorkerCall,
} from "../../core/concurrency/serve_worker.ts";
import { NameCache, viewerKey } from "../listing/name_cache.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { type FileType, typeOfName } from "../content/types.ts";
import { checkBelow, removeFolder } from "../remove_tree.ts";
import { measureEach, measureFolder, type SizeOptions } from "../sizes/measure_folder.ts";
import { SizeCache } from "../sizes/size_cache.ts";
import { measureTrashed, type TrashedFolder } from "../trash/measure_trashed.ts";
import { removeMarked } from "../trash/trash_entries.ts";
import { type Walk, walkFolders } from "../search/walk.ts";
import { WalkHelpers } from "./walk_helpers.ts";

/** Memory for names: those of a million entries with names of 40 characters fit in. */
const maxNameBytes = 96 * 1024 * 1024;

/** How long the Worker keeps its memory without a call, in milliseconds. */
const idleMs = 5 * 60_000;

const cache = new NameCache(maxNameBytes);
const sizes = new SizeCache();
const helpers = new WalkHelpers();

/** An entry, and for whom the gate opens. */
interface Target {
  access: SentAccess;
  path: EntryPath;
}

const work = {
  /**
   * Lists a folder.
   *
   * @returns the JSON of a `Resource` in UTF-8 chunks
   * @throws {DomainError} `forbidden`, `not_found`
   */
  list(
    { access, path, options }: Target & { options: ListOptions },
    { signal }: WorkerCall,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const entered = enterAgain(access);
    return encodeFolder(
      entered,
      path,
      options,
      new Pauses(signal),
      (folder, open, pauses) => cache.names(folder, open, pauses),
      helpers.listing(entered, signal),
    );
  },

  /**
   * Lists a huge folder. Streams the JSON of a `Resource` while it is written, in UTF-8.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async listInParts(
    { access, path, options }: Target & { options: ListOptions },
    call: StreamCall,
  ): Promise<void> {
    let begun: Promise<void> | undefined;
    const send = async (page: Uint8Array<ArrayBuffer>) => {
      // Opened with the first page: until then the listing may be refused.
      await (begun ??= call.open(null));
      await call.send(page);
    };
    const entered = enterAgain(access);
    const last = await encodeFolder(
      entered,
      path,
      options,
      new Pauses(call.signal),
      (folder, open, pauses) => cache.names(folder, open, pauses),
      helpers.listing(entered, call.signal),
      send,
    );
    for (const page of last) await send(page);
  },

  /**
   * The names of the first files of a folder, from A to Z, whose names tell one of these types.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async firstOfTypes(
    { access, path, types, max }: Target & { types: readonly FileType[]; max: number },
    { signal }: WorkerCall,
  ): Promise<string[]> {
    const folder = enterAgain(access).folder(path);
    using open = folder.open();
    const found: string[] = [];
    const names = await cache.names(folder, open, new Pauses(signal));
    for (const number of names.sorted.files) {
      const name = names.name(number);
      const type = typeOfName(name);
      if (type !== undefined && types.includes(type)) found.push(name);
      if (found.length === max) break;
    }
    return found;
  },

  /**
   * Removes a folder with its whole subtree, unless anything below is denied.
   *
   * @throws {DomainError} `forbidden` with nothing done, `not_found`
   */
  remove({ access, path }: Target, { signal }: WorkerCall): Promise<void> {
    return removeFolder(enterAgain(access), path, new Pauses(signal));
  },

  /**
   * Refuses a folder with anything below it that the viewer does not reach.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async checkBelow({ access, path }: Target, { signal }: WorkerCall): Promise<void> {
    const source = enterAgain(access).remove(path);
    await checkBelow(source.folder(), `Cannot delete "${path}"`, new Pauses(signal));
  },

  /**
   * Removes what is to be removed from the trash of a disk, whose top the path is: all of it unless
   * the ids of some are given.
   */
  removeMarked(
    { spec, path, ids }: { spec: GateSpec; path: EntryPath; ids?: readonly string[] },
    { signal }: WorkerCall,
  ): Promise<void> {
    return removeMarked(spec, path, new Pauses(signal), ids);
  },

  /** Adds up the files in a folder of the trash; null when that fails. */
  measureTrashed(
    { spec, ...folder }: TrashedFolder & { spec: GateSpec },
    { signal }: WorkerCall,
  ): Promise<Growth | null> {
    return measureTrashed(spec, folder, new Pauses(signal, "low"));
  },

  /**
   * Searches entries by name. Streams the results as they are found, in UTF-8.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  search(
    { access, path, options }: Target & { options: SearchOptions },
    call: StreamCall,
  ): Promise<void> {
    const { format, ...order } = options;
    return walkFolders({ access: enterAgain(access), path, order, format }, call, helpers);
  },

  /**
   * Streams all entries below a folder, as a JSON array of `TreeEntry` in UTF-8.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  tree({ access, path }: Target, call: StreamCall): Promise<void> {
    const walk: Walk = { access: enterAgain(access), path, order: "all", format: "json" };
    return walkFolders(walk, call, helpers);
  },

  /**
   * Measures everything below a folder, or some of its entries. Streams the totals as JSON in UTF-8;
   * in lines also those so far, on the way.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `invalid_path`
   */
  measure(
    { access, path, options }: Target & { options: SizeOptions },
    call: StreamCall,
  ): Promise<void> {
    const kept = { cache: sizes, viewer: viewerKey(access) };
    return measureFolder(enterAgain(access), path, options, kept, call);
  },

  /**
   * Measures each of some folders by itself. Streams a `MeasuredFolder` a line for each.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `invalid_path`
   */
  measureEach(
    { access, path, names }: Target & { names: readonly string[] },
    call: StreamCall,
  ): Promise<void> {
    const kept = { cache: sizes, viewer: viewerKey(access) };
    return measureEach(enterAgain(access), path, names, kept, call);
  },

  /** Forgets the size of a folder in which something has changed, or a file of it. */
  recordChange({ real }: { real: string }): void {
    sizes.forget(real);
  },

  /**
   * Parses a large body of JSON.
   *
   * @throws {DomainError} as `parseJson()`
   */
  parseJson({ body, maxValues }: { body: Uint8Array; maxValues: number }): unknown {
    return parseJson(body, maxValues);
  },
};

/** The functions of this worker. */
export type ListingWork = typeof work;

/** Prefixes of error messages. */
const actions: Record<string, string> = {
  list: "Cannot list",
  listInParts: "Cannot list",
  firstOfTypes: "Cannot list",
  remove: "Cannot delete",
  checkBelow: "Cannot delete",
  removeMarked: "Cannot empty the trash of",
  measureTrashed: "Cannot measure",
  search: "Cannot search",
  tree: "Cannot list",
  measure: "Cannot measure",
  measureEach: "Cannot measure",
};

serveWorker(work, {
  idleMs,
  asError: (thrown, name, { path }: { path?: EntryPath }) =>
    path === undefined ? thrown : asRefusal(thrown, `${actions[name]} "${path}"`),
});
