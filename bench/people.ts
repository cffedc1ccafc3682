import { join } from "node:path";
import { SecondFactors } from "../lib/server/features/accounts/auth/factors/factors.ts";
import { LoginThrottle } from "../lib/server/features/accounts/auth/login_throttle.ts";
import { Sessions } from "../lib/server/features/accounts/auth/sessions.ts";
import { openSigningKey } from "../lib/server/features/accounts/auth/signing_key.ts";
import { openStore } from "../lib/server/core/kv/store.ts";
import { openPasswords } from "../lib/server/features/accounts/passwords/passwords.ts";
import { blankUser } from "../lib/server/features/accounts/users/user.ts";
import { Users } from "../lib/server/features/accounts/users/users.ts";

/** Somebody with an account, a home and an open session. */
export interface Person {
  name: string;
  token: string;
}

/** Everybody's password. */
export const password = "ten thousand otters";

/** Files in a home. */
const homeFiles = 10;

/** Sessions that are opened at once. */
const atOnce = 16;

/** Makes a home with some files for each of so many people. */
export function makeHomes(root: string, count: number): void {
  Deno.mkdirSync(join(root, "homes"));
  for (let index = 0; index < count; index++) {
    const home = join(root, "homes", nameOf(index));
    Deno.mkdirSync(home);
    for (let file = 0; file < homeFiles; file++) {
      Deno.writeTextFileSync(join(home, `note ${file}.txt`), "");
    }
  }
}

/** Adds the accounts and sessions of so many people to a store that a server has made. */
export async function admit(database: string, count: number): Promise<Person[]> {
  const store = await openStore(database);
  const passwords = await openPasswords();
  try {
    const users = new Users(store, passwords);
    const attempts = new LoginThrottle(store);
    const key = await openSigningKey(store);
    const lifeMs = 3_600_000;
    const factors = new SecondFactors(store, key);
    const sessions = new Sessions({ store, users, passwords, attempts, factors, key, lifeMs });
    const passwordHash = await passwords.hash(password);
    const made = [];
    for (let index = 0; index < count; index++) {
      const username = nameOf(index);
      const perm = { ...blankUser().perm, create: true, modify: true, download: true };
      const scope = `/homes/${username}`;
      made.push(await users.create({ ...blankUser(), username, scope, perm, passwordHash }));
    }
    const people: Person[] = [];
    const waiting = made.values();
    const open = async () => {
      for (const user of waiting) {
        const { token } = await sessions.open(user, { address: "127.0.0.1", agent: "bench" });
        people.push({ name: user.username, token });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, open));
    return people;
  } finally {
    passwords.close();
    store.close();
  }
}

function nameOf(index: number): string {
  return `person-${index}`;
}
