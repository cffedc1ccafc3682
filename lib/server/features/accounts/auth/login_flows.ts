import { timingSafeEqual } from "node:crypto";
import { DomainError } from "../../../../shared/errors.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import { Collection } from "../../../core/kv/collection.ts";
import { digestOf, randomSecret } from "../../../core/kv/random_id.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { User } from "../users/user.ts";
import type { Users } from "../users/users.ts";
import { apiTokens } from "../users/user_records.ts";
import type { ApiToken } from "./api_token.ts";
import type { ApiTokens } from "./api_tokens.ts";
import { addressKeyOf } from "./rate_limit_keys.ts";

/** How long a client waits for its user, in milliseconds. */
const lifeMs = 20 * 60_000;

/** When to try again while too many clients wait, in seconds. */
const retryAfter = 60;

/** What a user has granted to a client. */
export interface Grant {
  userId: number;
  write: boolean;
  share: boolean;
  /** The folder below which alone it works, from the server's root on; null for all. */
  place: EntryPath | null;
}

/** A client that waits for its user's consent, as the store holds it. */
export interface LoginFlow {
  /** The name of the client: see `clientNameOf`. */
  client: string;
  /** The client's address, as the trusted proxies report it. */
  address: string;
  /** The SHA-256 digest of the secret that the client asks with. */
  poll: string;
  /** Null until the user has consented. */
  grant: Grant | null;
  /** The end, in milliseconds since 1970. */
  expires: number;
}

/**
 * A client that waits for its user's consent, about 400 bytes, for 20 minutes; below a digest of its
 * address, so that those of one address, such as an office's, can be counted. Its id is the digest
 * of the secret in the link that the user opens.
 */
export const loginFlows = new Collection<LoginFlow, [place: string, id: string]>("login_flows", {
  expires: ({ expires }, now) => expires <= now || expires > now + lifeMs,
  max: 100,
});

/** What a client gets that begins. */
export interface BegunFlow {
  /** For the link that the user opens. */
  login: string;
  /** With it the client asks for the result, and nobody else can. */
  poll: string;
}

/**
 * The sign-in of clients by the browser of their users (Login Flow v2 of Nextcloud): the client
 * shows its user a link, the user consents on its page, and the client, which has asked all the
 * while, gets an API token. That is made when the client fetches it, so that the store never holds
 * its secret, and what no client fetches leaves no token. Any thread or server may answer each part.
 */
export class LoginFlows {
  readonly #store: Store;
  readonly #tokens: ApiTokens;
  readonly #users: Users;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(
    store: Store,
    tokens: ApiTokens,
    users: Users,
    now: () => number = () => Date.now(),
  ) {
    this.#store = store;
    this.#tokens = tokens;
    this.#users = users;
    this.#now = now;
  }

  /** @throws DomainError `throttled` while too many clients wait at the address */
  async begin(client: string, address: string): Promise<BegunFlow> {
    const place = digestOf(addressKeyOf(address)).slice(0, 16);
    const others = await loginFlows.list(this.#store, place);
    const now = this.#now();
    if (others.filter(({ expires }) => now < expires).length >= loginFlows.max) {
      const message = "Cannot connect: too many apps wait to be connected; try again in a minute";
      throw new DomainError("throttled", message, retryAfter);
    }
    const [login, poll] = [randomSecret(), randomSecret()];
    const id = digestOf(login);
    const flow = { client, address, poll: digestOf(poll), grant: null, expires: now + lifeMs };
    await loginFlows.set(this.#store, [place, id], flow);
    return { login: `${place}.${login}`, poll: `${place}.${id}.${poll}` };
  }

  /**
   * The client that waits for the user of a link.
   *
   * @throws DomainError `not_found` when none does: the link is none, was used, or is too old
   */
  async waiting(login: string): Promise<LoginFlow> {
    return waitingIn((await this.#entry(login)).value, this.#now());
  }

  /**
   * Consents to what a client waits for.
   *
   * @throws DomainError `not_found` as {@linkcode waiting}; `invalid_body` for a user with too many
   * API tokens
   */
  async grant(login: string, grant: Grant): Promise<LoginFlow> {
    const entry = await this.#entry(login);
    const flow = waitingIn(entry.value, this.#now());
    if ((await this.#tokens.list(grant.userId)).length >= apiTokens.max) {
      const text = `Cannot connect the app: at most ${apiTokens.max} API tokens are allowed`;
      throw new DomainError("invalid_body", text);
    }
    await this.#write(entry, { ...flow, grant });
    return flow;
  }

  /** Refuses what a client waits for. @throws DomainError `not_found` as {@linkcode waiting} */
  async refuse(login: string): Promise<void> {
    const entry = await this.#entry(login);
    waitingIn(entry.value, this.#now());
    await this.#write(entry, null);
  }

  /**
   * Takes the API token of a client whose user has consented: once. Null until then, and for what no
   * client has begun.
   *
   * @throws DomainError `invalid_body` when the user has too many API tokens by now
   */
  async take(poll: string): Promise<{ user: User; token: ApiToken; secret: string } | null> {
    const [, place, id, secret] = /^([\w-]{16})\.([\w-]{43})\.([\w-]{43})$/.exec(poll) ?? [];
    if (place === undefined || id === undefined || secret === undefined) return null;
    const entry = await loginFlows.entry(this.#store, place, id);
    if (entry.value === null || !isSame(entry.value.poll, digestOf(secret))) return null;
    const { grant, client: name, expires } = entry.value;
    if (grant === null || expires <= this.#now()) return null;
    const user = await this.#users.seen(grant.userId);
    const { ok } = await this.#store.atomic((operation) =>
      loginFlows.write(operation, entry, null)
    );
    if (!ok || !user) return null;
    const { write, share } = grant;
    const draft = { name, write, share, expires: null };
    return { user, ...await this.#tokens.create(user.id, draft, grant.place) };
  }

  /** Removes the records of clients that have waited too long. */
  async removeExpired(): Promise<void> {
    await loginFlows.removeExpired(this.#store, this.#now());
  }

  async #entry(login: string): Promise<Deno.KvEntryMaybe<LoginFlow>> {
    const [, place, secret] = /^([\w-]{16})\.([\w-]{43})$/.exec(login) ?? [];
    if (place === undefined || secret === undefined) throw noFlowError();
    return await loginFlows.entry(this.#store, place, digestOf(secret));
  }

  /** Of two answers to one client the first holds. */
  async #write(entry: Deno.KvEntryMaybe<LoginFlow>, next: LoginFlow | null): Promise<void> {
    const { ok } = await this.#store.atomic((operation) =>
      loginFlows.write(operation, entry, next)
    );
    if (!ok) throw noFlowError();
  }
}

/** @throws DomainError `not_found` */
function waitingIn(flow: LoginFlow | null, now: number): LoginFlow {
  if (flow && flow.grant === null && now < flow.expires) return flow;
  throw noFlowError();
}

function noFlowError(): DomainError {
  return new DomainError("not_found", "Cannot connect the app: it no longer waits for an answer");
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => new TextEncoder().encode(text));
  return one !== undefined && other !== undefined && one.length === other.length &&
    timingSafeEqual(one, other);
}
