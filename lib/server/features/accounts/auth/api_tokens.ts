import type { ApiTokenDraft } from "../../../../shared/schemas/api_token.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import { bestEffort } from "../../../core/kv/best_effort.ts";
import { settingsRecord } from "../../../core/kv/server_records.ts";
import { checkRecordSize } from "../../../core/kv/size.ts";
import type { Store } from "../../../core/kv/store.ts";
import { storedSettings } from "../../settings/settings.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { withGroups } from "../users/groups/with_groups.ts";
import { storedUser, type User } from "../users/user.ts";
import { apiTokens, apiTokensByUser, userRecords } from "../users/user_records.ts";
import { actingUser, type ApiToken, hasEnded, idOfSecret, makeSecret } from "./api_token.ts";
import { unauthenticatedError } from "./jwt.ts";
import type { LoginThrottle } from "./login_throttle.ts";
import type { Caller, Seen } from "./session.ts";

/** Resolution of `lastUsed`, in milliseconds: a token is written at most that often. */
const touchEveryMs = 60_000;

/** A token with the records that decide what it may do, read at one moment. */
interface Loaded {
  entry: Deno.KvEntry<ApiToken>;
  user: User;
  settings: Settings;
}

/**
 * API tokens: keys that users make for programs. One counts only while its record and its user are
 * in the store, and carries at most what the user may do at this moment.
 */
export class ApiTokens {
  readonly #store: Store;
  readonly #attempts: LoginThrottle;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, attempts: LoginThrottle, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#attempts = attempts;
    this.#now = now;
  }

  /**
   * Makes a token.
   *
   * @param place the folder below which alone it works, from the server's root on; null for all
   * @returns the token as well, which is not shown again
   * @throws DomainError `invalid_body` for an end in the past, and for too many tokens
   */
  async create(
    userId: number,
    { name, write, share, expires: end }: Omit<ApiTokenDraft, "folder">,
    place: EntryPath | null,
  ): Promise<{ secret: string; token: ApiToken }> {
    const created = this.#now();
    const expires = end === null ? null : Date.parse(end);
    if (expires !== null && expires <= created) {
      throw new DomainError(
        "invalid_body",
        "Cannot create the API token: its expiry is in the past",
      );
    }
    if ((await this.list(userId)).length >= apiTokens.max) {
      const text = `Cannot create the API token: at most ${apiTokens.max} are allowed`;
      throw new DomainError("invalid_body", text);
    }
    const { secret, id } = makeSecret();
    const facts = { id, userId, name, write, share, place, created, expires };
    const token: ApiToken = { ...facts, lastUsed: null };
    checkRecordSize(`make the API token "${name}"`, token);
    await apiTokens.set(this.#store, [id], token);
    return { secret, token };
  }

  /**
   * The caller of a request that presents an API token, wherever it was found. The user of it has
   * the token's rights and bounds: see {@linkcode actingUser}. Wrong tokens are counted by address;
   * those that are right are never refused for it.
   *
   * @throws DomainError `not_signed_in` for a token that is unknown, was revoked or is over;
   * `throttled` after too many of those
   */
  async authenticate(secret: string, address: string): Promise<Caller> {
    const id = idOfSecret(secret);
    const loaded = id === null ? null : await this.#load(id);
    const caller = loaded && callerOf(loaded);
    if (!loaded || !caller) {
      await this.#attempts.countWrong("api_token", address);
      throw unauthenticatedError("the API token is unknown, revoked or expired");
    }
    await this.#touch(loaded.entry);
    return caller;
  }

  /**
   * The access of a token's caller now, for long-lived answers and jobs; null once the token is
   * dead.
   */
  async current(id: string): Promise<Seen | null> {
    const loaded = await this.#load(id);
    return loaded && callerOf(loaded);
  }

  /** @throws DomainError `not_found` */
  async get(id: string): Promise<ApiToken> {
    const token = await apiTokens.get(this.#store, id);
    if (token) return token;
    throw new DomainError("not_found", "Cannot find the API token: no such id");
  }

  /** A user's tokens, newest first; those that have ended lately as well. */
  async list(userId: number): Promise<ApiToken[]> {
    const index = await this.#store.list(apiTokensByUser.prefix(userId));
    const tokens = await apiTokens.named(this.#store, index);
    return tokens.sort(newestFirst);
  }

  /** As {@linkcode list}, of all users, by the user's id: read in a few large parts. */
  async byUser(): Promise<Map<number, ApiToken[]>> {
    const tokens = (await Array.fromAsync(apiTokens.page(this.#store))).flat();
    return Map.groupBy(tokens.sort(newestFirst), ({ userId }) => userId);
  }

  /** Revokes a token: it is dead at once, in all threads and processes. */
  async remove(token: ApiToken): Promise<void> {
    await apiTokens.remove(this.#store, token.id);
  }

  /** Removes the records of tokens that ended a month ago. */
  async removeExpired(): Promise<void> {
    await apiTokens.removeExpired(this.#store, this.#now());
  }

  /** Null for a token that is not there or over, and for one whose user is gone. */
  async #load(id: string): Promise<Loaded | null> {
    const loaded = await this.#store.cachedRead(apiTokens.key(id), () => this.#read(id));
    return loaded && !hasEnded(loaded.entry.value, this.#now()) ? loaded : null;
  }

  async #read(id: string): Promise<Loaded | null> {
    const value = await apiTokens.get(this.#store, id);
    if (value === null) return null;
    const [entry, user, settings] = await this.#store.getMany<[ApiToken, User, Settings]>([
      apiTokens.key(id),
      userRecords.key(value.userId),
      settingsRecord.key(),
    ]);
    if (entry.versionstamp === null || user.versionstamp === null) return null;
    const acting = await withGroups(this.#store, storedUser(user.value));
    return { entry, user: acting, settings: storedSettings(settings.value) };
  }

  /**
   * Notes that a token is in use, once a minute, unless another request wrote concurrently. A store
   * that cannot be written now does not refuse the token: the note is left out.
   */
  async #touch(entry: Deno.KvEntry<ApiToken>): Promise<void> {
    const lastUsed = this.#now();
    if (Math.abs(lastUsed - (entry.value.lastUsed ?? 0)) < touchEveryMs) return;
    await bestEffort(() =>
      this.#store.atomic((operation) =>
        apiTokens.replace(operation, entry, { ...entry.value, lastUsed })
      )
    );
  }
}

function newestFirst(one: ApiToken, other: ApiToken): number {
  return other.created - one.created;
}

function callerOf({ entry: { value: token }, user, settings }: Loaded): Caller | null {
  const acting = actingUser(user, token);
  return acting && { user: acting, settings, token, stale: false };
}
