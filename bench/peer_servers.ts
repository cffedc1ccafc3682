/** The servers that people would use instead of Cubby, and how the benchmark asks each of them. */
import { join } from "node:path";
import { startServer } from "../tests/support/server/server.ts";
import { has, run } from "./commands.ts";
import { memoryOf } from "./memory.ts";
import { freePort } from "./nginx.ts";
import { signIn } from "./set_up.ts";

/** What a server is asked for; paths are below the root, encoded, without a slash at either end. */
export interface Addresses {
  list(folder: string): string;
  /** Null where the server has no search without an index. */
  search: ((folder: string, text: string) => string) | null;
  download(file: string): string;
  zip(folder: string): string;
  /** Null where the server makes no thumbnails. */
  thumbnail: ((file: string) => string) | null;
  /** Sends the body of a request there; a file of that name is replaced. */
  upload: { method: "POST" | "PUT"; url(file: string): string };
}

/** A running server. */
export interface PeerServer extends Addresses, AsyncDisposable {
  name: string;
  /** Headers of each request, as curl and wrk take them. */
  headers: readonly string[];
  /** From the command to a connection, in seconds. */
  startSeconds: number;
  /** The memory of all its processes, as of `memoryOf()`. */
  memory(kind?: "Pss" | "Rss"): number;
}

/** A server that can be started. */
export interface Peer {
  name: string;
  /** Program on PATH; none for Cubby itself. */
  program?: string;
  /** How to get it. */
  install?: string;
  /** @param folder for its own files */
  start(root: string, folder: string): Promise<PeerServer>;
}

/** In the order of the table. */
export const peers: readonly Peer[] = [
  { name: "Cubby", start: startCubby },
  {
    name: "File Browser",
    program: "filebrowser",
    install: "a release of github.com/filebrowser/filebrowser; with Go, build the module " +
      "github.com/filebrowser/filebrowser/v2 with any file in frontend/dist",
    start: startFileBrowser,
  },
  { name: "dufs", program: "dufs", install: "cargo install dufs", start: startDufs },
  {
    name: "copyparty",
    program: "copyparty",
    install: "pip install copyparty pillow",
    start: startCopyparty,
  },
];

/** The servers that this machine has. Says in a line how to get each of the others. */
export function peersHere(): Peer[] {
  return peers.filter(({ name, program, install }) => {
    if (program === undefined || has(program)) return true;
    console.error(`Without ${name}, which is not on PATH: ${install}`);
    return false;
  });
}

async function startCubby(root: string): Promise<PeerServer> {
  const begun = performance.now();
  const server = await startServer({ root, command: ["task", "start"] });
  const startSeconds = (performance.now() - begun) / 1000;
  const { url } = server;
  return {
    name: "Cubby",
    headers: [`X-Auth: ${await signIn(server)}`],
    startSeconds,
    memory: (kind) => memoryOf(server.pid, kind),
    ...restAddresses(url),
    [Symbol.asyncDispose]: async () => void await server.stop(),
  };
}

async function startFileBrowser(root: string, folder: string): Promise<PeerServer> {
  const database = ["--database", join(folder, "filebrowser.db")];
  await run("filebrowser", "config", "init", ...database, "--auth.method=noauth");
  await run("filebrowser", "users", "add", "admin", "a cub naps here", "--perm.admin", ...database);
  const place = ["--cache-dir", join(folder, "filebrowser-cache"), "--root", root];
  const started = await startProgram("filebrowser", (port) => [
    ...database,
    ...place,
    ...["--address", "127.0.0.1", "--port", String(port)],
  ]);
  const answer = await fetch(`${started.url}/api/login`, { method: "POST" });
  const headers = [`X-Auth: ${await answer.text()}`];
  return { ...started, name: "File Browser", headers, ...restAddresses(started.url) };
}

/** The interface of File Browser, which Cubby has as well. */
function restAddresses(url: string): Addresses {
  return {
    list: (folder) => `${url}/api/resources/${folder}/`,
    search: (folder, text) => `${url}/api/search/${folder}/?query=${text}`,
    download: (file) => `${url}/api/raw/${file}`,
    zip: (folder) => `${url}/api/raw/${folder}/?algo=zip`,
    thumbnail: (file) => `${url}/api/preview/thumb/${file}`,
    upload: { method: "POST", url: (file) => `${url}/api/resources/${file}?override=true` },
  };
}

async function startDufs(root: string): Promise<PeerServer> {
  const started = await startProgram("dufs", (port) => [
    ...["--allow-all", "--compress", "none"],
    ...["--bind", "127.0.0.1", "--port", String(port), root],
  ]);
  const { url } = started;
  return {
    ...started,
    name: "dufs",
    headers: [],
    list: (folder) => `${url}/${folder}/?json`,
    search: (folder, text) => `${url}/${folder}/?q=${text}&json`,
    download: (file) => `${url}/${file}`,
    zip: (folder) => `${url}/${folder}/?zip`,
    thumbnail: null,
    upload: { method: "PUT", url: (file) => `${url}/${file}` },
  };
}

async function startCopyparty(root: string, folder: string): Promise<PeerServer> {
  const own = { HOME: folder };
  const started = await startProgram("copyparty", (port) => [
    ...["-q", "-i", "127.0.0.1", "-p", String(port), "--hist", join(folder, "copyparty")],
    ...["-v", `${root}::A`],
  ], own);
  const { url } = started;
  return {
    ...started,
    name: "copyparty",
    headers: [],
    list: (folder) => `${url}/${folder}/?ls`,
    search: null,
    download: (file) => `${url}/${file}`,
    zip: (folder) => `${url}/${folder}/?zip=utf8`,
    thumbnail: (file) => `${url}/${file}?th=w`,
    upload: { method: "PUT", url: (file) => `${url}/${file}` },
  };
}

type Started = Pick<PeerServer, "startSeconds" | "memory" | typeof Symbol.asyncDispose>;

/** Starts a program on a free port of the loopback and waits until it takes connections. */
async function startProgram(
  program: string,
  argsFor: (port: number) => string[],
  env: Record<string, string> = {},
): Promise<Started & { url: string }> {
  const port = freePort();
  const begun = performance.now();
  const child = new Deno.Command(program, {
    args: argsFor(port),
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const stop = async () => {
    child.kill("SIGTERM");
    await child.status;
  };
  if (!await takesConnections(port, begun + 30_000)) {
    await stop();
    throw new Error(`Cannot start ${program}: it does not listen`);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    startSeconds: (performance.now() - begun) / 1000,
    memory: (kind) => memoryOf(child.pid, kind),
    [Symbol.asyncDispose]: stop,
  };
}

async function takesConnections(port: number, until: number): Promise<boolean> {
  while (performance.now() < until) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  return false;
}
