import { createHmac, randomBytes } from "node:crypto";
import { DomainError } from "../../../../shared/errors.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import type { User } from "../users/user.ts";
import { canonicalName } from "../users/username.ts";
import type { Users } from "../users/users.ts";
import type { LoginThrottle } from "./login_throttle.ts";

/** How long a verified password need not be compared again, in milliseconds. */
const verifiedMs = 60_000;

/** Most verified passwords that are remembered, in each thread. */
const maxVerified = 1_000;

/** A name and password that a request carries, as WebDAV clients send them each time. */
export interface PasswordLogin {
  username: string;
  password: string;
  /** The client's address, as the trusted proxies report it. */
  address: string;
}

/** The dependencies of the logins. */
export interface PasswordLoginsOptions {
  users: Pick<Users, "seenByName" | "rehash">;
  settings: { get(): Promise<Settings> };
  passwords: Passwords;
  attempts: LoginThrottle;
  /** Whether another server alone knows the password of a user; none by default. */
  isElsewhere?: (user: User) => boolean;
  /** Whether a user may do nothing yet but set up a second factor; none by default. */
  mustEnrol?: (seen: { user: User; settings: Settings }) => boolean;
  /** The clock, in milliseconds since 1970; the system's by default. */
  now?: () => number;
}

/**
 * Signs in requests that carry a name and password each, without a session. bcrypt is paid for once
 * a minute, not for each request: a digest of what was verified is kept in memory, keyed with a
 * random key of this thread. The digest covers the user's hash in the store, and the user is read
 * for every request, so a new password, other rights or a removal hold for the next request in all
 * threads.
 */
export class PasswordLogins {
  readonly #options: PasswordLoginsOptions;
  readonly #key = randomBytes(32);
  /** When each was verified. */
  readonly #verified = new LruCache<string, number>(maxVerified);
  /** Comparisons under way: a client opens several connections at once. */
  readonly #comparing = new Map<string, Promise<User | null>>();
  readonly #now: () => number;

  constructor(options: PasswordLoginsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
  }

  /**
   * The user of a name and password, and the settings. Guesses are counted with those at the login.
   *
   * @throws DomainError `not_signed_in` when one of them is wrong, for a user whose password of here
   * counts no more, and for one with a second factor, which no such client can ask for; `throttled`
   * with `retryAfter`
   */
  async authenticate(login: PasswordLogin): Promise<{ user: User; settings: Settings }> {
    const named = await this.#options.users.seenByName(login.username);
    const user = named && this.#isVerified(named, login.password)
      ? named
      : await this.#verifyPassword(
        named,
        login,
      );
    if (!user) {
      const message = "Cannot answer the request: the name or the password is wrong";
      throw new DomainError("not_signed_in", message);
    }
    if (this.#takesMore(user)) throw tokenRequiredError();
    const seen = { user, settings: await this.#options.settings.get() };
    if (this.#options.mustEnrol?.(seen)) {
      const message =
        "Cannot answer the request: set up a second factor first, in the web interface";
      throw new DomainError("not_signed_in", message);
    }
    return seen;
  }

  /** Whether a password alone does not sign a user in. */
  #takesMore(user: User): boolean {
    return user.hasFactors || (this.#options.isElsewhere?.(user) ?? false);
  }

  #isVerified(user: User, password: string): boolean {
    const at = this.#verified.get(this.#digestOf(user, password));
    return at !== undefined && Math.abs(this.#now() - at) < verifiedMs;
  }

  async #verifyPassword(named: User | null, login: PasswordLogin): Promise<User | null> {
    if (!named) return await this.#compare(named, login);
    const digest = this.#digestOf(named, login.password);
    const name = `${digest} ${login.address}`;
    const known = this.#comparing.get(name);
    if (known) return await known;
    const comparing = this.#compare(named, login);
    this.#comparing.set(name, comparing);
    try {
      const user = await comparing;
      if (user) this.#verified.set(digest, this.#now());
      return user;
    } finally {
      this.#comparing.delete(name);
    }
  }

  async #compare(
    named: User | null,
    { username, password, address }: PasswordLogin,
  ): Promise<User | null> {
    const { attempts, passwords, users } = this.#options;
    const account = `user:${canonicalName(username) ?? username}`;
    const user = await attempts.throttled(account, address, async () => {
      const isRight = await passwords.verify(password, named?.passwordHash ?? null);
      if (!isRight || !named) return null;
      // No success, which would clear the count of wrong codes, and no failure either.
      if (this.#takesMore(named)) {
        this.#verified.set(this.#digestOf(named, password), this.#now());
        throw tokenRequiredError();
      }
      return named;
    });
    if (user && passwords.isForeign(user.passwordHash)) await users.rehash(user, password);
    return user;
  }

  #digestOf({ id, passwordHash }: User, password: string): string {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([id, passwordHash, password]))
      .digest("base64url");
  }
}

function tokenRequiredError(): DomainError {
  const reason = "this user needs more than a password: use an API token";
  return new DomainError("not_signed_in", `Cannot answer the request: ${reason}`);
}
