import { setImmediate } from "node:timers/promises";
import { childrenOf, encodePath, type EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import type { DavEntry } from "./live_properties.ts";
import {
  type DeadProperty,
  type EntryWriter,
  multistatusEnd,
  multistatusStart,
} from "./multistatus.ts";

/** Entries after which others get a turn on the thread. */
const stride = 256;

/** The length of a chunk, in characters. */
const chunkLength = 32 * 1024;

/** The responses for a path and, with depth 1, for the entries in the folder that is there. */
export interface Description {
  access: Access;
  entry: EntryHandle;
  depth: 0 | 1;
  write: EntryWriter;
  /** The dead properties of the entry itself and, by name, of those in it. */
  dead: { own: readonly DeadProperty[]; of(name: string): Promise<readonly DeadProperty[]> };
  /** The path of the root, without a slash at its end: `/base/dav`. */
  prefix: string;
}

/**
 * The address of an entry: a folder's ends with a slash, by which clients tell it.
 *
 * @param prefix `/base/dav`
 */
export function hrefOf(prefix: string, path: EntryPath, isFolder: boolean): string {
  return prefix + encodePath(path, { folder: isFolder });
}

/**
 * The names in a folder, read before the answer begins, so that a folder that cannot be read is
 * refused in time. Entries without a content of their own are left out: broken links, pipes,
 * devices.
 */
export function childrenIn({ access, entry, depth }: Description): Child[] {
  if (depth === 0 || !entry.isFolder) return [];
  const { children } = access.folder(entry).read();
  return children.filter(({ target, kind }) =>
    kind !== "other" && (target === null || target.kind === "inside")
  );
}

/**
 * Writes the multistatus in chunks, while the entries are looked at: a folder of 100,000 entries is
 * never in memory as XML.
 */
export async function* multistatusOf(
  description: Description,
  children: readonly Child[],
): AsyncGenerator<string> {
  const { access, entry, write, dead, prefix } = description;
  const self: DavEntry = entry;
  let chunk = multistatusStart +
    write(hrefOf(prefix, entry.path, entry.isFolder), self, dead.own);
  if (children.length > 0) {
    const folder = access.folder(entry);
    const pathOf = childrenOf(entry.path);
    const top = hrefOf(prefix, entry.path, true);
    using open = folder.open();
    for (const [index, child] of children.entries()) {
      const info = folder.stat(child, open);
      if (info && (info.isFile || info.isDirectory)) {
        const { name } = child;
        const href = top + encodeURIComponent(name) + (info.isDirectory ? "/" : "");
        chunk += write(href, { path: pathOf(name), name, info }, await dead.of(name));
      }
      if (chunk.length >= chunkLength) {
        yield chunk;
        chunk = "";
      }
      if (index % stride === stride - 1) await setImmediate();
    }
  }
  yield chunk + multistatusEnd;
}
