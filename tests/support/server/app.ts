/** The whole application in this process: real folders, a store in memory, a snapshot in memory. */
import { join } from "node:path";
import type { App } from "fresh";
import { Builder } from "fresh/dev";
import type { Permissions, Rule } from "../../../lib/shared/schemas/rights.ts";
import type { NamedRoot } from "../../../lib/shared/schemas/named_root.ts";
import type { Quota } from "../../../lib/shared/schemas/quota.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { createApp } from "../../../lib/server/http/app.ts";
import type { Config } from "../../../lib/server/core/config/config.ts";
import type { Cubby } from "../../../lib/server/boot/cubby/cubby.ts";
import { openCubby } from "../../../lib/server/boot/cubby/open_cubby.ts";
import type { State } from "../../../lib/server/http/define.ts";
import type { LoggedRequest } from "../../../lib/server/core/log/log.ts";
import type { User } from "../../../lib/server/features/accounts/users/user.ts";
import { admin, configOf, listeningLog, peerOf, requestOf, usersOf } from "./app_parts.ts";
import { atLater } from "../run/clock.ts";
import { plant, temporaryFolder, type Tree } from "../disks/files.ts";
import { startRealApp } from "./real_app.ts";

export { userPassword } from "./app_parts.ts";

/** How an application is made for tests. */
export interface AppOptions {
  /** Overrides of the configuration; the root is a temporary folder unless given. */
  config?: Partial<Config>;
  /** What lies in the root. */
  tree?: Tree;
  /** Bundle the islands, for pages that must bring their scripts. That takes a second. */
  islands?: boolean;
  /** Opened in this process even where `WORKERS` asks for servers: for what only that allows. */
  inProcess?: boolean;
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
  /**
   * The address of the client; 127.0.0.1 unless given. Where the application may be a server of its
   * own, it has to trust 127.0.0.1 as a proxy.
   */
  from?: string;
  /** What the request is sent to; `http://cubby.test` unless given. */
  origin?: string;
}

/** A user to be made: what differs from a user with every permission but admin and execute. */
export interface TestUser {
  perm?: Partial<Permissions>;
  scope?: string;
  roots?: NamedRoot[];
  rules?: Rule[];
  /** The ids of the user's groups. */
  groups?: number[];
  hideDotfiles?: boolean;
  quota?: Partial<Quota>;
  /** What the user may run. */
  commands?: string[];
}

/** An open application. */
export interface TestApp extends AsyncDisposable {
  cubby: Cubby;
  /** The served folder. */
  root: string;
  /** The process that serves. */
  pid: number;
  /** What was logged so far, one entry a line or request. */
  log: { lines: string[]; requests: LoggedRequest[] };
  /** The first administrator, user 1. */
  admin: { username: string; password: string };
  /** Answers one request. The path is sent as it is written. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Makes a user and opens a session; the password is {@linkcode userPassword}. */
  addUser(username: string, user?: TestUser): Promise<{ user: User; token: string }>;
  /** A token of a new session of a user. */
  tokenOf(username: string): Promise<string>;
  /**
   * Runs a test as if it were so many milliseconds later: for sessions alone where the application
   * is a server of its own, for all that reads the clock otherwise.
   */
  later(ms: number, test: () => Promise<unknown>): Promise<void>;
  /** Serves on a free port of 127.0.0.1 until the application is closed. */
  listen(): { url: string; hostname: string; port: number };
  /** Closes all and removes the folders; so does leaving the block of `await using`. */
  close(): Promise<void>;
}

/** How long the end waits for connections, in milliseconds. */
const closeMs = 5_000;

const top = new URL("../../..", import.meta.url).pathname;

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

/**
 * Opens an application with the first administrator: in this process, or, where `WORKERS` says how
 * many threads it is to have, as a server of its own, confined as it is in real life.
 */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const workers = Number(Deno.env.get("WORKERS") ?? 0);
  if (workers > 0 && !options.inProcess) return await startRealApp(options, workers);
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

  async function answerTo(req: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    const answer = await handler(req, info);
    // Nothing of a call goes on after the test.
    await Promise.all([cubby.audit.flush(), cubby.notifications.flush()]);
    return answer;
  }

  async function close(): Promise<void> {
    await cubby.coediting.stop();
    // A client that is gone without a word may hold its connection open.
    const limit = new AbortController();
    await Promise.race([server?.shutdown(), delay(closeMs, limit.signal)]);
    limit.abort();
    cubby.close();
    await folder[Symbol.asyncDispose]();
  }

  return {
    cubby,
    root,
    pid: Deno.pid,
    log,
    admin,
    ...usersOf(cubby),
    later: atLater,
    call: (method, path, options) => answerTo(requestOf(method, path, options), peerOf(options)),
    listen() {
      const onListen = () => {};
      server ??= Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, answerTo);
      const { hostname, port } = server.addr;
      return { url: `http://${hostname}:${port}`, hostname, port };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
