import { createHash } from "node:crypto";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { nameOf } from "../../../shared/path.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import type { TimedActivity } from "../audit/record.ts";
import type { Store } from "../../core/kv/store.ts";
import type { Requests } from "../links/requests/requests.ts";
import { termsOf } from "../links/shares/share.ts";
import { claimShareEvents } from "../links/shares/share_events.ts";
import type { Shares } from "../links/shares/shares.ts";
import { membersOf } from "../accounts/users/user_records.ts";
import type { Users } from "../accounts/users/users.ts";
import type { Notice } from "./notification.ts";

/** Where it is looked up whom an activity concerns. */
export interface NoticeSources {
  store: Store;
  users: Pick<Users, "get" | "some" | "actingParts">;
  shares: Pick<Shares, "get">;
  requests: Pick<Requests, "get">;
}

/** An activity; of files that arrived in one visit, all of them. */
export interface NotifiableActivity extends TimedActivity {
  files: number;
  bytes: number;
}

type Find = (activity: NotifiableActivity, sources: NoticeSources) => Promise<Notice[]>;

const finders: Partial<Record<AuditAction, Find>> = {
  upload: receivedNotices,
  share_visit: useNotices,
  share_download: useNotices,
  share_add: audienceNotices,
  share_change: audienceNotices,
  factor_add: accountNotices,
  factor_remove: accountNotices,
  recovery_renew: accountNotices,
  user_change: accountNotices,
};

/** Whether an activity may concern users besides the one who did it. */
export function mayConcern({ action, request, details }: TimedActivity): boolean {
  if (action === "upload") return request !== undefined;
  if (action === "share_add" || action === "share_change") return details?.audience !== undefined;
  if (action === "share_visit" || action === "share_download") return details?.isAwaited === true;
  return finders[action] !== undefined;
}

/** Whether activities of this kind may concern any user. */
export function isOfConcern(action: AuditAction): boolean {
  return finders[action] !== undefined;
}

/** The notices of an activity; none about a share or a request that was removed meanwhile. */
export async function noticesOf(
  activity: NotifiableActivity,
  sources: NoticeSources,
): Promise<Notice[]> {
  return await unlessRefused(
    () => finders[activity.action]?.(activity, sources) ?? [],
    "not_found",
  ) ?? [];
}

/** Names the visit in which files arrive, by what a visitor cannot be recognised from. */
export function visitOf({ request, address, details }: TimedActivity): string {
  const text = JSON.stringify([request, address, details?.sender]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

async function receivedNotices(
  activity: NotifiableActivity,
  { requests }: NoticeSources,
): Promise<Notice[]> {
  const { request = "", at, files, bytes, details } = activity;
  const { userId, hash, place } = await requests.get(request);
  const sender = details?.sender;
  return [{
    ...{ userId, kind: "received", at, place, name: nameOf(place), link: hash },
    ...{ visit: visitOf(activity), count: files, bytes },
    ...sender && { who: sender },
  }];
}

async function useNotices(
  { at, subject = "", user }: NotifiableActivity,
  { store }: NoticeSources,
): Promise<Notice[]> {
  const taken = await claimShareEvents(store, subject, user?.id ?? null);
  if (!taken) return [];
  const { share, events } = taken;
  const { userId, hash, place } = share;
  // Whoever comes by a link that anybody may have need not be known to its owner.
  const { audience, anyone } = termsOf(share);
  const isKnown = user !== null && audience && !anyone;
  return events.map((each) => ({
    userId,
    kind: each === "opened" ? "share_opened" : "share_used_up",
    ...{ at, place, name: nameOf(place), link: hash },
    ...isKnown && { who: user.name },
  }));
}

async function audienceNotices(
  { at, subject = "", user, details }: NotifiableActivity,
  { store, shares, users }: NoticeSources,
): Promise<Notice[]> {
  const { audience } = details ?? {};
  if (!audience) return [];
  const { hash, userId: owner, place, passwordHash } = await shares.get(subject);
  const meant = new Set((await users.some(audience.users)).map(({ id }) => id));
  for (const group of audience.groups) {
    for (const id of await membersOf(store, group)) meant.add(id);
  }
  meant.delete(owner);
  return [...meant].map((userId) => ({
    ...{ userId, kind: "shared_with_me", at, link: hash },
    // The name is told with the password.
    ...passwordHash === null && { name: nameOf(place) },
    ...user && { who: user.name },
  }));
}

/** Notices of a changed account; whoever changes the own password in a session knows of it. */
function accountNotices(
  { at, action, user, address, details }: NotifiableActivity,
): Promise<Notice[]> {
  const { account, fields = [], isByLink } = details ?? {};
  if (account === undefined) return Promise.resolve([]);
  const isFactors = action !== "user_change";
  const isPassword = fields.includes("password");
  const isOwn = user?.id === account;
  const isNotified = isFactors || (isPassword && (!isOwn || isByLink));
  if (!isNotified) return Promise.resolve([]);
  return Promise.resolve([{
    userId: account,
    kind: isFactors ? "factors_changed" : "password_changed",
    at,
    // The command line is no user.
    ...user && user.id !== null && !isOwn && { who: user.name },
    ...isOwn && address !== null && { address },
  }]);
}
