import { keptPlaceIn, pathIn } from "../../../shared/named_roots.ts";
import type { Context } from "fresh";
import { childOf, type EntryPath, isInside, nameOf, ROOT } from "../../../shared/path.ts";
import type { ShareInfo, ShareWithToken } from "../../../shared/api_types.ts";
import type { ActingUser } from "../../auth/api_token.ts";
import type { State } from "../../define.ts";
import { audienceNames } from "../../shares/audience.ts";
import { type Share, toShareInfo } from "../../shares/share.ts";
import { shareTokenOf } from "../../shares/share_tokens.ts";
import type { SharedItem } from "../../../shared/settings_data.ts";
import { shownPlace } from "../../places/shown_place.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import type { User } from "../../users/user.ts";
import { accessFor } from "./access_for.ts";

/**
 * Shares as a user sees them: the path is relative to the owner's scope. An entry that has left it
 * is shown to administrators from the server's root, and to its owner by its name alone, so that
 * its new place is not leaked (CWE-200).
 */
export async function shareInfos(
  { state: { cubby } }: Pick<Context<State>, "state">,
  shares: readonly Share[],
  { id, scope, roots, perm }: Pick<User, "id" | "scope" | "roots" | "perm">,
): Promise<ShareInfo[]> {
  const pathOf = ({ userId, path }: Share) => {
    const own = userId === id ? pathIn({ scope, roots }, path) : null;
    if (own !== null) return own;
    return perm.admin ? path : childOf(ROOT, nameOf(path));
  };
  const uses = await cubby.shares.uses.all(shares);
  const names = await audienceNames(shares, cubby.users);
  return shares.map((share) => toShareInfo(share, pathOf(share), uses(share.hash), names(share)));
}

/** Whether a share leads below the folder that bounds its user now: an API token may have one. */
export function isShareWithin(
  { place }: Pick<Share, "place">,
  { within, ...user }: Pick<ActingUser, "scope" | "roots" | "within">,
): boolean {
  return within === undefined || isInside(place, keptPlaceIn(user, within));
}

/**
 * The shares of the request's own user, each with what it leads to now; without that when its disk
 * may not answer, or a rule denies the entry by now.
 */
export async function ownShares(ctx: Context<State>): Promise<SharedItem[]> {
  const { user } = signedInOf(ctx);
  const access = accessFor(ctx);
  const shares = await ctx.state.cubby.shares.listOf(user.id);
  return (await shareInfos(ctx, shares, user)).map((info, index) => {
    const share = shares[index];
    const entry = share ? shownPlace(access, share)?.entry ?? null : null;
    if (entry === null) return info;
    return { ...info, state: entry === "gone" ? entry : entry.isFolder ? "folder" : "file" };
  });
}

/**
 * The reader of what the user of a request shares in a folder, for listings; undefined for a user
 * who may not share, whose links are dead.
 */
export function sharedInFor(
  { state: { cubby } }: Pick<Context<State>, "state">,
  user: User,
): ((place: EntryPath) => Promise<ReadonlySet<string>>) | undefined {
  if (!user.perm.admin && !user.perm.share) return undefined;
  return (place) => cubby.shares.namesIn(place, user.id);
}

/**
 * As {@linkcode shareInfos}, each with a token: a user who may share an entry may hand out a
 * temporary download link that needs no password.
 */
export async function sharesWithTokens(
  ctx: Pick<Context<State>, "state">,
  shares: readonly Share[],
  user: User,
): Promise<ShareWithToken[]> {
  const { cubby } = ctx.state;
  const tokens = await Promise.all(shares.map((share) => shareTokenOf(cubby.key, share)));
  return (await shareInfos(ctx, shares, user)).map((info, index) => ({
    ...info,
    token: tokens[index] ?? "",
  }));
}
