import type { Access } from "../../access/access.ts";
import { childOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import type { TransferWorker } from "../../workers/transfer_worker.ts";
import type { EntryObserver } from "../entry_observers.ts";

/** What may happen when the name is taken, and when to stop. */
export interface TransferOptions {
  /** A file that has the name is replaced, a folder takes in what comes. Needs modify as well. */
  override: boolean;
  /** Another name is picked when this one is taken: `a(1).txt`. Goes before `override`. */
  rename: boolean;
  /** When the client goes, what was begun is taken back, unless it is all but done. */
  signal?: AbortSignal;
}

/**
 * Copies a file, a link, or a folder with all that is below it. Needs create. Content, permissions
 * and times are kept, the owner as far as the system allows.
 *
 * @param to the path of the copy
 * @returns the path that it has
 * @throws {DomainError} as `transfer()` does
 */
export async function copyEntry(
  access: Access,
  transferWorker: TransferWorker,
  from: EntryPath,
  to: EntryPath,
  { override, rename, signal }: TransferOptions,
): Promise<EntryPath> {
  access.copy(from);
  if (to !== "/") await remember(access, access.create(to));
  const request = { action: "copy" as const, from, to, override, rename };
  return await transferWorker.transfer(access, request, signal);
}

/**
 * Gives a file, a link, or a folder with all that is below it another name or place. Needs rename.
 * What is kept by path follows.
 *
 * @param to the new path
 * @returns the path that it has
 * @throws {DomainError} as `transfer()` does
 */
export async function moveEntry(
  access: Access,
  transferWorker: TransferWorker,
  from: EntryPath,
  to: EntryPath,
  { override, rename, signal, followers }: TransferOptions & {
    followers?: Pick<EntryObserver, "moved">;
  },
): Promise<EntryPath> {
  const { belowRoot } = access.rename(from);
  const target = to === "/" ? null : access.receive(to);
  if (target) await remember(access, target);
  const request = { action: "move" as const, from, to, override, rename };
  const path = await transferWorker.transfer(access, request, signal);
  if (target) await followers?.moved(belowRoot, childOf(target.folderBelowRoot, nameOf(path)));
  return path;
}

/** Notes the folders that may get hidden copies, so that they are swept if the process is killed. */
async function remember({ journal }: Access, target: WriteHandle): Promise<void> {
  const folder = target.folderBelowRoot;
  await journal?.remember(folder);
  if (target.existing?.info.isDirectory) await journal?.remember(childOf(folder, target.name));
}
