import { join } from "node:path";
import { plant, plantBytes } from "../tests/support/disks/files.ts";
import { type RunningServer, startServer } from "../tests/support/server/server.ts";
import { type Nginx, startNginx } from "./nginx.ts";

/** A server to measure. */
export interface Target {
  /** "1 worker". */
  name: string;
  server: RunningServer;
  /** A session token, for `X-Auth`. */
  token: string;
}

/** The set-up of all parts of the benchmark: one generated root, and the servers on it. */
export interface Setup extends AsyncDisposable {
  root: string;
  /** Served from one thread: the default, and what the targets are about. */
  one: Target;
  /** Served from as many threads as the machine has. */
  many: Target;
  nginx: Nginx | null;
  /** How often everything is measured. */
  rounds: number;
  /** Bytes of the file that is moved about. */
  bigSize: number;
  /** Numbers of entries of the folders `of-N` in the root. */
  folders: number[];
}

/** The file of `bigSize` bytes in the root. */
export const bigFile = "big.bin";

/**
 * Generates the root and starts the servers. `quick` is for those who write the benchmark: small
 * sizes, few rounds, figures that mean nothing.
 */
export async function setUp(quick: boolean): Promise<Setup> {
  const folder = await Deno.makeTempDir({ prefix: "cubby-bench-" });
  const stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  try {
    const root = join(folder, "root");
    await Deno.mkdir(root);
    const bigSize = quick ? 64 * 2 ** 20 : 2 ** 30;
    const folders = quick ? [50, 1_000, 10_000] : [50, 1_000, 10_000, 100_000];
    await plant(root, { uploads: {} });
    await plantBytes(join(root, bigFile), bigSize);
    for (const count of folders) fillFolder(join(root, `of-${count}`), count);

    const one = stack.use(await startTarget(root, 1));
    const many = stack.use(await startTarget(root, Math.max(2, navigator.hardwareConcurrency)));
    const nginx = await startNginx(root, folder);
    if (nginx) stack.use(nginx);
    const rounds = quick ? 1 : 5;
    const dispose = () => stack.disposeAsync();
    return { root, one, many, nginx, rounds, bigSize, folders, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function startTarget(root: string, workers: number): Promise<Target & AsyncDisposable> {
  const server = await startServer({ root, workers });
  const name = workers === 1 ? "1 worker" : `${workers} workers`;
  const token = await signIn(server);
  return { name, server, token, [Symbol.asyncDispose]: async () => void await server.stop() };
}

/** Opens a session of the first administrator; answers with its token. */
export async function signIn({ url, username, password }: RunningServer): Promise<string> {
  const body = JSON.stringify({ username, password });
  const answer = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (!answer.ok) throw new Error(`Cannot sign in: ${answer.status} ${await answer.text()}`);
  return await answer.text();
}

/** A folder as one finds it: names of many kinds, a tenth of them folders. */
export function fillFolder(path: string, count: number): void {
  const kinds = [".txt", ".jpg", ".pdf", ".tar.gz", "", ".mp4", ".TXT", ".md", ".json"];
  Deno.mkdirSync(path);
  for (let index = 0; index < count; index++) {
    const name = `${(index * 7919) % count} item of ${count}`;
    if (index % 10 === 0) Deno.mkdirSync(join(path, name));
    else Deno.writeTextFileSync(join(path, `${name}${kinds[index % 9]}`), name);
  }
}
