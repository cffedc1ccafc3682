import type { Context } from "fresh";
import { LruCache } from "../../../shared/lru_cache.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import type { Access } from "../../core/access/access.ts";
import { serverPath } from "../../features/audit/server_path.ts";
import type { Activity } from "../../features/audit/record.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { type Share, termsOf } from "../../features/links/shares/share.ts";
import type { State } from "../define.ts";

/** The subject of an activity, besides its user and address. */
interface About extends Pick<Activity, "path" | "to" | "subject" | "details"> {
  /** By whom it was done, where that is not the session of the request. */
  user?: Activity["user"];
  /** The settings, where the request has no session. */
  settings?: Settings;
}

/** Takes down what the user of a request did, or its visitor. */
export function recordActivity(
  { state: { cubby, address, signedIn } }: Pick<Context<State>, "state">,
  action: AuditAction,
  { settings = signedIn?.settings, ...about }: About = {},
): void {
  const user = signedIn ? { id: signedIn.user.id, name: signedIn.user.username } : null;
  cubby.audit.note({ action, user, address, ...about }, settings?.audit.level ?? "off");
}

/** Tells all who follow a folder that one was made in it, and takes it down. */
export function recordCreated(
  ctx: Pick<Context<State>, "state">,
  access: Access,
  path: EntryPath,
): void {
  ctx.state.cubby.notifyChanged(access, path);
  recordActivity(ctx, "mkdir", { path: serverPath(access, path) });
}

/** A visit of a share, as it is taken down. */
interface NotedVisit {
  share: Pick<Share, "hash" | "terms">;
  access: Access;
  path: EntryPath;
  settings: Settings;
}

/**
 * Takes down a download: of a user, or of the visitor of a share. The further parts of a file,
 * which players and download programs ask for one by one, are the same download.
 */
export function recordDownload(
  ctx: Pick<Context<State>, "state" | "req">,
  access: Access,
  path: EntryPath,
  visit?: NotedVisit,
): void {
  const { method, headers } = ctx.req;
  const range = headers.get("range");
  const isFurther = range !== null && !/^bytes=0-/.test(range);
  if (method === "HEAD" || isFurther) return;
  if (visit) recordVisit(ctx, "share_download", visit);
  else recordActivity(ctx, "download", { path: serverPath(access, path) });
}

/** How long visits of one visitor to one entry count as the same, in milliseconds. */
const sameVisitMs = 60_000;

/** Most visits that are remembered for that. */
const maxVisits = 1_000;

const visits = new LruCache<string, number>(maxVisits);

/**
 * Takes down the visit of a share. Somebody who opens the same again within a minute has no second
 * record, so that a page that reloads does not fill the log.
 */
export function recordVisit(
  ctx: Pick<Context<State>, "state">,
  action: "share_visit" | "share_download",
  { share, access, path, settings }: NotedVisit,
): void {
  const { hash } = share;
  const isAwaited = termsOf(share).notify === true;
  if (!isAwaited && !ctx.state.cubby.audit.isListening(settings.audit.level, action)) return;
  const at = serverPath(access, path);
  const visit = JSON.stringify([action, hash, at, ctx.state.address]);
  const now = Date.now();
  const last = visits.get(visit);
  // Where downloads are limited, each is recorded.
  const isCounted = action === "share_download" && termsOf(share).downloadLimit !== 0;
  if (!isCounted && last !== undefined && now - last < sameVisitMs) return;
  visits.set(visit, now);
  recordActivity(ctx, action, { path: at, subject: hash, settings, details: { isAwaited } });
}
