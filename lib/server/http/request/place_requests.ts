import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parsePath, ROOT } from "../../../shared/path.ts";
import type { Favorite, RecentEntry, RecentUse } from "../../../shared/schemas/places.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import type { Access } from "../../core/access/access.ts";
import { accessFor } from "./access_for.ts";
import { requestPath } from "./request_path.ts";
import type { FolderView } from "../../../shared/schemas/view.ts";
import type { DescribeOptions } from "../../files/listing/describe.ts";
import { type RatioOptions, ratiosOf, takenTimesOf } from "../../features/previews/media/ratios.ts";
import type { FilesPageData } from "../../../shared/page_data.ts";
import { serverClock } from "./server_clock.ts";

/** The favourites of the request's user. */
export async function favoritesOf(ctx: Context<State>): Promise<Favorite[]> {
  return await ctx.state.cubby.favorites.of(signedInOf(ctx).user.id, accessFor(ctx));
}

/** The files that the request's user has used last; none for a user who keeps no such list. */
export async function recentOf(ctx: Context<State>): Promise<RecentEntry[]> {
  const { user } = signedInOf(ctx);
  return user.keepRecent ? await ctx.state.cubby.recent.of(user.id, accessFor(ctx)) : [];
}

/**
 * The entry that a call about lists of places names.
 *
 * @throws DomainError `invalid_path`; `not_found` for the root, which is in no list
 */
export function listedPath(ctx: Context<State>, call: "favorites" | "recent"): EntryPath {
  const { path } = requestPath(ctx, call);
  if (path !== ROOT) return path;
  throw new DomainError("not_found", 'Cannot list "/": it is always there');
}

/**
 * The favourite before which another comes, by `?before=`; null without it.
 *
 * @throws DomainError `invalid_path`
 */
export function beforeOption({ searchParams }: URL): EntryPath | null {
  const before = searchParams.get("before");
  return before === null ? null : parsePath(before).path;
}

/**
 * Adds a file to the recent files of the request's user, if the user keeps such a list. Errors do
 * not fail the request. Uses by an API token are left out, as programs make them.
 *
 * @param place as of `Recent.note()`
 */
export function recordUse(
  ctx: Context<State>,
  path: EntryPath,
  use: RecentUse,
  place?: EntryPath,
): void {
  const { user, token } = signedInOf(ctx);
  if (!user.keepRecent || token) return;
  try {
    ctx.state.cubby.recent.note(user.id, accessFor(ctx), path, use, place);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

/** How long a listing by the date of taking reads pictures that are new, in milliseconds. */
const takenMs = 400;

/** How long a page reads the ratios of pictures that are new, in milliseconds. */
const ratiosMs = 150;

/**
 * Reads when the pictures of a folder were taken.
 *
 * @param isFirst whether to read pictures that are new, too: for the first window of a listing
 * @param access of the user of the request, unless it is a visitor's
 */
export function takenFor(
  ctx: Context<State>,
  isFirst: boolean,
  access: Access = accessFor(ctx),
): NonNullable<DescribeOptions["takenIn"]> {
  const options = { readMs: isFirst ? takenMs : 0, signal: ctx.req.signal };
  return (path) => takenTimesOf(ctx.state.cubby.media, access, path, options);
}

/**
 * The ratios of the pictures of a folder that a page shows as photos, so that nothing moves after
 * the first paint; nothing where no thumbnails are shown. Files tell when they were taken once they
 * are read, which changes that order: with it, read them by {@linkcode takenFor} before.
 */
export async function ratiosFor(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  order: Pick<RatioOptions, "sorting" | "groupBy">,
): Promise<Pick<FilesPageData, "ratios">> {
  const { config, media } = ctx.state.cubby;
  if (config.disableThumbnails || !access.may("download")) return {};
  const readMs = order.sorting.by === "taken" ? 0 : ratiosMs;
  const options = { ...order, readMs, timeZone: serverClock(ctx.req).timeZone };
  return { ratios: await ratiosOf(media, access, path, { ...options, signal: ctx.req.signal }) };
}

/** Reads the known sizes of the subfolders of a folder. */
export function sizesFor(ctx: Context<State>): DescribeOptions["sizesIn"] {
  return (path) => ctx.state.cubby.folderSizes.known(accessFor(ctx), path);
}

/** Reads how the request's user looks at folders. */
export function viewFor(ctx: Context<State>): (path: EntryPath) => Promise<FolderView> {
  const { user } = signedInOf(ctx);
  const access = accessFor(ctx);
  return (path) => ctx.state.cubby.folderViews.of(user.id, access, path);
}
