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
import { removeFolder } from "../files/remove_folder.ts";
import { listTree } from "../search/list_tree.ts";
import { searchFolder } from "../search/search_folder.ts";

const cache = new NameCache();

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

  remove({ target }: { target: CallTarget }, { signal }: WorkerCall): Promise<void> {
    return removeFolder(enter(target), target.path, new Pauses(signal));
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
};

/** The functions of this worker. */
export type ListingWork = typeof work;

/** Prefixes of error messages. */
const actions: Record<string, string> = {
  list: "Cannot list",
  remove: "Cannot delete",
  search: "Cannot search",
  tree: "Cannot list",
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
