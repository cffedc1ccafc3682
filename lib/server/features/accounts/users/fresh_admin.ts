import type { Store } from "../../../core/kv/store.ts";
import type { User } from "./user.ts";
import { countUsers } from "./user_counts.ts";
import { sessionRecords, userRecords } from "./user_records.ts";

/** The administrator whom a first start made, if it is unchanged and has no session. */
export async function freshAdmin(store: Store): Promise<User | null> {
  if (await countUsers(store) !== 1) return null;
  const first = await userRecords.get(store, 1);
  if (!first || first.version !== 1) return null;
  return (await sessionRecords.list(store, first.id)).length > 0 ? null : first;
}

/** Whether a store has no user but the administrator whom a first start made. */
export async function isUnused(store: Store): Promise<boolean> {
  return await countUsers(store) === 0 || await freshAdmin(store) !== null;
}
