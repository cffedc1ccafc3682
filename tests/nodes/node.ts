/** One of several servers on one store and one folder. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ensureFuse, mountFuse } from "../support/disks/fuse.ts";
import { mount } from "../support/disks/small_disk.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

/** A request. */
export interface NodeRequest {
  token?: string;
  json?: unknown;
  headers?: Record<string, string>;
  body?: BodyInit;
}

/** A server and what is asked of it. */
export interface Node {
  server: RunningServer;
  call(method: string, path: string, request?: NodeRequest): Promise<Response>;
  /** Signs in, as the first administrator unless said otherwise. @returns the token */
  signIn(username?: string, password?: string): Promise<string>;
}

/** Starts a server on a store that others use, too. */
export async function startNode(
  options: { url: string; root: string; flags?: string[]; workers?: number },
): Promise<Node> {
  const { root, workers, url, flags = [] } = options;
  const server = await startServer({ root, workers, flags: ["--database", url, ...flags] });
  async function call(method: string, path: string, request: NodeRequest = {}): Promise<Response> {
    const { token, json, body } = request;
    const headers = { ...request.headers, ...token && { "x-auth": token } };
    const sent = json === undefined ? body : JSON.stringify(json);
    return await fetch(server.url + path, { method, headers, body: sent });
  }
  async function signIn(username = server.username, password = server.password) {
    const answer = await call("POST", "/api/login", { json: { username, password } });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return text;
  }
  return { server, call, signIn };
}

/** The status of an answer, whose body does not matter. */
export async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

/** The JSON of an answer that must be 200. */
export async function jsonOf<T>(answer: Promise<Response>): Promise<T> {
  const { status } = await answer;
  const text = await (await answer).text();
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

/** Waits until something holds. @throws Error when it takes longer */
export async function until<T>(
  what: string,
  ms: number,
  look: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Waited in vain: ${what}`);
}

/** Mounts are root's. Without one, both servers have all of the folder as it is. */
export const hasMount = Deno.uid() === 0;

/** A folder as two servers have it. */
export interface Volumes extends AsyncDisposable {
  root: string;
  /** The same, with `far` by a mount of its own. */
  otherRoot: string;
}

/**
 * Makes a folder, which the second server has with a part by a mount of its own: it reports no
 * changes that others make, as a volume on the network does.
 */
export async function openVolumes(folder: string): Promise<Volumes> {
  const [root, other] = [join(folder, "root"), join(folder, "other")];
  for (const path of [join(root, "far"), other]) Deno.mkdirSync(path, { recursive: true });
  if (!hasMount) return { root, otherRoot: root, [Symbol.asyncDispose]: async () => {} };
  await ensureFuse();
  await mount("--bind", root, other);
  await mount("--make-private", other);
  const far = await mountFuse(join(root, "far"), join(other, "far"), "--enable-lock-forwarding");
  return {
    root,
    otherRoot: other,
    async [Symbol.asyncDispose]() {
      await far.unmount();
      await new Deno.Command("umount", { args: ["-l", other] }).output();
    },
  };
}

/** Writes files of numbers. */
export function plantFiles(folder: string, count: number): string[] {
  Deno.mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: count }, (_, index) => `${index}.txt`);
  for (const name of names) Deno.writeTextFileSync(join(folder, name), name);
  return names;
}
