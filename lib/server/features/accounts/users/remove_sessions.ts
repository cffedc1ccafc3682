import { sessionsPrefix } from "../../../core/kv/keys/sessions.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { SessionRecord } from "../auth/session.ts";

/** Deletions per atomic operation; the store takes up to 1000. */
const batch = 500;

/** Removes those of a user's sessions that `goes` selects; returns their number. */
export async function removeSessions(
  store: Store,
  userId: number,
  goes: (session: SessionRecord) => boolean,
): Promise<number> {
  const sessions = await store.list<SessionRecord>(sessionsPrefix(userId));
  const going = sessions.filter((entry) => goes(entry.value));
  for (let start = 0; start < going.length; start += batch) {
    await store.atomic((operation) => {
      for (const { key } of going.slice(start, start + batch)) operation.delete(key);
      return operation;
    });
  }
  return going.length;
}
