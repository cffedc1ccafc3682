/**
 * The Worker that lists large folders and trees, searches by name, measures and deletes folders, and
 * parses large JSON bodies.
 */
import { parseJson } from "../text/parse_json.ts";
import { Gate } from "../access/gate.ts";
import { asRefusal } from "../access/os_errors.ts";
import type { Growth } from "../access/allowance.ts";
import type { Access } from "../access/access.ts";
import { encodeFolder } from "../files/listing/folder_resource.ts";
import type { ListOptions } from "../files/listing/listing.ts";
import type { SearchOptions } from "../search/query.ts";
import { Pauses } from "../concurrency/pauses.ts";
import { serveWorker } from "../concurrency/serve_worker.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";
import { NameCache, viewerKey } from "../files/listing/name_cache.ts";
import type { CallTarget } from "./file_calls.ts";
import { checkBelow } from "../files/check_below.ts";
import { removeFolder } from "../files/remove_folder.ts";
import { measureFolder, type SizeOptions } from "../sizes/measure_folder.ts";
import { SizeCache } from "../sizes/size_cache.ts";
import { typeOfName } from "../files/content/types.ts";
import { measureTrashed, type TrashedFolder } from "../trash/measure_trashed.ts";
import { removeMarked } from "../trash/remove_marked.ts";
import { type Walk, walkFolders } from "../search/walk.ts";
import { WalkHelpers } from "./walk_helpers.ts";

/** Most names that are kept. */
const maxNames = 200_000;

const cache = new NameCache(maxNames);
const sizes = new SizeCache();
const helpers = new WalkHelpers();

const work = {
  /** The JSON of a folder's `Resource`, in chunks. */
  list(
    { target, options }: { target: CallTarget; options: ListOptions },
    { signal }: WorkerCall,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const pauses = new Pauses(signal);
    return encodeFolder(
      enter(target),
      target.path,
      options,
      pauses,
      (folder, open) => cache.names(folder, open),
    );
  },

  /** The first files of a folder, from A to Z, whose names tell one of these types. */
  firstOfTypes(
    { target, types, max }: { target: CallTarget; types: readonly string[]; max: number },
  ): string[] {
    const folder = enter(target).folder(target.path);
    using open = folder.open();
    const found: string[] = [];
    for (const { name } of cache.names(folder, open).files) {
      const type = typeOfName(name);
      if (type !== undefined && types.includes(type)) found.push(name);
      if (found.length === max) break;
    }
    return found;
  },

  remove({ target }: { target: CallTarget }, { signal }: WorkerCall): Promise<void> {
    return removeFolder(enter(target), target.path, new Pauses(signal));
  },

  /** Refuses a folder with anything below it that the viewer does not reach. */
  async checkBelow({ target }: { target: CallTarget }, { signal }: WorkerCall): Promise<void> {
    const source = enter(target).remove(target.path);
    await checkBelow(source.folder(), `Cannot delete "${target.path}"`, new Pauses(signal));
  },

  /** Removes what is to be removed from the trash of a disk, whose top the path is. */
  removeMarked({ target }: { target: CallTarget }, { signal }: WorkerCall): Promise<void> {
    return removeMarked(target.spec, target.path, new Pauses(signal));
  },

  /** Adds up the files in a folder of the trash; null when that fails. */
  measureTrashed(
    { target, folder }: { target: CallTarget; folder: TrashedFolder },
    { signal }: WorkerCall,
  ): Promise<Growth | null> {
    return measureTrashed(target.spec, folder, new Pauses(signal, "low"));
  },

  /** Streams search results. */
  search(
    { target, options }: { target: CallTarget; options: SearchOptions },
    call: WorkerCall,
  ): Promise<void> {
    const { query, details, format } = options;
    const order = { query, details };
    return walkFolders({ access: enter(target), path: target.path, order, format }, call, helpers);
  },

  /** Streams all entries below a folder. */
  tree({ target }: { target: CallTarget }, call: WorkerCall): Promise<void> {
    const walk: Walk = {
      access: enter(target),
      path: target.path,
      order: "all",
      format: "json",
    };
    return walkFolders(walk, call, helpers);
  },

  /** Streams the totals of what is below a folder. */
  measure(
    { target, options }: { target: CallTarget; options: SizeOptions },
    call: WorkerCall,
  ): Promise<void> {
    const kept = { cache: sizes, viewer: viewerKey(target) };
    return measureFolder(enter(target), target.path, options, kept, call);
  },

  /** Forgets the size of a folder in which something has changed. */
  recordChange({ real }: { target: CallTarget; real: string }, _: WorkerCall): void {
    sizes.forget(real);
  },

  /** Parses a large body of JSON. */
  parseJson({ body, maxValues }: { body: Uint8Array; maxValues: number }, _: WorkerCall) {
    return parseJson(body, maxValues);
  },
};

/** The functions of this worker. */
export type ListingWork = typeof work;

/** Prefixes of error messages. */
const actions: Record<string, string> = {
  list: "Cannot list",
  firstOfTypes: "Cannot list",
  remove: "Cannot delete",
  checkBelow: "Cannot delete",
  removeMarked: "Cannot empty the trash of",
  measureTrashed: "Cannot measure",
  search: "Cannot search",
  tree: "Cannot list",
  measure: "Cannot measure",
  recordChange: "Cannot record a change in",
};

serveWorker(work, {
  asError: (thrown, name, { target }: { target?: CallTarget }) =>
    target ? asRefusal(thrown, `${actions[name]} "${target.path}"`) : thrown,
});

function enter({ spec, viewer }: CallTarget): Access {
  return new Gate(spec).enter(viewer);
}
