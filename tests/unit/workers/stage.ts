/** A walker on a folder of its own. */
import type { Resource, Sorting } from "../../../lib/shared/api_types.ts";
import type { ListOptions } from "../../../lib/server/files/listing/listing.ts";
import { Walker } from "../../../lib/server/workers/walker.ts";
import { plant, temporaryFolder, type Tree } from "../../support/files.ts";
import { at, enter, type viewer } from "../access/visitors.ts";

const sorting: Sorting = { by: "name", asc: true };

/**
 * Plants a tree and makes a walker, both gone with the block that holds them.
 *
 * @param script the Worker's module, when it is not the usual one
 */
export async function stage(tree: Tree = {}, script?: URL) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  const walker = new Walker(script);
  return {
    root: folder.path,
    walker,
    async list(
      path: string,
      options: Partial<ListOptions> = {},
      as: Parameters<typeof viewer>[0] = {},
      signal?: AbortSignal,
    ): Promise<Resource> {
      const all = { sorting, ...options };
      const pages = await walker.list(enter(folder.path, as), at(path), all, signal);
      return await new Response(new Blob(pages)).json();
    },
    remove: (path: string, as = {}, signal?: AbortSignal) =>
      walker.remove(enter(folder.path, as), at(path), signal),
    async [Symbol.asyncDispose]() {
      walker.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
