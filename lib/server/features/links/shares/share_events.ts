import { commitChange } from "../../../core/kv/commit.ts";
import type { Store } from "../../../core/kv/store.ts";
import { type Share, type ShareAudience, type ShareEvent, termsOf } from "./share.ts";
import { readShare, replaceShare } from "./share_records.ts";
import { shareUses } from "./share_uses.ts";

/**
 * Claims the events of a share's use that its owner was not notified of before: each is returned
 * once, whichever thread or server asks. None for a share whose owner turned notifications off or
 * uses it.
 */
export async function claimShareEvents(
  store: Store,
  hash: string,
  userId: number | null,
): Promise<{ share: Share; events: ShareEvent[] } | null> {
  return await commitChange(store, async () => {
    const read = await readShare(store, hash);
    if (!read || !termsOf(read.share).notify || read.share.userId === userId) {
      return { result: null, build: null };
    }
    const { share } = read;
    const use = await shareUses.get(store, hash);
    const { downloadLimit } = termsOf(share);
    const isUsedUp = downloadLimit > 0 && (use?.downloads ?? 0) >= downloadLimit;
    const { told = [] } = share;
    const now: ShareEvent[] = isUsedUp ? ["opened", "used_up"] : ["opened"];
    const events = now.filter((each) => !told.includes(each));
    if (events.length === 0) return { result: null, build: null };
    const next: Share = { ...share, told: [...told, ...events] };
    const build = await replaceShare(store, read, next);
    return { result: { share, events }, build };
  });
}

/** The users and groups who have been added to a share; undefined without any. */
export function newAudience(before: Share | null, after: Share): ShareAudience | undefined {
  const { audience } = termsOf(after);
  if (!audience) return undefined;
  const former = before === null ? null : termsOf(before).audience;
  const users = audience.users.filter((id) => !former?.users.includes(id));
  const groups = audience.groups.filter((id) => !former?.groups.includes(id));
  return users.length + groups.length > 0 ? { users, groups } : undefined;
}
