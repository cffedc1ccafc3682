import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { User } from "../../features/accounts/users/user.ts";
import type { Users } from "../../features/accounts/users/users.ts";
import { peerAddress } from "./client_address.ts";
import { isTrusted } from "../../core/config/trusted_proxies.ts";
import type { Cubby } from "../../boot/cubby/cubby.ts";
import { makeNewHome } from "../../files/make_folder.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { provisionUser } from "../../features/accounts/users/sign_up.ts";

/** Id of the user for all requests under `noauth`. */
const FIRST_USER = 1;

/**
 * The user of a request that is authenticated without a password: the first one under `noauth`;
 * under `proxy` the one named by the header, which counts only when the socket's peer is a trusted
 * proxy. Undefined where passwords are asked for, and for an unknown name unless the proxy may
 * create users.
 */
export async function proxyUser(ctx: Context<State>): Promise<User | undefined> {
  const { cubby } = ctx.state;
  const { config, users } = cubby;
  switch (config.authMethod) {
    case "json":
    case "hook":
      return undefined;
    case "noauth":
      return await firstUser(users);
    case "proxy": {
      if (!isTrusted(peerAddress(ctx.info), config.trustedProxies)) return undefined;
      const name = textOf(ctx.req.headers.get(config.authHeader) ?? "");
      // Repeated headers, one perhaps sent by the client, arrive joined with a comma.
      if (name === "" || name.includes(",")) return undefined;
      const user = await users.byName(name) ?? undefined;
      return !user && config.authCreateUsers ? await provisionedUser(cubby, name) : user;
    }
  }
}

/** Decodes a header of UTF-8, which arrives as one character per byte; "" for invalid UTF-8. */
function textOf(header: string): string {
  try {
    const bytes = Uint8Array.from(header, (byte) => byte.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

async function firstUser(users: Users): Promise<User | undefined> {
  try {
    return await users.get(FIRST_USER);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return undefined;
    throw error;
  }
}

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
async function provisionedUser(cubby: Cubby, name: string): Promise<User | undefined> {
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
