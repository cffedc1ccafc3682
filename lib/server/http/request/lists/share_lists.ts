import { keptPlaceIn, pathIn } from "../../../../shared/named_roots.ts";
import type { Context } from "fresh";
import { childOf, type EntryPath, isInside, nameOf, ROOT } from "../../../../shared/path.ts";
import type { ShareInfo, ShareWithToken } from "../../../../shared/schemas/share.ts";
import type { ActingUser } from "../../../features/accounts/auth/api_token.ts";
import type { State } from "../../define.ts";
import { audienceNames } from "../../../features/links/shares/audience.ts";
import { type Share, toShareInfo } from "../../../features/links/shares/share.ts";
import { shareTokenFor } from "../share_requests.ts";
import type { SharedItem } from "../../../../shared/settings_data.ts";
import { shownPlace } from "../../../features/places/shown_place.ts";
import { isoText, modifiedOf } from "../../../files/listing/entries.ts";
import { signedInOf } from "../../middleware/sign_in.ts";
import type { User } from "../../../features/accounts/users/user.ts";
import type { Users } from "../../../features/accounts/users/users.ts";
import { positionOf } from "../../../features/links/shares/shares.ts";
import { accessFor } from "../access_for.ts";
import type { List } from "./list.ts";

/**
 * Shares as a user sees them: the path is relative to the owner's scope. An entry that has left it
 * is shown to administrators from the server's root, and to its owner by its name alone, so that
 * its new place is not leaked (CWE-200).
 */
async function shareInfos(
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

/**
 * The shares that a user may end: the user's own; for administrators all, in the order of their
 * hashes.
 *
 * @param of.own leaves out those of others for an administrator, too
 */
export function shareList(
  ctx: Pick<Context<State>, "state">,
  user: ActingUser,
  of: { own?: boolean } = {},
): List<Share, SharedItem> {
  const { shares, users } = ctx.state.cubby;
  const userId = of.own || !user.perm.admin ? user.id : undefined;
  return {
    async *parts(after) {
      for await (const part of shares.parts({ userId, after })) {
        yield part.filter((share) => isShareWithin(share, user));
      }
    },
    positionOf: ({ hash }) => hash,
    textOf: ({ path }) => path,
    async show(some) {
      const infos = await shareInfos(ctx, some, user);
      return userId === undefined ? await withOwners(users, infos) : infos;
    },
  };
}

/** The same items with the names of their owners, of those who are there. */
export async function withOwners<T extends { userID: number }>(
  users: Users,
  items: readonly T[],
): Promise<(T & { username?: string })[]> {
  const owners = await users.some(items.map(({ userID }) => userID));
  const names = new Map(owners.map(({ id, username }) => [id, username]));
  return items.map((item) => ({ ...item, username: names.get(item.userID) }));
}

/** The shares of one entry; see {@linkcode shareList}. @param place of the entry */
export function shareListAt(
  ctx: Pick<Context<State>, "state">,
  user: ActingUser,
  place: EntryPath,
): List<Share, ShareWithToken> {
  const userId = user.perm.admin ? undefined : user.id;
  return {
    parts: (after) => ctx.state.cubby.shares.partsAt(place, { userId, after }),
    positionOf: positionOf,
    textOf: ({ path }) => path,
    show: (some) => sharesWithTokens(ctx, some, user),
  };
}

/** Whether a share leads below the folder that bounds its user now: an API token may have one. */
export function isShareWithin(
  { place }: Pick<Share, "place">,
  { within, base, ...user }: Pick<ActingUser, "scope" | "roots" | "within" | "base">,
): boolean {
  const bound = within ?? base;
  return bound === undefined || isInside(place, keptPlaceIn(user, bound));
}

/**
 * The shares of the request's own user, each with what it leads to now; without that when its disk
 * may not answer, or a rule denies the entry by now.
 */
export function ownShareList(ctx: Context<State>): List<Share, SharedItem> {
  const { user } = signedInOf(ctx);
  const access = accessFor(ctx);
  return {
    ...shareList(ctx, user, { own: true }),
    async show(shares) {
      return (await shareInfos(ctx, shares, user)).map((info, index) => {
        const share = shares[index];
        const entry = share ? shownPlace(access, share)?.entry ?? null : null;
        if (entry === null) return info;
        if (entry === "gone") return { ...info, state: "gone" };
        if (entry.isFolder) return { ...info, state: "folder" };
        const modified = isoText(modifiedOf(entry.info).getTime());
        return { ...info, state: "file", file: { size: entry.info.size, modified } };
      });
    },
  };
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
  const tokens = await Promise.all(shares.map((share) => shareTokenFor(ctx, share)));
  return (await shareInfos(ctx, shares, user)).map((info, index) => ({
    ...info,
    token: tokens[index] ?? "",
  }));
}
