import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryObservers } from "../../files/entry_observers.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import { makeFolder } from "../../files/make_folder.ts";
import { removeEntry } from "../../files/remove.ts";
import { liesIn } from "../../files/transfer/request.ts";
import type { ReportProgress } from "../../files/transfer/progress.ts";
import { copyEntry, moveEntry } from "../../files/transfer/start_transfer.ts";
import type { Trash } from "../../files/trash/trash.ts";
import type { ListingWorker, TransferWorker } from "../../files/workers/workers.ts";
import type { DeadProperties } from "./dead_properties.ts";
import { DavRefusal } from "./dav_refusal.ts";
import { itselfAt, replacingNothing, requireParent } from "./places.ts";

/** A COPY or MOVE (RFC 4918, 9.8 and 9.9). */
export interface DavTransfer {
  action: "copy" | "move";
  from: EntryPath;
  to: EntryPath;
  /** Replaces the entry at the destination. */
  overwrite: boolean;
  /** Of a folder, nothing below it is copied. */
  isShallow: boolean;
}

/** The dependencies of a transfer. */
export interface TransferTools {
  transferWorker: TransferWorker;
  listingWorker: ListingWorker;
  observers: EntryObservers;
  trash: Trash;
  deadProperties: DeadProperties;
  userId: number;
  /** Whether what is deleted goes to the trash, as the settings say. */
  keepsDeleted: boolean;
  /** Takes what is left out. */
  report: ReportProgress;
  signal: AbortSignal;
}

/**
 * Looks at both ends of a transfer before anything is changed.
 *
 * @returns whether an entry is at the destination, which will be replaced
 * @throws {DavRefusal} `same_place`, `not_overwritten`, `no_parent`
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function checkTransfer(access: Access, transfer: DavTransfer): boolean {
  const { action, from, to, overwrite } = transfer;
  const source = action === "copy" ? access.copy(from) : access.rename(from);
  if (to === "/") {
    throw new DomainError("forbidden", `Cannot ${action} "${from}": the destination is the root`);
  }
  const target = action === "copy" ? access.create(to) : access.receive(to);
  const there = itselfAt(access, to);
  const isSame = there !== null && there.real === source.real;
  const isNested = source.isFolder && liesIn(target.folder, source) ||
    there?.isFolder && !isSameEntry(source.info, there.info) && liesIn(source.real, there);
  if (isSame || isNested) {
    const message = `Cannot ${action} "${from}": the destination is the same place`;
    throw new DavRefusal("same_place", "invalid_path", message);
  }
  if (there && !overwrite) {
    const message = `Cannot ${action} "${from}": the destination already exists`;
    throw new DavRefusal("not_overwritten", "precondition_failed", message);
  }
  requireParent(access, to);
  return there !== null;
}

/**
 * Copies or moves an entry. A file replaces a file atomically, and is kept as a version. Anything
 * else at the destination is set aside in the trash first, as a WebDAV client wants no merged
 * folders, and put back if the transfer fails; afterwards it stays there only if deletions go to
 * the trash.
 *
 * @returns the path that the entry has now
 * @throws {DavRefusal} as {@linkcode checkTransfer}, also where the name is taken meanwhile
 * @throws {DomainError} as `runTransfer()` does, and for what cannot be set aside
 */
export async function runDavTransfer(
  access: Access,
  transfer: DavTransfer,
  tools: TransferTools,
): Promise<EntryPath> {
  const { from, to } = transfer;
  const isReplaced = checkTransfer(access, transfer);
  const source = access.itself(from);
  const isShallow = transfer.action === "copy" && transfer.isShallow && source.isFolder;
  const there = isReplaced ? itselfAt(access, to) : null;
  // One entry under two names is a change of case, on a disk that does not tell them apart.
  const isAtomic = !there || isSameEntry(source.info, there.info) ||
    (!source.isFolder && there.info.isFile);
  if (isAtomic) return await deliver(isReplaced);
  const undo = await setAside(access, to, tools);
  try {
    await deliver(false);
  } catch (error) {
    await undo.putBack();
    throw error;
  }
  await undo.finish();
  return to;

  async function deliver(override: boolean): Promise<EntryPath> {
    const { deadProperties } = tools;
    const [before, after] = [source.belowRoot, access.placeAt(to)];
    const hasProperties = await deadProperties.has(before);
    const run = () => transferred(override);
    const arrived = await (transfer.overwrite ? run() : replacingNothing(access, to, run));
    if (isShallow) await deadProperties.copyOwn(before, after);
    else if (transfer.action === "copy") await deadProperties.copy(before, after);
    // A move has them follow. What the replaced file had is not the new one's.
    else if (override && !hasProperties) await deadProperties.remove(after);
    return arrived;
  }

  async function transferred(override: boolean): Promise<EntryPath> {
    if (isShallow) {
      const isMade = await makeFolder(access, to);
      if (isMade || transfer.overwrite) return to;
      throw new DomainError("exists", `Cannot copy "${from}": the destination already exists`);
    }
    const { transferWorker, observers, trash, userId, report, signal } = tools;
    const formerFiles = trash.formerFilesOf(userId);
    const options = { override, rename: false, observers, formerFiles, report, signal };
    const run = transfer.action === "copy" ? copyEntry : moveEntry;
    return await run(access, transferWorker, from, to, options);
  }
}

/** The ways to end with an entry that was set aside. */
interface SetAside {
  putBack(): Promise<void>;
  finish(): Promise<void>;
}

/** Moves an entry to the trash; where its disk has none, it is removed. Needs delete. */
async function setAside(
  access: Access,
  path: EntryPath,
  { trash, userId, listingWorker, observers, keepsDeleted, signal }: TransferTools,
): Promise<SetAside> {
  try {
    const { id } = await trash.discard(access, userId, path, signal);
    return {
      putBack: async () => void await trash.restore(access, userId, id),
      finish: async () => {
        if (!keepsDeleted) await trash.remove(userId, id);
      },
    };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "no_trash") || keepsDeleted) throw error;
    await removeEntry(access, listingWorker, path, signal, observers);
    return { putBack: () => Promise.resolve(), finish: () => Promise.resolve() };
  }
}
