import { commitChange } from "../kv/commit.ts";
import { sessionKey, sessionsPrefix } from "../kv/keys/sessions.ts";
import { settingsKey } from "../kv/keys/settings.ts";
import { userKey } from "../kv/keys/users.ts";
import type { Store } from "../kv/store.ts";
import { type Settings, storedSettings } from "../settings/settings.ts";
import { storedUser, type User } from "../users/user.ts";
import { generationStatus, renewed, type RenewedBy } from "./generations.ts";
import { unauthenticated } from "./jwt.ts";
import type { Client, SessionRecord } from "./session.ts";

/** Resolution of `lastSeen`, in milliseconds: a session is written at most that often. */
const touchEveryMs = 60_000;

/** The longest `User-Agent` that is stored, in characters. */
const longestAgent = 300;

/** A live session with the records that every request needs, read at one moment. */
export interface Loaded {
  entry: Deno.KvEntry<SessionRecord>;
  user: User;
  settings: Settings;
}

/** The session records in the store: one exists as long as its session lives. */
export class SessionRecords {
  readonly #store: Store;
  readonly #lifeMs: number;
  readonly #now: () => number;

  /**
   * @param lifeMs the lifetime of a session without renewal
   * @param now the clock, in milliseconds since 1970
   */
  constructor(store: Store, lifeMs: number, now: () => number) {
    this.#store = store;
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  async create(user: User, client: Client): Promise<SessionRecord> {
    const now = this.#now();
    const session: SessionRecord = {
      sid: crypto.getRandomValues(new Uint8Array(16)).toBase64({
        alphabet: "base64url",
        omitPadding: true,
      }),
      userId: user.id,
      gen: 1,
      former: [],
      epoch: user.epoch,
      created: now,
      lastSeen: now,
      expires: now + this.#lifeMs,
      address: client.address,
      agent: client.agent.slice(0, longestAgent),
    };
    await this.#store.atomic((operation) => this.#put(operation, session));
    return session;
  }

  /**
   * The session with its user and the settings, read at one moment, or null when it has ended.
   */
  async load(userId: number, sid: string): Promise<Loaded | null> {
    const [entry, user, settings] = await this.#store.getMany<[SessionRecord, User, Settings]>([
      sessionKey(userId, sid),
      userKey(userId),
      settingsKey(),
    ]);
    if (entry.versionstamp === null || user.versionstamp === null) return null;
    const lives = this.#now() < entry.value.expires && entry.value.epoch === user.value.epoch;
    if (!lives) return null;
    return { entry, user: storedUser(user.value), settings: storedSettings(settings.value) };
  }

  /**
   * The session for a token of that generation. Using a generation whose grace period is over ends
   * the session: two clients hold it, and one of them is not its owner.
   *
   * @throws DomainError `not_signed_in`
   */
  async enter(userId: number, sid: string, gen: number): Promise<Loaded> {
    const loaded = await this.load(userId, sid);
    if (!loaded) throw unauthenticated("the session has ended");
    const status = generationStatus(loaded.entry.value, gen, this.#now());
    if (status === "current" || status === "former") return loaded;
    if (status === "replayed") await this.remove(userId, sid);
    throw unauthenticated("the token is out of use");
  }

  /** Notes that the session is in use, once a minute, unless another request wrote concurrently. */
  async touch(entry: Deno.KvEntry<SessionRecord>): Promise<void> {
    const now = this.#now();
    if (now - entry.value.lastSeen < touchEveryMs) return;
    const session = { ...entry.value, lastSeen: now };
    await this.#store.atomic((operation) => this.#put(operation.check(entry), session));
  }

  /**
   * Advances the session to its next generation. When another tab was first, returns the generation
   * that it began: both use that one, unless that one, too, is in the second half of its life.
   *
   * @throws DomainError `not_signed_in`
   */
  renew(
    userId: number,
    sid: string,
    gen: number,
    by: RenewedBy,
  ): Promise<{ session: SessionRecord; user: User }> {
    return commitChange(this.#store, async () => {
      const { entry, user } = await this.enter(userId, sid, gen);
      const isFresh = entry.value.expires - this.#now() >= this.#lifeMs / 2;
      const isTaken = entry.value.gen !== gen && (by === "cookie" || isFresh);
      if (isTaken) return { result: { session: entry.value, user }, build: null };
      const session = renewed(entry.value, this.#now(), this.#lifeMs, by);
      return {
        result: { session, user },
        build: (operation) => this.#put(operation.check(entry), session),
      };
    });
  }

  /** Ends one session; nothing happens when there is none. */
  async remove(userId: number, sid: string): Promise<void> {
    await this.#store.atomic((operation) => operation.delete(sessionKey(userId, sid)));
  }

  /** The live sessions of a user, newest first. */
  async list(userId: number): Promise<SessionRecord[]> {
    const { value: user } = await this.#store.get<User>(userKey(userId));
    const entries = await this.#store.list<SessionRecord>(sessionsPrefix(userId));
    return entries.map((entry) => entry.value)
      .filter((session) => this.#now() < session.expires && session.epoch === user?.epoch)
      .sort((a, b) => b.created - a.created);
  }

  /** The store drops the record by itself some time after the session's end. */
  #put(operation: Deno.AtomicOperation, session: SessionRecord): Deno.AtomicOperation {
    const expireIn = Math.max(1, session.expires - this.#now());
    return operation.set(sessionKey(session.userId, session.sid), session, { expireIn });
  }
}
