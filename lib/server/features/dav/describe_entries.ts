import { setImmediate } from "node:timers/promises";
import { childrenOf, encodePath, type EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import type { DavEntry } from "./live_properties.ts";
import type { ClientFacts, ListedEntry, ReadAhead } from "./client_facts.ts";
import type { DeadProperty, EntryWriter, MultistatusForm } from "./multistatus.ts";

/** Entries after which others get a turn on the thread. */
const stride = 256;

/** The length of a chunk, in characters. */
const chunkLength = 32 * 1024;

/** The responses for a path and, with depth 1, for the entries in the folder that is there. */
export interface Description {
  access: Access;
  entry: EntryHandle;
  write: EntryWriter;
  /** The dead properties of the entry itself and, by name, of those in it. */
  dead: { own: readonly DeadProperty[]; of(name: string): Promise<readonly DeadProperty[]> };
  /** The path of the root, without a slash at its end: `/base/dav`. */
  prefix: string;
  form: MultistatusForm;
  /** What clients that sync ask for: of the entry itself, and of those in it. */
  client: { own: ClientFacts; below: ReadAhead } | null;
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
 *
 * @param withoutLinked leaves linked folders out: sync clients would enter one that leads upwards
 * again and again
 */
export function childrenIn(
  access: Access,
  entry: EntryHandle,
  depth: 0 | 1,
  { withoutLinked = false } = {},
): Child[] {
  if (depth === 0 || !entry.isFolder) return [];
  const { children } = access.folder(entry).read();
  return children.filter(({ target, kind, isFolder }) =>
    kind !== "other" &&
    (target === null || (target.kind === "inside" && !(withoutLinked && isFolder)))
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
  const { access, entry, write, dead, prefix, form, client } = description;
  const { path, name, info } = entry;
  const self: DavEntry = { path, name, info, client: client?.own };
  let chunk = form.start + write(hrefOf(prefix, path, entry.isFolder), self, dead.own);
  if (children.length > 0) {
    const folder = access.folder(entry);
    const pathOf = childrenOf(path);
    const top = hrefOf(prefix, path, true);
    using open = folder.open();
    for (let at = 0; at < children.length; at += stride) {
      const listed: ListedEntry[] = [];
      for (const child of children.slice(at, at + stride)) {
        const info = folder.stat(child, open);
        if (!info?.isFile && !info?.isDirectory) continue;
        listed.push({ path: pathOf(child.name), name: child.name, info, child });
      }
      await client?.below(listed);
      for (const each of listed) {
        const href = top + encodeURIComponent(each.name) + (each.info.isDirectory ? "/" : "");
        chunk += write(href, each, await dead.of(each.name));
        if (chunk.length < chunkLength) continue;
        yield chunk;
        chunk = "";
      }
      if (at + stride < children.length) await setImmediate();
    }
  }
  yield chunk + form.end;
}
