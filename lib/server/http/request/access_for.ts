import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { viewerOf } from "../../core/access/viewer.ts";
import { atOwnTop } from "../../features/accounts/auth/api_token.ts";
import type { Seen } from "../../features/accounts/auth/session.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/**
 * The gate's access for the user of the request.
 *
 * @throws DomainError `not_signed_in`
 */
export function accessFor(ctx: Context<State>): Access {
  const { user, settings } = signedInOf(ctx);
  return ctx.state.cubby.gate.enter(viewerOf(user, settings.rules));
}

/**
 * A check of the rights that an upload began with, for the moment at which it takes its name: a body
 * may come for hours, and what ends meanwhile must end this, too (CWE-613). So must a lock that
 * another has taken since.
 *
 * @param need the access that the upload needs, asked of the gate as of now
 * @param assertUnlocked throws when a lock is in the way; not needed where that is asked afterwards
 * @returns the check: it throws DomainError `not_signed_in` when the session or the API token has
 * ended, and what the two throw
 */
export function rightsConfirmed(
  ctx: Context<State>,
  need: (access: Access) => unknown,
  assertUnlocked?: () => Promise<void>,
): () => Promise<void> {
  return async () => {
    const { user, settings } = await seenNow(ctx);
    need(ctx.state.cubby.gate.enter(viewerOf(user, settings.rules)));
    await assertUnlocked?.();
  };
}

/**
 * The caller of a request as of now.
 *
 * @throws DomainError `not_signed_in` when the session or the API token has ended meanwhile
 */
export async function seenNow(ctx: Context<State>): Promise<Seen> {
  const { session, token, user } = signedInOf(ctx);
  const { apiTokens, sessions, settings, users } = ctx.state.cubby;
  if (token) {
    const seen = await apiTokens.current(token.id) ?? refuse();
    return user.base === undefined ? seen : { ...seen, user: atOwnTop(seen.user) };
  }
  const seen = session && await sessions.current({ session });
  if (seen) return seen;
  if (session && Date.now() < session.expires) refuse();
  // WebDAV by a password, or a session whose time ran out: what would end a session ends this.
  const now = await users.seen(user.id);
  return now?.epoch === user.epoch ? { user: now, settings: await settings.get() } : refuse();
}

function refuse(): never {
  throw new DomainError("not_signed_in", "Cannot finish the upload: the sign-in has ended");
}
