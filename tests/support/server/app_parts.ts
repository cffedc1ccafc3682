/** What applications in tests are made of, in this process or as a server of their own. */
import { join } from "node:path";
import type { Config } from "../../../lib/server/core/config/config.ts";
import type { Cubby } from "../../../lib/server/boot/cubby/cubby.ts";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import type { Log, LoggedRequest } from "../../../lib/server/core/log/log.ts";
import type { CallOptions, TestApp, TestUser } from "./app.ts";
import { adminHash } from "./server.ts";

/** The password of every user that `addUser()` makes. */
export const userPassword = "otters hold 9 hands";

/** Its bcrypt hash, at the lowest cost like that of the administrator. */
const userHash = "$2y$04$PoHWPa3wJHgECiaJWJHly.Q9ZQdjvxPuILWuQD15FHGU8W4dghJfG";

/** The first administrator. */
export const admin = { username: "admin", password: "a cub naps beside 7 rivers" };

/** Makes users and sessions in the application's store. */
export function usersOf(cubby: Pick<Cubby, "users" | "sessions">) {
  async function tokenOf(username: string): Promise<string> {
    const user = await cubby.users.byName(username);
    if (!user) throw new Error(`Cannot sign in "${username}": no such user`);
    const client = { address: "127.0.0.1", agent: "tests" };
    return (await cubby.sessions.open(user, client)).token;
  }

  const addUser: TestApp["addUser"] = async (username, user) => {
    const created = await cubby.users.create(draftOf(username, user));
    return { user: created, token: await tokenOf(username) };
  };
  return { tokenOf, addUser };
}

/** A configuration with a store in memory. */
export function configOf(root: string, folder: string, overrides: Partial<Config> = {}): Config {
  return {
    address: "127.0.0.1",
    port: 0,
    log: "stdout",
    logFormat: "text",
    root,
    database: ":memory:",
    cacheDir: join(folder, "cache"),
    baseUrl: "",
    tokenLifeMs: 2 * 60 * 60_000,
    authMethod: "json",
    authHeader: "x-remote-user",
    authCreateUsers: false,
    trustedProxies: [],
    drainDelayMs: 0,
    workers: 1,
    disableExec: true,
    execSandbox: "kernel",
    apiCompat: "spec",
    disableInstall: false,
    // Their host is one more process for each server: for the tests that need it.
    disableMediaPrograms: true,
    videoEncoder: "libx264",
    webdav: false,
    syncClients: false,
    windowsNames: false,
    databaseShared: false,
    disableThumbnails: false,
    disablePreviewResize: false,
    reserved: [],
    username: admin.username,
    password: adminHash,
    ...overrides,
  };
}

function draftOf(username: string, user: TestUser = {}) {
  const { defaults } = defaultSettings();
  return {
    ...defaults,
    username,
    passwordHash: userHash,
    mail: "",
    lockPassword: false,
    scope: user.scope ?? "/",
    roots: user.roots ?? [],
    rules: user.rules ?? [],
    groups: user.groups ?? [],
    hideDotfiles: user.hideDotfiles ?? false,
    commands: user.commands ?? [],
    perm: { ...defaults.perm, ...user.perm },
    quota: { ...defaults.quota, ...user.quota },
  };
}

/** The request of a call. A fragment stays with the client, as it does in `fetch`. */
export function requestOf(method: string, path: string, options: CallOptions = {}): Request {
  const { token, headers = {}, json, origin = "http://cubby.test" } = options;
  const body = json === undefined ? options.body : JSON.stringify(json);
  return new Request((origin + path).replace(/#.*/, ""), {
    method,
    body,
    headers: { accept: "application/json", ...(token ? { "x-auth": token } : {}), ...headers },
  });
}

/** Who sends a call, for the application's handler. */
export function peerOf(options: CallOptions = {}): Deno.ServeHandlerInfo {
  const hostname = options.from ?? "127.0.0.1";
  const remoteAddr = { transport: "tcp" as const, hostname, port: 40_000 };
  return { remoteAddr, completed: Promise.resolve() };
}

/** A log that keeps what is written: it has no timer that would outlive a test. */
export function listeningLog(): Log & { lines: string[]; requests: LoggedRequest[] } {
  const lines: string[] = [];
  const requests: LoggedRequest[] = [];
  return {
    lines,
    requests,
    request: (request) => void requests.push(request),
    line: (text) => void lines.push(text),
    close() {},
  };
}
