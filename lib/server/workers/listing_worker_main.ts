import { Gate } from "../access/gate.ts";
import { asRefusal } from "../access/os_errors.ts";
import type { Access } from "../access/access.ts";
import { encodeFolder } from "../files/listing/folder_resource.ts";
import type { ListOptions } from "../files/listing/listing.ts";
import type { SearchOptions } from "../search/query.ts";
import { Pauses } from "../concurrency/pauses.ts";
import { serveWorker } from "../concurrency/serve_worker.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";
import { NameCache } from "../files/listing/name_cache.ts";
import type { CallTarget } from "./file_calls.ts";
import { checkBelow } from "../files/check_below.ts";
import { removeFolder } from "../files/remove_folder.ts";
import { measureFolder, type SizeOptions } from "../sizes/measure_folder.ts";
import { SizeCache } from "../sizes/size_cache.ts";
import { typeOfName } from "../files/content/types.ts";
import { measureTrashed, type TrashedFolder } from "../trash/measure_trashed.ts";
import { removeDoomed } from "../trash/remove_doomed.ts";
import { listTree } from "../search/list_tree.ts";
import { searchFolder } from "../search/search_folder.ts";

const cache = new NameCache();
const sizes = new SizeCache();

const work = {
  /** The JSON of a folder's `Resource`, in chunks. */
  list(
    { target, options }: { target: CallTarget; options: ListOptions },
    { signal }: WorkerCall,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const key = viewerKey(target);
    const pauses = new Pauses(signal);
    return encodeFolder(
      enter(target),
      target.path,
      options,
      pauses,
      (folder, open) => cache.names(folder, open, key),
    );
  },

  /** The first files of a folder, from A to Z, whose names tell one of these types. */
  firstOfTypes(
    { target, types, most }: { target: CallTarget; types: readonly string[]; most: number },
  ): string[] {
    const folder = enter(target).folder(target.path);
    using open = folder.open();
    const found: string[] = [];
    for (const { name } of cache.names(folder, open, viewerKey(target)).files) {
      const type = typeOfName(name);
      if (type !== undefined && types.includes(type)) found.push(name);
      if (found.length === most) break;
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
  removeDoomed({ target }: { target: CallTarget }, { signal }: WorkerCall): Promise<void> {
    return removeDoomed(target.spec, target.path, new Pauses(signal));
  },

  /** Adds up the sizes of the files in a folder of the trash; null when that fails. */
  measureTrashed(
    { target, folder }: { target: CallTarget; folder: TrashedFolder },
    { signal }: WorkerCall,
  ): Promise<number | null> {
    return measureTrashed(target.spec, folder, new Pauses(signal, "low"));
  },

  /** Streams search results. */
  search(
    { target, options }: { target: CallTarget; options: SearchOptions },
    call: WorkerCall,
  ): Promise<void> {
    return searchFolder(enter(target), target.path, options, call);
  },

  /** Streams all entries below a folder. */
  tree({ target }: { target: CallTarget }, call: WorkerCall): Promise<void> {
    return listTree(enter(target), target.path, call);
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
  noteChange({ real }: { target: CallTarget; real: string }, _: WorkerCall): void {
    sizes.forget(real);
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
  removeDoomed: "Cannot empty the trash of",
  measureTrashed: "Cannot measure",
  search: "Cannot search",
  tree: "Cannot list",
  measure: "Cannot measure",
  noteChange: "Cannot note a change in",
};

serveWorker(work, {
  asError: (thrown, name, { target }: { target: CallTarget }) =>
    asRefusal(thrown, `${actions[name]} "${target.path}"`),
});

function enter({ spec, viewer }: CallTarget): Access {
  return new Gate(spec).enter(viewer);
}

/** A cache key, equal for viewers who see the same names; permissions do not matter to names. */
function viewerKey({ spec, viewer: { scope, base, rules, hideDotfiles } }: CallTarget): string {
  return JSON.stringify([spec.root, spec.reserved, scope, base, rules, hideDotfiles]);
}
