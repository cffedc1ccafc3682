import type { Cubby } from "../../cubby.ts";
import { DomainError } from "../../../shared/errors.ts";
import { makeNewHome } from "../../files/make_home.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { provisionUser } from "../../users/sign_up.ts";
import type { User } from "../../users/user.ts";

/** A name that is being made a user of, or was refused of late. */
interface Admission {
  /** When it began, in milliseconds since 1970. */
  began: number;
  user: Promise<User | undefined>;
}

/** How long a name that was refused is not tried again, in milliseconds: trying costs a hash. */
const restMs = 60_000;

/** The most names that are remembered. */
const mostNames = 1_000;

const admissions = new WeakMap<Cubby, LruCache<string, Admission>>();

/**
 * Makes a user of a name that a trusted proxy vouches for and that nobody has. First requests at
 * once make one user, also when they reach several threads.
 *
 * @returns undefined when the name, or the home that follows from it, can't be had; the log says why
 */
export async function provisionedUser(cubby: Cubby, name: string): Promise<User | undefined> {
  const all = admissionsOf(cubby);
  const known = all.get(name);
  if (known && Date.now() - known.began < restMs) return await known.user;

  const admission = { began: Date.now(), user: admit(cubby, name) };
  all.set(name, admission);
  let isRefused = false;
  try {
    const user = await admission.user;
    isRefused = user === undefined;
    return user;
  } finally {
    if (!isRefused && all.get(name) === admission) all.delete(name);
  }
}

async function admit(cubby: Cubby, name: string): Promise<User | undefined> {
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
    // Another thread may have been first.
    const user = error.code === "exists" ? await users.byName(name) : null;
    if (user) return user;
    log.line(`Nobody was made of ${JSON.stringify(name)}, whom the proxy named: ${error.message}`);
    return undefined;
  }
}

function admissionsOf(cubby: Cubby): LruCache<string, Admission> {
  let all = admissions.get(cubby);
  if (!all) {
    all = new LruCache(mostNames);
    admissions.set(cubby, all);
  }
  return all;
}
