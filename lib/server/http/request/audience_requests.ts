import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { userLimitOf } from "../../features/accounts/auth/rate_limit_keys.ts";
import type { State } from "../define.ts";
import { audienceOf } from "../../features/links/shares/audience.ts";
import { readAudience } from "../../features/links/shares/read_draft.ts";
import type { ShareAudience } from "../../features/links/shares/share.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/** Wrong names within 15 minutes after which a user shares with nobody by name for a while. */
const maxWrongNames = 20;

/**
 * The users and groups that a request says its share is for; undefined for no word of it.
 *
 * A wrong name is told: a share that takes any name would, after a slip, open for nobody, and its
 * owner would not learn of it. So the answer does tell who is there (CWE-204), and what is bounded
 * is trying names. Administrators may list users anyway.
 *
 * @throws DomainError `invalid_body` for a name that none has; `throttled`
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
