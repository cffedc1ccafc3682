import type { Context } from "fresh";
import { keptPlaceIn } from "../../../shared/named_roots.ts";
import { type EntryPath, joinPaths, ROOT } from "../../../shared/path.ts";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import type { ShareDraft } from "../../features/links/shares/read_draft.ts";
import { changedTerms, type Share, termsOf } from "../../features/links/shares/share.ts";
import type { ShareChange } from "../../features/links/shares/share_change.ts";
import { newAudience } from "../../features/links/shares/share_events.ts";
import { assertLinkMayGive, assertMayGive } from "../../features/links/shares/visit.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "./access_for.ts";
import { recordActivity } from "./activities.ts";

/**
 * The target of a share: an entry that the user of the request may share.
 *
 * @throws DomainError `forbidden`; `not_found`
 */
export function targetAt(ctx: Context<State>, path: EntryPath): Pick<Share, "path" | "place"> {
  const place = accessFor(ctx).share(path);
  const { user } = signedInOf(ctx);
  return { path: keptPlaceIn(user, joinPaths(user.base ?? ROOT, path)), place };
}

/**
 * Shares an entry.
 *
 * @param target of {@linkcode targetAt} for the path
 * @throws DomainError as `assertMayGive`, `assertLinkMayGive` and `Shares.create`
 */
export async function createShare(
  ctx: Context<State>,
  path: EntryPath,
  target: Pick<Share, "path" | "place">,
  draft: ShareDraft,
): Promise<Share> {
  const { user, settings } = signedInOf(ctx);
  const terms = changedTerms(termsOf({}), draft.terms, 0);
  assertMayGive(accessFor(ctx), { terms }, path);
  assertLinkMayGive({ terms }, null, settings);
  const share = await ctx.state.cubby.shares.create({ userId: user.id, ...target }, draft);
  const details = { audience: newAudience(null, share) };
  recordActivity(ctx, "share_add", { path: share.path, subject: share.hash, details });
  return share;
}

/**
 * Changes a share that the caller has found to be the user's own, or an administrator's to change.
 *
 * @throws DomainError as `assertMayGive`, `assertLinkMayGive` and `Shares.change`
 */
export async function changeShare(
  ctx: Context<State>,
  share: Share,
  change: ShareChange,
): Promise<Share> {
  const { user, settings } = signedInOf(ctx);
  const access = accessFor(ctx);
  const changed = await ctx.state.cubby.shares.change(share.hash, change, (next) => {
    const path = next.userId === user.id ? pathInView(access.viewer, next.path) : null;
    assertMayGive(access, next, path);
    assertLinkMayGive(next, share, settings);
  });
  await ctx.state.cubby.recipientUploads.dropEnded(share.userId);
  const details = { audience: newAudience(share, changed) };
  recordActivity(ctx, "share_change", { path: changed.path, subject: share.hash, details });
  return changed;
}

/** Ends a share that the caller has found to be the user's own, or an administrator's to end. */
export async function endShare(ctx: Context<State>, share: Share): Promise<void> {
  await ctx.state.cubby.shares.remove(share);
  await ctx.state.cubby.recipientUploads.dropEnded(share.userId);
  recordActivity(ctx, "share_remove", { path: share.path, subject: share.hash });
}
