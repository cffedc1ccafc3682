import { randomId } from "../../../core/kv/random_id.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { bestEffort } from "../../../core/kv/best_effort.ts";
import { commitChange } from "../../../core/kv/commit.ts";
import { settingsRecord } from "../../../core/kv/server_records.ts";
import type { Store } from "../../../core/kv/store.ts";
import { storedSettings } from "../../settings/settings.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { withGroups } from "../users/groups/with_groups.ts";
import { storedUser, type User } from "../users/user.ts";
import { sessionRecords, userRecords } from "../users/user_records.ts";
import type { EndedSessions } from "./ended_sessions.ts";
import { generationStatus, renewed, type RenewedBy, withoutFuture } from "./generations.ts";
import { unauthenticatedError } from "./jwt.ts";
import { SessionCopies } from "./session_copies.ts";
import type { Client, SessionRecord } from "./session.ts";

/** Resolution of `lastSeen`, in milliseconds: a session is written at most that often. */
const touchEveryMs = 60_000;

/** The longest `User-Agent` that is stored, in characters. */
const maxAgentLength = 300;

/**
 * A live session with the records that every request needs, read at one moment. The user has what
 * the user's groups add, which is read after that.
 */
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
  readonly #ended: EndedSessions | undefined;
  /** Only of a store on the network. */
  readonly #copies: SessionCopies | undefined;

  /**
   * @param options.lifeMs the lifetime of a session without renewal
   * @param options.now the clock, in milliseconds since 1970
   * @param options.ended sessions that no record tells to have ended
   */
  constructor(
    { store, lifeMs, now, ended }: {
      store: Store;
      lifeMs: number;
      now: () => number;
      ended?: EndedSessions;
    },
  ) {
    this.#store = store;
    this.#lifeMs = lifeMs;
    this.#now = now;
    this.#ended = ended;
    this.#copies = store.network && new SessionCopies();
  }

  async create(
    user: User,
    client: Client,
    proof: Pick<SessionRecord, "provedAt"> = {},
  ): Promise<SessionRecord> {
    const now = this.#now();
    const session: SessionRecord = {
      sid: randomId(16),
      userId: user.id,
      gen: 1,
      former: [],
      epoch: user.epoch,
      created: now,
      lastSeen: now,
      expires: now + this.#lifeMs,
      address: client.address,
      agent: client.agent.slice(0, maxAgentLength),
      ...proof,
    };
    await sessionRecords.set(this.#store, [user.id, session.sid], session);
    return session;
  }

  /**
   * The session with its user and the settings, read at one moment, or null when it has ended.
   */
  async load(userId: number, sid: string): Promise<Loaded | null> {
    if (this.#ended?.has(sid)) return await this.#recordEnd(userId, sid);
    const key = sessionRecords.key(userId, sid);
    const loaded = await this.#store.cachedRead(key, () => this.#read(userId, sid));
    return loaded && this.#now() < loaded.entry.value.expires ? loaded : null;
  }

  async #read(userId: number, sid: string): Promise<Loaded | null> {
    const read = () => this.#readNow(userId, sid);
    return await (this.#copies?.read(sid, read) ?? read());
  }

  async #readNow(userId: number, sid: string): Promise<Loaded | null> {
    const [entry, user, settings] = await this.#store.getMany<[SessionRecord, User, Settings]>([
      sessionRecords.key(userId, sid),
      userRecords.key(userId),
      settingsRecord.key(),
    ]);
    if (entry.versionstamp === null || user.versionstamp === null) return null;
    if (entry.value.epoch !== user.value.epoch) return null;
    const acting = await withGroups(this.#store, storedUser(user.value));
    return { entry, user: acting, settings: storedSettings(settings.value) };
  }

  /**
   * The session for a token of that generation. Using a generation whose grace period is over ends
   * the session: two clients hold it, and one of them is not its owner.
   *
   * @throws DomainError `not_signed_in`
   */
  async enter(userId: number, sid: string, gen: number): Promise<Loaded> {
    const loaded = await this.load(userId, sid);
    if (!loaded) throw unauthenticatedError("the session has ended");
    const status = generationStatus(loaded.entry.value, gen, this.#now());
    if (status === "current" || status === "former") return loaded;
    if (status === "replayed") await this.remove(userId, sid);
    throw unauthenticatedError("the token was replaced");
  }

  /**
   * Notes that the session is in use, once a minute, unless another request wrote concurrently. A
   * store that cannot be written now does not refuse the session: the note is left out.
   *
   * @returns the session as it is then
   */
  async touch(entry: Deno.KvEntry<SessionRecord>): Promise<SessionRecord> {
    const now = this.#now();
    if (Math.abs(now - entry.value.lastSeen) < touchEveryMs) return entry.value;
    const session = { ...withoutFuture(entry.value, now, this.#lifeMs), lastSeen: now };
    await bestEffort(() =>
      this.#store.atomic((operation) => sessionRecords.replace(operation, entry, session))
    );
    return session;
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
        build: (operation) => sessionRecords.replace(operation, entry, session),
      };
    });
  }

  /**
   * Ends one session; nothing happens when there is none.
   *
   * @throws DomainError `disk_full`, `disk_error`: it has ended for this process alone
   */
  async remove(userId: number, sid: string): Promise<void> {
    this.#copies?.delete(sid);
    try {
      await sessionRecords.remove(this.#store, userId, sid);
      this.#ended?.delete(sid);
    } catch (error) {
      this.#ended?.add(sid);
      if (!(error instanceof DomainError)) throw error;
      throw new DomainError(
        error.code,
        `Cannot store the end of the session: it holds only until the server restarts: ${error.message}`,
      );
    }
  }

  /** The live sessions of a user, newest first. */
  async list(userId: number): Promise<SessionRecord[]> {
    const user = await userRecords.get(this.#store, userId);
    return (await sessionRecords.list(this.#store, userId))
      .filter(({ sid }) => !this.#ended?.has(sid))
      .filter((session) => this.#now() < session.expires && session.epoch === user?.epoch)
      .sort((a, b) => b.created - a.created);
  }

  /** Removes the records of sessions that are over. */
  async removeExpired(): Promise<void> {
    await sessionRecords.removeExpired(this.#store, this.#now());
  }

  /** Tries again to record the end of a session that has ended for this process alone. */
  async #recordEnd(userId: number, sid: string): Promise<null> {
    await bestEffort(() => this.remove(userId, sid));
    return null;
  }
}
