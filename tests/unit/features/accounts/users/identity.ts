/** Users, sessions and throttle on a real store, with a clock that a test can set. */
import { openStore, type Store } from "../../../../../lib/server/core/kv/store.ts";
import { SecondFactors } from "../../../../../lib/server/features/accounts/auth/factors/factors.ts";
import { LoginThrottle } from "../../../../../lib/server/features/accounts/auth/login_throttle.ts";
import { Sessions } from "../../../../../lib/server/features/accounts/auth/sessions.ts";
import { openSigningKey } from "../../../../../lib/server/features/accounts/auth/signing_key.ts";
import { defaultSettings } from "../../../../../lib/server/features/settings/settings.ts";
import { SettingsStore } from "../../../../../lib/server/features/settings/settings_store.ts";
import {
  openPasswords,
  type Passwords,
} from "../../../../../lib/server/features/accounts/passwords/passwords.ts";
import type { User } from "../../../../../lib/server/features/accounts/users/user.ts";
import type { UserFields } from "../../../../../lib/shared/schemas/user.ts";
import { Users } from "../../../../../lib/server/features/accounts/users/users.ts";

export interface Identity extends Disposable {
  store: Store;
  users: Users;
  passwords: Passwords;
  attempts: LoginThrottle;
  sessions: Sessions;
  settings: SettingsStore;
  key: CryptoKey;
  /** Milliseconds since 1970; tests move it. */
  clock: { now: number };
  /** Makes a user whose password is `passwordOf(username)`. */
  add(username: string, fields?: Partial<UserFields>): Promise<User>;
}

/** The life of sessions in tests: two hours. */
export const lifeMs = 2 * 60 * 60_000;

export const client = { address: "192.0.2.1", agent: "tests" };

const passwords = await openPasswords();
const hashes = new Map<string, Promise<string>>();

/** A good password, another one for each name. */
export function passwordOf(username: string): string {
  return `${username} likes rain`;
}

/** What an ordinary user is made of. */
export function fieldsOf(username: string, fields: Partial<UserFields> = {}): UserFields {
  const own = { mail: "", lockPassword: false, roots: [], rules: [], groups: [] };
  return { ...defaultSettings().defaults, username, ...own, ...fields };
}

function hashOf(username: string): Promise<string> {
  const known = hashes.get(username) ?? passwords.hash(passwordOf(username));
  hashes.set(username, known);
  return known;
}

/** Opens everything on a new store in memory, or on that file. */
export async function openIdentity(location = ":memory:"): Promise<Identity> {
  const store = await openStore(location);
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const users = new Users(store, passwords);
  const attempts = new LoginThrottle(store, now);
  const key = await openSigningKey(store);
  const factors = new SecondFactors(store, key, now);
  return {
    store,
    users,
    passwords,
    attempts,
    sessions: new Sessions({ store, users, passwords, attempts, factors, key, lifeMs, now }),
    settings: new SettingsStore(store),
    key,
    clock,
    add: async (username, fields) =>
      await users.create({
        ...fieldsOf(username, fields),
        passwordHash: await hashOf(username),
      }),
    [Symbol.dispose]: () => store.close(),
  };
}
