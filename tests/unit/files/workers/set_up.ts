/** A walker on a folder of its own. */
import type { Resource } from "../../../../lib/shared/schemas/entry.ts";
import type { Sorting } from "../../../../lib/shared/schemas/view.ts";
import type { ListOptions } from "../../../../lib/server/files/listing/listing.ts";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";
import { memoryPlace, plant, temporaryFolder, type Tree } from "../../../support/disks/files.ts";
import { at, enter, type viewer } from "../../core/access/visitors.ts";

const sorting: Sorting = { by: "name", asc: true };

/**
 * Plants a tree and makes a walker, both gone with the block that holds them.
 *
 * @param options.script the Worker's module, when it is not the usual one
 * @param options.onDisk for work that a test must be able to break off: memory is too fast
 */
export async function setUp(tree: Tree = {}, options: { script?: URL; onDisk?: boolean } = {}) {
  const { script, onDisk = false } = options;
  const folder = await temporaryFolder(onDisk ? undefined : memoryPlace());
  await plant(folder.path, tree);
  const listingWorker = openListingWorker(script);
  return {
    root: folder.path,
    listingWorker,
    async list(
      path: string,
      window: Partial<ListOptions> = {},
      as: Parameters<typeof viewer>[0] = {},
      signal?: AbortSignal,
    ): Promise<Resource> {
      const all = { sorting, ...window };
      const args = { access: enter(folder.path, as), path: at(path), options: all };
      const pages = await listingWorker.list(args, { signal });
      return await new Response(new Blob(pages)).json();
    },
    remove: (path: string, as = {}, signal?: AbortSignal) =>
      listingWorker.remove({ access: enter(folder.path, as), path: at(path) }, { signal }),
    async [Symbol.asyncDispose]() {
      listingWorker.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
