import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { languageTag } from "../../../shared/i18n/locales.ts";
import { clientNameOf } from "../../features/accounts/auth/client_name.ts";
import type { Seen } from "../../features/accounts/auth/session.ts";
import { knownUsage } from "../../files/disk_usage.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { mayKnowUsage } from "../pages/open_page.ts";
import { accessFor } from "../request/access_for.ts";
import { recordActivity } from "../request/activities.ts";
import { isOfferedNames } from "../request/recipient_requests.ts";

/** In a quota of OCS: there is no limit. */
const unlimited = -3;

/** The account of the one who asks. */
export async function ownAccount(ctx: Context<State>) {
  const { user, settings } = signedInOf(ctx);
  const groups = await ctx.state.cubby.users.groups.of(user.groups);
  return {
    enabled: true,
    id: user.username,
    displayname: user.username,
    "display-name": user.username,
    email: user.mail || null,
    quota: await quotaFor(ctx, { user, settings }),
    groups: groups.map(({ name }) => name),
    subadmin: [],
    language: languageTag(user.locale),
    locale: "",
    ...{ phone: "", address: "", website: "", twitter: "" },
    backendCapabilities: { setDisplayName: false, setPassword: false },
  };
}

/**
 * The account of a user. Of others only the name is told, and only to those who would find it in
 * whom they may share with.
 *
 * @throws DomainError `not_found`
 */
export async function accountNamed(ctx: Context<State>, username: string) {
  const { user, settings } = signedInOf(ctx);
  if (username === user.username) return await ownAccount(ctx);
  const other = isOfferedNames(user, settings) && await ctx.state.cubby.users.byName(username);
  if (!other) throw new DomainError("not_found", "Cannot find the user: no such name");
  const { username: name } = other;
  return { id: name, displayname: name, "display-name": name };
}

/** How much the user may store, and has stored: of the quota, or else of the disk. */
async function quotaFor(ctx: Context<State>, seen: Seen) {
  const access = accessFor(ctx);
  const own = await access.allowance?.usage();
  if (own && own.bytes > 0) return spaceOf(own.bytes, own.usedBytes ?? 0, own.bytes);
  const usage = mayKnowUsage(seen) ? await knownUsage(access) : null;
  if (usage && usage.total > 0) return spaceOf(usage.total, usage.used, unlimited);
  return { free: unlimited, used: 0, total: unlimited, relative: 0, quota: unlimited };
}

function spaceOf(total: number, used: number, quota: number) {
  const relative = Math.round(used / total * 10_000) / 100;
  return { free: Math.max(0, total - used), used, total, relative, quota };
}

/**
 * Makes an app password for a client that has the account's own: it may do all that the account may
 * with files, and share them.
 *
 * @throws DomainError `forbidden` for a request that does not sign in by a password; `invalid_body`
 * for too many
 */
export async function makeAppPassword(ctx: Context<State>) {
  const { user, token, session } = signedInOf(ctx);
  if (token || session) {
    const message = "Cannot create an app password: sign in with the password of the account";
    throw new DomainError("forbidden", message);
  }
  const name = clientNameOf(ctx.req.headers.get("user-agent") ?? "");
  const draft = { name, write: true, share: true, expires: null };
  const made = await ctx.state.cubby.apiTokens.create(user.id, draft, null);
  recordActivity(ctx, "token_add", { subject: name });
  return { apppassword: made.secret };
}

/**
 * Revokes the API token by which the request signs in.
 *
 * @throws DomainError `forbidden` for a request that signs in otherwise
 */
export async function revokeAppPassword(ctx: Context<State>) {
  const { token } = signedInOf(ctx);
  if (!token) {
    const message = "Cannot revoke the app password: the request does not sign in with one";
    throw new DomainError("forbidden", message);
  }
  await ctx.state.cubby.apiTokens.remove(token);
  recordActivity(ctx, "token_remove", { subject: token.name });
  return [];
}
