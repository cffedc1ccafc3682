import { DomainError } from "../../../../../shared/errors.ts";
import type { OidcProvider } from "../../../../core/config/oidc_options.ts";
import type { Store } from "../../../../core/kv/store.ts";
import type { SettingsStore } from "../../../settings/settings_store.ts";
import type { Users } from "../../users/users.ts";
import type { MakeHome } from "../../users/with_home.ts";
import { planAdmission } from "../outside_accounts/admit.ts";
import type { LoginThrottle } from "../login_throttle.ts";
import type { Client } from "../session.ts";
import type { Opened, Sessions } from "../sessions.ts";
import { groupsIn, usernameIn } from "./claims.ts";
import { randomSecret } from "../../../../core/kv/random_id.ts";
import { type BegunSignIn, PendingSignIns } from "./pending_sign_ins.ts";
import { type ProviderAccount, ProviderClient } from "./provider_client.ts";

/** Dependencies of the sign-in. */
export interface OidcSignInOptions {
  provider: OidcProvider;
  store: Store;
  users: Users;
  settings: SettingsStore;
  sessions: Sessions;
  attempts: LoginThrottle;
  makeHome: MakeHome;
  /** Logs a sentence. */
  note(sentence: string): void;
}

/** The beginning of a sign-in. */
export interface Beginning {
  /** Where the provider is to send the visitor back to. */
  redirectUri: string;
  /** The page to open afterwards, on this site. */
  next: string;
  /** The visitor is to prove again to the provider who he is. */
  again: boolean;
  /** The visitor's address. */
  address: string;
}

/** The parameters that a visitor brings back from the provider. */
export interface Return {
  /** The query of the address, with its question mark. */
  query: string;
  state: string;
  /** The value of the browser's cookie from the beginning; "" without one. */
  secret: string;
  client: Client;
}

/** A sign-in that is done. */
export interface Entered extends Opened {
  /** The page to open. */
  next: string;
  idToken: string;
}

/** Signing in by an account of a provider of OpenID Connect. */
export class OidcSignIn {
  /** The sign-ins that are under way. */
  readonly pending: PendingSignIns;
  readonly #options: OidcSignInOptions;
  readonly #client: ProviderClient;

  constructor(options: OidcSignInOptions) {
    this.#options = options;
    this.pending = new PendingSignIns(options.store);
    this.#client = new ProviderClient(options.provider);
  }

  /**
   * Begins a sign-in.
   *
   * @returns the address at the provider, and what the browser has to keep
   * @throws DomainError `busy` while the provider is away; `throttled`
   */
  async begin(
    { redirectUri, next, again, address }: Beginning,
  ): Promise<BegunSignIn & { url: string }> {
    const [nonce, verifier] = [randomSecret(), randomSecret()];
    const begun = await this.pending.begin(address, { nonce, verifier, redirectUri, next });
    const question = { state: begun.state, nonce, verifier, redirectUri, again };
    return { ...begun, url: await this.#client.addressOf(question) };
  }

  /**
   * Finishes a sign-in: opens a session for the user of the account. Answers that prove nothing
   * count as wrong passwords from the visitor's address do.
   *
   * @returns null when the provider says that the visitor has thought better of it
   * @throws DomainError `not_signed_in` when no sign-in is in progress in this browser;
   * `wrong_credentials` for an answer that proves nothing; `busy`, `throttled`; and as
   * `planAdmission()`
   */
  async finish({ query, state, secret, client }: Return): Promise<Entered | null> {
    const { attempts } = this.#options;
    let wrong = new DomainError(
      "not_signed_in",
      "Cannot sign in: no sign-in is in progress in this browser",
    );
    // Of one name each, so that strangers close the door to their own address alone.
    const found = await attempts.throttled(`oidc:${state}`, client.address, async () => {
      const pending = await this.pending.take(state, secret);
      if (!pending) return null;
      if (new URLSearchParams(query).get("error") === "access_denied") return "gone";
      try {
        return { pending, account: await this.#client.exchange(query, state, pending) };
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== "wrong_credentials") throw error;
        wrong = error;
        return null;
      }
    });
    if (found === null) throw wrong;
    if (found === "gone") return null;
    const opened = await this.#open(found.account, client);
    return { ...opened, next: found.pending.next, idToken: found.account.idToken };
  }

  /**
   * The address at the provider where its own session ends; null when that is not wanted, or when
   * it has none.
   *
   * @throws DomainError `busy` while the provider is away
   */
  async endAddress(idToken: string | undefined, returnTo: string): Promise<string | null> {
    if (!this.#options.provider.logout) return null;
    return await this.#client.endAddress(idToken, returnTo);
  }

  async #open({ issuer, subject, claims }: ProviderAccount, client: Client): Promise<Opened> {
    const { provider, users, settings, sessions, makeHome, note } = this.#options;
    const account = {
      identity: { issuer, subject },
      username: usernameIn(claims, provider),
      groups: groupsIn(claims, provider),
    };
    try {
      const admission = await planAdmission(account, {
        ...{ users, makeHome, rules: provider },
        settings: await settings.get(),
      });
      const user = await admission.enter();
      const { auth_time: provedAt } = claims;
      const now = Date.now();
      const verifiedAt = typeof provedAt === "number" ? Math.min(provedAt * 1000, now) : now;
      return await sessions.open(user, client, { provedAt: verifiedAt });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      note(`${error.message} (${JSON.stringify(subject)} of ${issuer})`);
      throw error;
    }
  }
}
