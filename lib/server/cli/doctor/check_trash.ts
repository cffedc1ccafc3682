import { childOf, type EntryPath, isInside } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import type { Store } from "../../core/kv/store.ts";
import { lookInTrash, removalPrefix, removeMarked } from "../../files/trash/trash_entries.ts";
import {
  isTrashId,
  type TrashedEntry,
  TrashRecords,
  trashRecords,
} from "../../files/trash/trash_records.ts";
import type { User } from "../../features/accounts/users/user.ts";
import { userRecords } from "../../features/accounts/users/user_records.ts";
import { readScope } from "./check_homes.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Finding, type Findings } from "./finding.ts";

/** A record of this age, in milliseconds, has its entry: the record comes first. */
const settledMs = 10 * 60 * 1000;

/** Checks that the entries in the trash have records, and the records entries. */
export async function* checkTrash(context: CheckContext, tops: readonly EntryPath[]): Findings {
  yield* checkRecords(context);
  for (const top of tops) yield* checkEntries(context, top);
}

async function* checkRecords({ store, gate, startedAt }: CheckContext): Findings {
  const unknown = new Map<EntryPath, number>();
  for (const entry of await new TrashRecords(store).list()) {
    if (entry.at > startedAt - settledMs) continue;
    const state = lookInTrash(gate.spec(), entry);
    if (state === "unknown") unknown.set(entry.top, (unknown.get(entry.top) ?? 0) + 1);
    if (state !== "gone") continue;
    // A server that restores an entry forgets its record next.
    const record = await trashRecords.entry(store, entry.userId, entry.id);
    if (record.versionstamp === null) continue;
    const owner = await findUser(store, entry.userId);
    const whose = owner ? `"${owner.username}"` : "a user who is gone";
    yield {
      what: `trash of ${whose}: "${entry.path}" is recorded, but not there`,
      repair: commit(store, (operation) => trashRecords.drop(operation, record)),
    };
  }
  for (const [top, count] of unknown) {
    const what = `trash of the disk "${top}": it is not there to be looked into; records: ${count}`;
    yield { what, repair: "not checked" };
  }
}

async function* checkEntries({ store, gate }: CheckContext, top: EntryPath): Findings {
  const spec = gate.spec();
  const name = `trash of the disk "${top}"`;
  using trash = openIfThere(() => openTrash(spec, top, false));
  if (!trash) return yield { what: `${name}: it cannot be opened`, repair: "not checked" };
  const entries = trash.entries().map((entry) => entry.name);
  const left = entries.filter((entry) => entry.startsWith(removalPrefix)).length;
  if (left > 0) {
    yield {
      what: `${name}: deleted for good, but still there: ${left}`,
      repair: async () => {
        await removeMarked(spec, top, new Pauses());
        return true;
      },
    };
  }
  // Listed after the entries: a record is written before its entry comes.
  const recorded = new Set((await new TrashRecords(store).list()).map(({ id }) => id));
  for (const id of entries) {
    if (id.startsWith(removalPrefix) || recorded.has(id)) continue;
    const facts = trash.look(id);
    if (!facts) continue;
    if (!facts.isDirectory || !isTrashId(id)) {
      yield { what: `${name}: "${id}" does not belong there`, repair: "by hand" };
    } else {
      const stray = await strayIn(store, { trash, id, top, name });
      if (stray) yield stray;
    }
  }
}

/**
 * An entry without a record: the file of an unknown user. The record that it gets leads to the
 * disk's top.
 */
async function strayIn(
  store: Store,
  { trash, id, top, name }: { trash: OpenFolder; id: string; top: EntryPath; name: string },
): Promise<Finding | null> {
  const inside = namesIn(trash, id);
  if (inside === null) return null;
  const what = `${name}: ${inside.map((each) => `"${each}"`).join(", ")} in ${id} has no record`;
  const [entryName] = inside;
  if (entryName === undefined) {
    return {
      what: `${name}: the folder ${id} is empty`,
      repair: () => Promise.resolve(isRemoved(trash, id)),
    };
  }
  const admin = (await userRecords.list(store)).find((user) => reaches(user, top));
  if (inside.length > 1 || !admin) return { what, repair: "by hand" };
  return {
    what: `${what}; --fix gives it to "${admin.username}"`,
    repair: async () => {
      const entry = recordOf(trash, { id, top, name: entryName, userId: admin.id });
      if (!entry || (await new TrashRecords(store).list()).some((each) => each.id === id)) {
        return false;
      }
      await new TrashRecords(store).put(entry);
      return true;
    },
  };
}

function recordOf(
  trash: OpenFolder,
  { id, top, name, userId }: { id: string; top: EntryPath; name: string; userId: number },
): TrashedEntry | null {
  using folder = openIfThere(() => trash.folder(id));
  const info = folder?.look(name);
  if (!info) return null;
  const { isDirectory: isDir, ino } = info;
  const size = isDir ? 0 : info.size;
  // It was deleted at an unknown time: its days in the trash begin now.
  return { id, userId, path: childOf(top, name), isDir, size, at: Date.now(), top, ino };
}

/** Whether a user is an administrator who could restore what was at the top of a disk. */
function reaches({ perm, scope }: User, top: EntryPath): boolean {
  const own = readScope(scope);
  return perm.admin && own !== null && isInside(top, own);
}

/** Null for a folder that is gone by now. */
function namesIn(trash: OpenFolder, id: string): string[] | null {
  using folder = openIfThere(() => trash.folder(id));
  return folder?.entries().map(({ name }) => name) ?? null;
}

function isRemoved(trash: OpenFolder, id: string): boolean {
  try {
    trash.removeFolder(id);
    return true;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}

function openIfThere(open: () => OpenFolder): OpenFolder | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof DomainError || error instanceof DiskError) return null;
    throw error;
  }
}
