import type { Cubby } from "../../boot/cubby/cubby.ts";
import { DomainError } from "../../../shared/errors.ts";
import { makeNewHome } from "../../files/make_folder.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { provisionUser } from "../../features/accounts/users/sign_up.ts";
import type { User } from "../../features/accounts/users/user.ts";

/** A name for which a user is being created, or was refused recently. */
interface Attempt {
  /** When it began, in milliseconds since 1970. */
  began: number;
  user: Promise<User | undefined>;
}

/** How long a refused name is not retried, in milliseconds: each try costs a password hash. */
const restMs = 60_000;

/** Most names in the cache. */
const maxNames = 1_000;

const attempts = new WeakMap<Cubby, LruCache<string, Attempt>>();

/**
 * Creates a user for an unknown name from a trusted proxy. Concurrent first requests create one
 * user, also when they reach several threads.
 *
 * @returns undefined when the name, or the home derived from it, is refused; the reason is logged
 */
export async function provisionedUser(cubby: Cubby, name: string): Promise<User | undefined> {
  const all = attemptsOf(cubby);
  const known = all.get(name);
  if (known && Date.now() - known.began < restMs) return await known.user;

  const attempt = { began: Date.now(), user: provision(cubby, name) };
  all.set(name, attempt);
  let isRefused = false;
  try {
    const user = await attempt.user;
    isRefused = user === undefined;
    return user;
  } finally {
    if (!isRefused && all.get(name) === attempt) all.delete(name);
  }
}

async function provision(cubby: Cubby, name: string): Promise<User | undefined> {
  const { users, settings, gate, log } = cubby;
  try {
    return await provisionUser(
      users,
      await settings.get(),
      name,
      (home) => makeNewHome(gate, home),
    );
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Another thread may have created the user (race).
    const user = error.code === "exists" ? await users.byName(name) : null;
    if (user) return user;
    log.line(`Cannot create the user ${JSON.stringify(name)} named by the proxy: ${error.message}`);
    return undefined;
  }
}

function attemptsOf(cubby: Cubby): LruCache<string, Attempt> {
  let all = attempts.get(cubby);
  if (!all) {
    all = new LruCache(maxNames);
    attempts.set(cubby, all);
  }
  return all;
}
