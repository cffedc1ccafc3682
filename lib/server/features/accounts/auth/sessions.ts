import { DomainError } from "../../../../shared/errors.ts";
import type { FactorMethod } from "../../../../shared/schemas/choices/choices.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { rightsOf } from "../users/normalize_user.ts";
import type { User } from "../users/user.ts";
import { canonicalName } from "../users/username.ts";
import type { Users } from "../users/users.ts";
import type { EndedSessions } from "./ended_sessions.ts";
import type { RenewedBy } from "./generations.ts";
import type { SecondFactors } from "./factors/factors.ts";
import { factorMethods } from "./factors/factors_record.ts";
import type { LoginThrottle } from "./login_throttle.ts";
import { unauthenticatedError } from "./jwt.ts";
import { withGroups } from "../users/groups/with_groups.ts";
import { removeSessions } from "../users/user_records.ts";
import type { Client, PasswordCheck, Seen, SessionRecord, SignedIn } from "./session.ts";
import { Counter } from "../../../core/metrics/metrics.ts";
import { SessionRecords } from "./session_records.ts";
import { type TicketPurpose, Tokens } from "./tokens.ts";

const opened = new Counter("cubby_sessions_opened_total");

/** Dependencies of the sessions. */
export interface SessionsOptions {
  store: Store;
  users: Users;
  passwords: Passwords;
  attempts: LoginThrottle;
  /** Decides whose name and password are right; the users' own passwords unless given. */
  check?: PasswordCheck;
  factors: SecondFactors;
  /** See `openSigningKey`. */
  key: CryptoKey;
  /** Whether a session may do nothing yet but set up a second factor; none by default. */
  mustEnrol?: (loaded: Pick<SignedIn, "user" | "settings" | "session">) => boolean;
  /** The lifetime of a session without renewal, in milliseconds. */
  lifeMs: number;
  /** Sessions that no record tells to have ended. */
  ended?: EndedSessions;
  /** Is told of each session that was opened. */
  onOpened?: (user: User, client: Client) => Promise<void>;
  /** The clock, in milliseconds since 1970; the system's by default. */
  now?: () => number;
}

/** The input of the login form, and the client that sends it. */
export interface Credentials extends Client {
  username: string;
  password: string;
  /** A further proof that is verified before the password. */
  proof?: (() => Promise<boolean>) | null;
  /** A code of the second factor; empty where none was typed. */
  code?: string;
  /** Another proof by a second factor, in place of a code. */
  factor?: ((user: User) => Promise<boolean>) | null;
  /** The host name whose passkeys count; none by default. */
  party?: string | null;
}

/** A session with its newest token. */
export interface Opened {
  token: string;
  session: SessionRecord;
  user: User;
}

