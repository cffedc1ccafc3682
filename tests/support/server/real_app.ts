/** The application as a server of its own, where it is opened in the tests' process otherwise. */
import { join } from "node:path";
import type { Config } from "../../../lib/server/core/config/config.ts";
import { openCubby } from "../../../lib/server/boot/cubby/open_cubby.ts";
import type { Store } from "../../../lib/server/core/kv/store.ts";
import type { SessionRecord } from "../../../lib/server/features/accounts/auth/session.ts";
import type { LoggedRequest } from "../../../lib/server/core/log/log.ts";
import type { AppOptions, CallOptions, TestApp } from "./app.ts";
import { admin, configOf, listeningLog, requestOf, usersOf } from "./app_parts.ts";
import { plant } from "../disks/files.ts";
import { type RunningServer, startServer } from "./server.ts";

/**
 * Starts a server as `deno task start` does, in its sandbox, and opens its store beside it, so that
 * tests can make users and change settings as another process on the same store would.
 */
export async function startRealApp(options: AppOptions, workers: number): Promise<TestApp> {
  const { root, ...config } = options.config ?? {};
  const prepare = (root: string) => plant(root, options.tree ?? {});
  const flags = flagsOf(config);
  const server = await startServer({ workers, flags, root, prepare });
  const database = join(server.data, "cubby.kv");
  const cubby = await openCubby(
    configOf(server.root, server.data, { ...config, database, disableExec: true }),
    listeningLog(),
  );
  const client = newConnectionEachTime();

  async function close(): Promise<void> {
    client.close();
    cubby.close();
    await server.stop();
  }

  return {
    cubby,
    root: server.root,
    pid: server.pid,
    log: logOf(server),
    admin,
    ...usersOf(cubby),
    async later(ms, test) {
      await age(cubby.store, ms);
      await test();
    },
    call: (method, path, options) =>
      send(server.url, client, method, path, fromOf(options, config)),
    listen() {
      const { hostname, port } = new URL(server.url);
      return { url: server.url, hostname, port: Number(port) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Makes all sessions older, as the server's clock can't be moved. */
async function age(store: Store, ms: number): Promise<void> {
  for (const { key, value } of await store.list<SessionRecord>(["sessions"])) {
    const former = value.former.map(({ gen, until }) => ({ gen, until: until - ms }));
    const older = { ...value, former, expires: value.expires - ms };
    await store.atomic((operation) => operation.set(key, older));
  }
}

/** The flags that make the same configuration. */
function flagsOf({ office, ...config }: Partial<Config>): string[] {
  const offices = office
    ? [`--office-url=${office.url}`, `--office-public-url=${office.publicUrl}`]
    : [];
  const others = Object.entries(config).map(([name, value]) => {
    if (name === "disableExec") return `--disable-exec=${value}`;
    if (name === "webdav") return `--webdav=${value}`;
    if (name === "syncClients") return `--sync-clients=${value}`;
    if (name === "windowsNames") return `--windows-names=${value}`;
    if (name === "disableMediaPrograms") return `--disable-media-programs=${value}`;
    if (name === "videoEncoder") return `--video-encoder=${value}`;
    if (name === "trustedProxies") return `--trusted-proxies=${value}`;
    if (name === "authMethod" && value === "noauth") return "--noauth";
    throw new Error(`Cannot start the server: the tests know no flag for ${name}`);
  });
  return [...others, ...offices];
}

/** The kernel spreads connections over the threads, so that every one of them gets its share. */
function newConnectionEachTime(): Deno.HttpClient {
  return Deno.createHttpClient({ poolMaxIdlePerHost: 0, allowHost: true });
}

/** A call from elsewhere, as a proxy tells the server of it that the server trusts. */
function fromOf({ from, ...options }: CallOptions = {}, config: Partial<Config>): CallOptions {
  if (from === undefined) return options;
  if (config.trustedProxies?.includes("127.0.0.1")) {
    return { ...options, headers: { ...options.headers, "x-forwarded-for": from } };
  }
  throw new Error("Cannot call from elsewhere: that takes a trusted proxy, or an app in process");
}

async function send(
  url: string,
  client: Deno.HttpClient,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const request = requestOf(method, path, { ...options, origin: url });
  request.headers.set("host", new URL(options.origin ?? "http://cubby.test").host);
  const init: RequestInit & { client: Deno.HttpClient } = { client, redirect: "manual" };
  const answer = await fetch(request, init);
  const { status, headers } = answer;
  const bytes = await answer.bytes();
  return new Response(answer.body === null ? null : bytes, { status, headers });
}

const requestLine = /^\S+Z (\d{3}) ([\d.]+)ms ([A-Z]+) (\S+) /;

/** What a server has logged, taken apart again. */
function logOf(server: RunningServer): TestApp["log"] {
  const lines = () => server.output().trimEnd().split("\n");
  return {
    get lines() {
      return lines().filter((line) => !requestLine.test(line));
    },
    get requests() {
      return lines().flatMap((line): LoggedRequest[] => {
        const [match, status, ms, method = "", path = ""] = requestLine.exec(line) ?? [];
        if (match === undefined) return [];
        return [{ status: Number(status), ms: Number(ms), method, path, address: "127.0.0.1" }];
      });
    },
  };
}
