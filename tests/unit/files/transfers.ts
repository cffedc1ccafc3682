/** A folder of one's own in which entries are copied and moved. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { EntryObservers } from "../../../lib/server/files/entry_observers.ts";
import {
  copyEntry,
  moveEntry,
  type TransferOptions,
} from "../../../lib/server/files/transfer/start_transfer.ts";
import { openTransferWorker } from "../../../lib/server/files/workers/workers.ts";
import { plant, temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { at, enter } from "../core/access/visitors.ts";

type As = Parameters<typeof enter>[1];
type Options = Partial<TransferOptions> & { as?: As; observers?: Pick<EntryObservers, "moving"> };

/**
 * Plants a tree and makes a mover, both gone with the block that holds them.
 *
 * @param place where to make the folder; a temporary one otherwise
 */
export async function setUp(tree: Tree = {}, place?: string) {
  const folder = place === undefined ? await temporaryFolder() : null;
  const root = folder?.path ?? place ?? "";
  await plant(root, tree);
  const transferWorker = openTransferWorker();
  const options = ({ override = false, rename = false, ...rest }: Options) => ({
    ...{ override, rename },
    ...rest,
  });
  return {
    root,
    transferWorker,
    path: (...names: string[]) => join(root, ...names),
    copy: (from: string, to: string, { as, ...rest }: Options = {}) =>
      copyEntry(enter(root, as), transferWorker, at(from), at(to), options(rest)),
    move: (from: string, to: string, { as, ...rest }: Options = {}) =>
      moveEntry(enter(root, as), transferWorker, at(from), at(to), options(rest)),
    text: (path: string) => Deno.readTextFileSync(join(root, path)),
    link: (target: string, path: string) => Deno.symlinkSync(target, join(root, path)),
    tree: () => [...describe(root)],
    async [Symbol.asyncDispose]() {
      transferWorker.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * All that lies below a folder, hidden copies too, as one text an entry: name, kind, permissions,
 * time, content, and what links say.
 *
 * @param withTimes without them, entries that were touched and put back look the same
 */
export function* describe(folder: string, withTimes = true, above = ""): Iterable<string> {
  for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(folder, name);
    const info = Deno.lstatSync(path);
    const mode = ((info.mode ?? 0) & 0o7777).toString(8);
    const time = withTimes && info.isFile ? ` ${info.mtime?.getTime()}` : "";
    if (info.isSymlink) yield `${above}${name} -> ${Deno.readLinkSync(path)}`;
    else if (info.isFile) yield `${above}${name} ${mode}${time}: ${Deno.readTextFileSync(path)}`;
    else if (!info.isDirectory) yield `${above}${name} special`;
    else {
      yield `${above}${name}/ ${mode}`;
      yield* describe(path, withTimes, `${above}${name}/`);
    }
  }
}

/** Asserts that a refused action leaves all as it was. */
export async function assertUntouched(
  s: { tree(): string[] },
  action: () => Promise<unknown>,
): Promise<void> {
  const before = s.tree();
  await action();
  assert.deepEqual(s.tree(), before);
}
