import type { Audit } from "../../features/audit/audit.ts";
import { ApiTokens } from "../../features/accounts/auth/api_tokens.ts";
import { EndedSessions } from "../../features/accounts/auth/ended_sessions.ts";
import { SecondFactors } from "../../features/accounts/auth/factors/factors.ts";
import { mustEnrol } from "../../features/accounts/auth/factors/must_enrol.ts";
import { Invites } from "../../features/accounts/auth/invites/invites.ts";
import { isOfDirectory, LdapCheck } from "../../features/accounts/auth/ldap/ldap_check.ts";
import { LoginFlows } from "../../features/accounts/auth/login_flows.ts";
import { LoginThrottle } from "../../features/accounts/auth/login_throttle.ts";
import { OidcSignIn } from "../../features/accounts/auth/oidc/oidc_sign_in.ts";
import { Passkeys } from "../../features/accounts/auth/passkeys/passkeys.ts";
import { PasswordLogins } from "../../features/accounts/auth/password_logins.ts";
import type { Caller, Client, Seen } from "../../features/accounts/auth/session.ts";
import { Sessions } from "../../features/accounts/auth/sessions.ts";
import { recordFailure, recordSignIn } from "../../features/accounts/auth/sign_in_activities.ts";
import { openHookSignIn } from "../../features/commands/hook_sign_in.ts";
import type { User } from "../../features/accounts/users/user.ts";
import type { MakeHome } from "../../features/accounts/users/with_home.ts";
import type { OpenCubby } from "./cubby.ts";
import type { Expiring } from "./upkeep.ts";

/** The parts of the application by which users sign in. */
export type Accounts = Pick<
  OpenCubby,
  | "attempts"
  | "factors"
  | "passkeys"
  | "sessions"
  | "passwordLogins"
  | "apiTokens"
  | "loginFlows"
  | "oidc"
  | "invites"
>;

/** Dependencies of {@linkcode openAccounts}. */
export interface AccountsOptions
  extends Pick<OpenCubby, "config" | "store" | "key" | "users" | "passwords" | "settings"> {
  audit: Audit;
  makeHome: MakeHome;
  /** Runs after each sign-in. */
  onSignIn: (user: User, client: Client) => Promise<void>;
  /** Takes a sentence for the log. */
  note: (sentence: string) => void;
}

/**
 * Opens sessions, API tokens and what decides who may have one.
 *
 * @returns with the accounts the records among them that expire, and the end of what is open
 */
export async function openAccounts(
  { audit, onSignIn, ...options }: AccountsOptions,
): Promise<{ accounts: Accounts; expiring: Expiring[]; close(): void }> {
  const { config, store, key, users, passwords, settings, makeHome, note } = options;
  const ended = new EndedSessions(config.root);
  const attempts = new LoginThrottle(store, undefined, (account, address) => {
    return recordFailure(audit, users, account, address);
  });
  const factors = new SecondFactors(store, key);
  const hook = await openHookSignIn(config, options);
  const ldap = config.ldap && new LdapCheck({ ...options, directory: config.ldap });
  const sessions = new Sessions({
    ...{ store, users, passwords, attempts, factors, key, ended },
    lifeMs: config.tokenLifeMs,
    check: hook?.check ?? ldap?.check.bind(ldap),
    onOpened: async (user, client) => {
      await recordSignIn(audit, user, client);
      await onSignIn(user, client);
    },
    mustEnrol: (loaded) => mustEnrol(loaded, config),
  });
  const passkeys = new Passkeys({ store, key, users, factors, attempts, sessions });
  const apiTokens = new ApiTokens(store, attempts);
  const loginFlows = config.syncClients ? new LoginFlows(store, apiTokens, users) : null;
  const invites = new Invites({ store, users, settings, attempts, makeHome });
  const oidc = config.oidc
    ? new OidcSignIn({
      ...{ store, users, settings, sessions, attempts, provider: config.oidc },
      ...{ makeHome, note },
    })
    : null;
  const passwordLogins = new PasswordLogins({
    ...{ users, settings, passwords, attempts },
    isElsewhere: (user) => config.ldap !== undefined && isOfDirectory(user, config.ldap),
    mustEnrol: (seen) => mustEnrol({ ...seen, session: {} }, config),
  });
  return {
    accounts: {
      ...{ attempts, factors, passkeys, sessions, passwordLogins, apiTokens, loginFlows },
      ...{ oidc, invites },
    },
    expiring: [
      ...[sessions, passkeys.challenges, apiTokens, attempts, invites],
      ...[oidc?.pending, loginFlows].filter((records) => !!records),
    ],
    close() {
      void hook?.close();
      ended.close();
    },
  };
}

/**
 * The access of a caller now, for long-lived answers; null once the session has ended or the API
 * token is dead.
 */
export async function currentlySeen(
  { session, token }: Caller,
  { sessions, apiTokens }: Pick<Accounts, "sessions" | "apiTokens">,
): Promise<Seen | null> {
  if (token) return await apiTokens.current(token.id);
  return session ? await sessions.current({ session }) : null;
}