/**
 * Sessions. A token is valid only while its session's record is in the store, so ending a session,
 * or changing the user's rights, takes effect at once and everywhere.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #records: SessionRecords;
  readonly #tokens: Tokens;
  readonly #now: () => number;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    this.#records = new SessionRecords({ ...options, now: this.#now });
    this.#tokens = new Tokens(options.key, this.#now);
  }

  /**
   * Opens a session after a correct password. Unknown names cost the same time as known ones and
   * are throttled alike; a failed proof and a wrong code count as a wrong password. Second factors
   * are not revealed before the password is right.
   *
   * @throws DomainError `wrong_credentials`; `second_factor_required` when a code is missing;
   * `throttled` with `retryAfter`
   */
  async signIn(
    { username, password, proof, code = "", factor, party = null, address, agent }: Credentials,
  ): Promise<Opened> {
    const { users, passwords, attempts, factors, check } = this.#options;
    const account = `user:${canonicalName(username) ?? username}`;
    let isCodeWrong = false;
    const user = await attempts.throttled(account, address, async (alsoCount) => {
      if (proof && !await proof()) return null;
      const verified = await (check ?? this.#ownCheck)(username, password, alsoCount);
      if (!verified?.user?.hasFactors) return await verified?.enter() ?? null;
      if (code === "" && !factor) {
        throw codeMissingError(factorMethods(await factors.of(verified.user), party));
      }
      const { id } = verified.user;
      isCodeWrong = !await (factor ? factor(verified.user) : factors.verify(id, code));
      return isCodeWrong ? null : await verified.enter();
    });
    if (!user) {
      const message = isCodeWrong
        ? `Cannot sign in: the ${factor ? "passkey" : "code"} is wrong or was used before`
        : "Cannot sign in: the name or the password is wrong";
      throw new DomainError("wrong_credentials", message);
    }
    if (!check && passwords.isForeign(user.passwordHash)) await users.rehash(user, password);
    return await this.open(user, { address, agent });
  }

  /** The check by the passwords of the users here. */
  readonly #ownCheck: PasswordCheck = async (username, password) => {
    const { users, passwords } = this.#options;
    const named = await users.byName(username);
    const isRight = await passwords.verify(password, named?.passwordHash ?? null);
    return isRight && named ? { user: named, enter: () => Promise.resolve(named) } : null;
  };

  /**
   * Asks the signed-in user for the password again, before something that a borrowed session must
   * not do. Guesses are counted with those at the login.
   *
   * @param further a second proof, which is verified if the password is right
   * @throws DomainError `wrong_credentials`; `throttled` with `retryAfter`
   */
  async confirm(
    user: User,
    password: string,
    address: string,
    further: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<void> {
    const { attempts, check } = this.#options;
    let isPasswordRight = false;
    const verified = await attempts.throttled(
      `user:${user.username}`,
      address,
      async (alsoCount) => {
        const right = await (check ?? this.#ownCheck)(user.username, password, alsoCount);
        isPasswordRight = right?.user?.id === user.id;
        return isPasswordRight && await further() ? user : null;
      },
    );
    if (verified) return;
    if (isPasswordRight) {
      const message = "Cannot continue: the code is wrong or was used before";
      throw new DomainError("wrong_credentials", message);
    }
    throw new DomainError("wrong_credentials", "Cannot continue: your current password is wrong");
  }

  /**
   * Verifies a proof of a visitor who signs up under that name. Failures are counted like wrong
   * passwords, though not against a user who may have the name.
   *
   * @throws DomainError `wrong_credentials`; `throttled` with `retryAfter`
   */
  async verifyProof(
    username: string,
    address: string,
    proof: () => Promise<boolean>,
  ): Promise<void> {
    const { attempts } = this.#options;
    const newcomer = `newcomer:${canonicalName(username) ?? username}`;
    const verified = await attempts.throttled(newcomer, address, async () => await proof() || null);
    if (verified) return;
    throw new DomainError("wrong_credentials", "Cannot sign up: the captcha was not solved");
  }

  /**
   * Opens a session for a user who was authenticated in another way.
   *
   * @param record the user as the store has it
   * @param proof when that was elsewhere
   */
  async open(
    record: User,
    client: Client,
    proof: Pick<SessionRecord, "provedAt"> = {},
  ): Promise<Opened> {
    const session = await this.#records.create(record, client, proof);
    opened.add();
    const user = await withGroups(this.#options.store, record);
    await this.#options.onOpened?.(user, client);
    return { token: await this.#tokens.forSession(session, user), session, user };
  }

  /**
   * The signed-in user of a token. The store is read once.
   *
   * @throws DomainError `not_signed_in` when the token is forged, has expired or was replaced, or
   * its session has ended
   */
  async authenticate(token: string): Promise<SignedIn> {
    const claims = await this.#tokens.readSession(token);
    const { entry, user, settings } = await this.#records.enter(
      claims.user.id,
      claims.sid,
      claims.gen,
    );
    const session = await this.#records.touch(entry);
    const end = Math.min(claims.exp * 1000, session.expires);
    const isOld = end - this.#now() < this.#options.lifeMs / 2;
    const stale = isOld || claims.ver !== user.version || claims.gen !== session.gen;
    return { user, session, settings, stale };
  }

  /**
   * Replaces a token by one of the next generation, and restarts the session's lifetime. Renewed by
   * cookie, former tokens stay valid for 30 seconds, since two tabs may renew concurrently: both
   * get a token that works. Any use of them after that ends the session. Renewed by header, former
   * tokens stay valid until they expire or the session ends, and may be renewed as well.
   *
   * @throws DomainError `not_signed_in`
   */
  async renew(token: string, by: RenewedBy = "cookie"): Promise<Opened> {
    const { user: { id }, sid, gen } = await this.#tokens.readSession(token);
    const { session, user } = await this.#records.renew(id, sid, gen, by);
    return { token: await this.#tokens.forSession(session, user), session, user };
  }

  /**
   * The session's current user and settings, for long-lived answers; null once it has ended, or may
   * do nothing but set up a second factor.
   */
  async current(
    { session }: { session: Pick<SessionRecord, "userId" | "sid"> },
  ): Promise<Seen | null> {
    const loaded = await this.#records.load(session.userId, session.sid);
    if (!loaded) return null;
    const { user, settings, entry } = loaded;
    return this.#options.mustEnrol?.({ user, settings, session: entry.value }) ? null : loaded;
  }

  /**
   * Whether a session goes on with the rights that its user had, for sockets that stay open: groups
   * give and take rights while it goes on.
   */
  async isAlive({ session, user }: Pick<SignedIn, "session" | "user">): Promise<boolean> {
    const now = await this.current({ session });
    return now !== null && rightsOf(now.user, now.user.rules) === rightsOf(user, user.rules);
  }

  /** A user's live sessions, newest first. */
  list(userId: number): Promise<SessionRecord[]> {
    return this.#records.list(userId);
  }

  /**
   * Ends one session of the user; nothing happens when there is none.
   *
   * @throws DomainError `disk_full`, `disk_error`: it has ended for this process alone
   */
  end(userId: number, sid: string): Promise<void> {
    return this.#records.remove(userId, sid);
  }

  /** Ends the user's sessions but that one; returns their number. */
  endOthers(userId: number, sid: string): Promise<number> {
    return removeSessions(this.#options.store, userId, (session) => session.sid !== sid);
  }

  /** Ends all sessions of the user; returns their number. */
  endAll(userId: number): Promise<number> {
    return removeSessions(this.#options.store, userId, () => true);
  }

  /** Removes the records of sessions that are over. */
  removeExpired(): Promise<void> {
    return this.#records.removeExpired();
  }

  /** A ticket of 60 seconds for the session, valid for one path and one use. */
  ticket({ session, user }: SignedIn, { path, use }: TicketPurpose): Promise<string> {
    return this.#tokens.forTicket({ sid: session.sid, uid: user.id, path, use });
  }

  /**
   * The signed-in user of a ticket.
   *
   * @throws DomainError `not_signed_in` when it is no ticket, is for another path or use, has
   * expired, or its session has ended
   */
  async redeemTicket(ticket: string, purpose: TicketPurpose): Promise<SignedIn> {
    const { uid, sid } = await this.#tokens.readTicket(ticket, purpose);
    return await this.named(uid, sid);
  }

  /**
   * The signed-in user of a session, for a signed token that names it.
   *
   * @throws DomainError `not_signed_in` when it has ended
   */
  async named(userId: number, sid: string): Promise<SignedIn> {
    const loaded = await this.#records.load(userId, sid);
    if (!loaded) throw unauthenticatedError("the session has ended");
    const { entry, user, settings } = loaded;
    return { user, session: entry.value, settings, stale: false };
  }
}

/** Thrown in the midst of a guess, which so counts neither as right nor as wrong. */
function codeMissingError(factors: FactorMethod[]): DomainError {
  const message = "Cannot sign in: a code of the second factor is missing";
  return new DomainError("second_factor_required", message, undefined, { factors });
}
