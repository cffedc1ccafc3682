import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import type { State } from "../define.ts";
import { userLimitOf } from "../../features/accounts/auth/rate_limit_keys.ts";
import type { User } from "../../features/accounts/users/user.ts";
import { audienceNames, audienceOf } from "../../features/links/shares/audience.ts";
import { readAudience } from "../../features/links/shares/read_draft.ts";
import type { ShareAudience } from "../../features/links/shares/share.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "./access_for.ts";
import { isShareWithin } from "./lists/share_lists.ts";

/** Whether a user is offered names while typing whom a share is for. */
export function isOfferedNames(
  { perm }: Pick<User, "perm">,
  { suggestNames }: Pick<Settings, "suggestNames">,
): boolean {
  return perm.admin || (suggestNames && perm.share && perm.download);
}

/** Most of a user's own shares that are read for a lookup of names, and those read at once. */
const maxOwnShares = 500;
const ownSharesAtOnce = 50;

/**
 * Names that begin with a text, for a user who may share. Where the settings do not offer those of
 * all users, they are those that the user's own shares are for, and of the user's groups.
 *
 * @throws DomainError `forbidden`; `throttled`
 */
export async function recipientNames(ctx: Context<State>, text: string): Promise<string[]> {
  const { user, settings } = signedInOf(ctx);
  accessFor(ctx).need("Cannot look up names", "share", "download");
  const { nameLookups, shares, users } = ctx.state.cubby;
  if (isOfferedNames(user, settings)) return await nameLookups.find(user, text);
  return await nameLookups.find(user, text, async () => {
    const names = new Set<string>();
    let read = 0;
    for await (const part of shares.parts({ userId: user.id, size: ownSharesAtOnce })) {
      const within = part.filter((share) => isShareWithin(share, user));
      const audienceFor = await audienceNames(within, users);
      for (const share of within) for (const { name } of audienceFor(share) ?? []) names.add(name);
      if ((read += part.length) >= maxOwnShares) break;
    }
    return names;
  });
}

/** Wrong names within 15 minutes, after which a user cannot share by name for a while. */
const maxWrongNames = 20;

/**
 * The users and groups that a request shares with; undefined where it does not say.
 *
 * Refuses a wrong name: after a typing error, a share would otherwise open for no one without its
 * owner knowing. The answer shows which users exist (CWE-204), so the number of wrong names is
 * limited. Administrators may list users anyway.
 *
 * @throws DomainError `invalid_body` for a name that does not exist; `throttled`
 */
export async function audienceIn(
  { state }: Pick<Context<State>, "state">,
  body: Record<string, unknown>,
): Promise<ShareAudience | null | undefined> {
  const names = readAudience(body);
  if (!names || names.length === 0) return names && { users: [], groups: [] };
  const { user } = signedInOf({ state });
  const { attempts, users } = state.cubby;
  if (user.perm.admin) return await audienceOf(names, users);
  const limit = userLimitOf("recipients", user.id, maxWrongNames);
  try {
    return await attempts.limitFailures(limit, () => audienceOf(names, users));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "throttled") throw error;
    const message = "Cannot share by name: too many names were wrong; wait some minutes";
    throw new DomainError("throttled", message, error.retryAfter);
  }
}
