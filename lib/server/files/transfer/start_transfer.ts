import type { Access } from "../../access/access.ts";
import { childOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import type { TransferWorker } from "../../workers/transfer_worker.ts";
import type { EntryObserver } from "../entry_observers.ts";

/** Options of a transfer. */
export interface TransferOptions {
  /** Replaces an existing file, merges into an existing folder. Needs modify as well. */
  override: boolean;
  /** Picks another name on a conflict: `a(1).txt`. Precedes `override`. */
  rename: boolean;
  /** Aborted when the client disconnects: the transfer is undone, unless it is all but done. */
  signal?: AbortSignal;
}

/**
 * Copies a file, a link, or a folder with its whole subtree. Needs create. Content, permissions and
 * times are kept, the owner as far as the system allows.
 *
 * @param to the path of the copy
 * @returns its actual path
 * @throws {DomainError} as `runTransfer()` does
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
 * Renames or moves a file, a link, or a folder with its whole subtree. Needs rename. Records kept
 * by path follow.
 *
 * @param to the new path
 * @returns its actual path
 * @throws {DomainError} as `runTransfer()` does
 */
export async function moveEntry(
  access: Access,
  transferWorker: TransferWorker,
  from: EntryPath,
  to: EntryPath,
  { override, rename, signal, observers }: TransferOptions & {
    observers?: Pick<EntryObserver, "moved">;
  },
): Promise<EntryPath> {
  const { belowRoot } = access.rename(from);
  const target = to === "/" ? null : access.receive(to);
  if (target) await remember(access, target);
  const request = { action: "move" as const, from, to, override, rename };
  const path = await transferWorker.transfer(access, request, signal);
  if (target) await observers?.moved(belowRoot, childOf(target.folderBelowRoot, nameOf(path)));
  return path;
}

/** Records the folders that may get staging folders, to sweep them if the process is killed. */
async function remember({ journal }: Access, target: WriteHandle): Promise<void> {
  const folder = target.folderBelowRoot;
  await journal?.remember(folder);
  if (target.existing?.info.isDirectory) await journal?.remember(childOf(folder, target.name));
}
