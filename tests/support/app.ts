/** The whole application in this process: real folders, a store in memory, a snapshot in memory. */
import { join } from "node:path";
import type { App } from "fresh";
import { Builder } from "fresh/dev";
import type { Permissions, Rule } from "../../lib/api_types.ts";
import { createApp } from "../../lib/app.ts";
import type { Config } from "../../lib/config.ts";
import { type Cubby, openCubby } from "../../lib/cubby.ts";
import type { State } from "../../lib/define.ts";
import { defaultSettings } from "../../lib/settings/settings.ts";
import type { Log, LoggedRequest } from "../../lib/start/log.ts";
import type { User } from "../../lib/users/user.ts";
import { plant, temporaryFolder, type Tree } from "./files.ts";

/** How an application is made for tests. */
export interface AppOptions {
  /** Overrides of the configuration; the root is a temporary folder unless given. */
  config?: Partial<Config>;
  /** What lies in the root. */
  tree?: Tree;
  /** Bundle the islands, for pages that must bring their scripts. That takes a second. */
  islands?: boolean;
}

/** What a call may carry besides its method and path. */
export interface CallOptions {
  /** Sent in `X-Auth`. */
  token?: string;
  /** Besides `Accept: application/json`, so that refusals carry their code. */
  headers?: Record<string, string>;
  body?: BodyInit;
  /** Sent as JSON, in place of `body`. */
  json?: unknown;
  /** The address of the socket's peer; 127.0.0.1 unless given. */
  from?: string;
  /** What the request is sent to; `http://cubby.test` unless given. */
  origin?: string;
}

/** A user to be made: what differs from a user with every permission but admin and execute. */
export interface TestUser {
  perm?: Partial<Permissions>;
  scope?: string;
  rules?: Rule[];
  hideDotfiles?: boolean;
  /** What the user may run. */
  commands?: string[];
}

/** An open application. */
export interface TestApp extends AsyncDisposable {
  cubby: Cubby;
  /** The served folder. */
  root: string;
  /** What was logged so far, one entry a line or request. */
  log: { lines: string[]; requests: LoggedRequest[] };
  /** The first administrator, user 1. */
  admin: { username: string; password: string };
  /** Answers one request in this process. The path is sent as it is written. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Makes a user and opens a session; the password is {@linkcode userPassword}. */
  addUser(username: string, user?: TestUser): Promise<{ user: User; token: string }>;
  /** A token of a new session of a user. */
  tokenOf(username: string): Promise<string>;
  /** Serves on a free port of 127.0.0.1 until the application is closed. */
  listen(): { url: string; hostname: string; port: number };
  /** Closes all and removes the folders; so does leaving the block of `await using`. */
  close(): Promise<void>;
}

/** The password of every user that `addUser()` makes. */
export const userPassword = "otters hold 9 hands";

const admin = { username: "admin", password: "a cub naps beside 7 rivers" };
const top = new URL("../..", import.meta.url).pathname;

type Attach = (app: App<State>) => void;
const snapshots = new Map<boolean, Promise<Attach>>();

/** The built application; built once, however many applications use it. */
function builtOnce(islands: boolean): Promise<Attach> {
  let snapshot = snapshots.get(islands);
  if (!snapshot) {
    const islandDir = islands ? "islands" : "no islands";
    snapshot = new Builder<State>({ root: top, islandDir }).build({ snapshot: "memory" });
    snapshots.set(islands, snapshot);
  }
  return snapshot;
}

/** Opens an application with the first administrator. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const folder = await temporaryFolder();
  const root = options.config?.root ?? join(folder.path, "root");
  await Deno.mkdir(root, { recursive: true });
  await plant(root, options.tree ?? {});

  const log = listeningLog();
  const cubby = await openCubby(configOf(root, folder.path, options.config), log);
  const app = createApp(cubby);
  (await builtOnce(options.islands ?? false))(app);
  const handler = app.handler();
  let server: Deno.HttpServer<Deno.NetAddr> | undefined;

  async function tokenOf(username: string): Promise<string> {
    const user = await cubby.users.byName(username);
    if (!user) throw new Error(`Cannot sign in "${username}": no such user`);
    const client = { address: "127.0.0.1", agent: "tests" };
    return (await cubby.sessions.open(user, client)).token;
  }

  async function close(): Promise<void> {
    await server?.shutdown();
    cubby.close();
    await folder[Symbol.asyncDispose]();
  }

  return {
    cubby,
    root,
    log,
    admin,
    tokenOf,
    call: (method, path, options) => handler(requestOf(method, path, options), peerOf(options)),
    async addUser(username, user) {
      const created = await cubby.users.create(draftOf(username, user));
      return { user: created, token: await tokenOf(username) };
    },
    listen() {
      const onListen = () => {};
      server ??= Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, handler);
      const { hostname, port } = server.addr;
      return { url: `http://${hostname}:${port}`, hostname, port };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function configOf(root: string, folder: string, overrides: Partial<Config> = {}): Config {
  return {
    address: "127.0.0.1",
    port: 0,
    root,
    database: ":memory:",
    cacheDir: join(folder, "cache"),
    baseUrl: "",
    tokenLifeMs: 2 * 60 * 60_000,
    authMethod: "json",
    authHeader: "x-remote-user",
    trustedProxies: [],
    workers: 1,
    disableExec: true,
    execSandbox: "kernel",
    disableThumbnails: false,
    disablePreviewResize: false,
    reserved: [],
    ...admin,
    ...overrides,
  };
}

function draftOf(username: string, user: TestUser = {}) {
  const { defaults } = defaultSettings();
  return {
    ...defaults,
    username,
    password: userPassword,
    lockPassword: false,
    scope: user.scope ?? "/",
    rules: user.rules ?? [],
    hideDotfiles: user.hideDotfiles ?? false,
    commands: user.commands ?? [],
    perm: { ...defaults.perm, ...user.perm },
  };
}

function requestOf(method: string, path: string, options: CallOptions = {}): Request {
  const { token, headers = {}, json, origin = "http://cubby.test" } = options;
  const body = json === undefined ? options.body : JSON.stringify(json);
  return new Request(origin + path, {
    method,
    body,
    headers: { accept: "application/json", ...(token ? { "x-auth": token } : {}), ...headers },
  });
}

function peerOf(options: CallOptions = {}): Deno.ServeHandlerInfo {
  const hostname = options.from ?? "127.0.0.1";
  const remoteAddr = { transport: "tcp" as const, hostname, port: 40_000 };
  return { remoteAddr, completed: Promise.resolve() };
}

/** A log that keeps what is written: it has no timer that would outlive a test. */
function listeningLog(): Log & { lines: string[]; requests: LoggedRequest[] } {
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
