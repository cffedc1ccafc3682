/** A real server that is killed and started again on the same root, store and disks. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { mountMemory } from "../../support/disks/memory_disk.ts";
import { basic } from "../../support/clients/dav.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

const password = "otters hold 9 hands";

/** A job that does not end by then fails the test, in milliseconds. */
const maxJobMs = 60_000;

/** What a call may carry. */
export interface CallOptions {
  headers?: Record<string, string>;
  body?: BodyInit;
  json?: unknown;
}

/** Calls the server as one user. */
export interface Caller {
  name: string;
  /** @throws Error for an answer that is no success, and when the connection breaks off */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** The same by WebDAV. @param path counts from `/dav` */
  dav(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** As {@linkcode call}, whatever the answer. */
  ask(method: string, path: string, options?: CallOptions): Promise<Response>;
}

/** A root with a second disk at `disk`, users, and a server that can be killed. */
export interface Stand extends AsyncDisposable {
  root: string;
  /** The store's file. */
  database: string;
  /** The first is the administrator. */
  users: Caller[];
  admin: { username: string; password: string };
  /** Kills the server, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /**
   * Waits until nothing is left to do of all users' jobs; those that pause are cancelled.
   *
   * @returns failures not told before
   */
  jobsEnd(): Promise<string[]>;
  /** What the server has printed since its last start. */
  output(): string;
  /** Waits until it has ended by itself. @returns its exit status */
  ended(): Promise<number | null>;
}

/** How a stand is made. */
export interface StandOptions {
  /** A thread works on four jobs of one user at a time. */
  userCount: number;
  /** Mounts what the root consists of; a disk in an empty folder unless given. */
  mount?: (root: string) => Promise<AsyncDisposable>;
  /** Starts it, in place of the launcher. */
  command?: string[];
}

/** Starts a server. */
export async function openStand(
  { userCount, mount = mountDisk, command }: StandOptions,
): Promise<Stand> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  await Deno.mkdir(root);
  stack.use(await mount(root));
  const workers = Number(Deno.env.get("WORKERS") ?? 1);
  const options = { root, data, command, workers, flags: ["--webdav"] };
  let server: RunningServer = await startServer(options);
  stack.defer(async () => void await server.stop());
  const { username, password: adminPassword } = server;
  const admin = { username, password: adminPassword };
  const users = [await signIn(() => server, username, adminPassword)];
  for (let number = 1; number < userCount; number++) {
    users.push(await addUser(() => server, users[0], `user${number}`));
  }

  const told = new Set<string>();
  return {
    root,
    database: join(data, "cubby.kv"),
    users,
    admin,
    output: () => server.output(),
    ended: () => server.ended,
    async kill() {
      Deno.kill(server.pid, "SIGKILL");
      await server.ended;
      await server.stop();
    },
    async start() {
      server = await startServer(options);
    },
    jobsEnd: () => jobsEnd(users, told),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function mountDisk(root: string): Promise<AsyncDisposable> {
  await Deno.mkdir(join(root, "disk"));
  return await mountMemory(join(root, "disk"), "size=512m");
}

async function signIn(server: () => RunningServer, name: string, secret: string): Promise<Caller> {
  const body = JSON.stringify({ username: name, password: secret });
  const answer = await fetch(`${server().url}/api/login`, { method: "POST", body });
  const token = await answer.text();
  assert.equal(answer.status, 200, token);

  async function ask(method: string, path: string, { headers, body, json }: CallOptions = {}) {
    return await fetch(server().url + path, {
      method,
      headers: { "x-auth": token, accept: "application/json", ...headers },
      body: json === undefined ? body : JSON.stringify(json),
    });
  }
  async function call(method: string, path: string, options?: CallOptions): Promise<Response> {
    const answer = await ask(method, path, options);
    if (answer.ok) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  }
  return {
    ...{ name, ask, call },
    dav(method, path, options = {}) {
      const headers = { ...options.headers, authorization: basic(name, secret), "x-auth": "" };
      return call(method, `/dav${path}`, { ...options, headers });
    },
  };
}

async function addUser(
  server: () => RunningServer,
  admin: Caller | undefined,
  username: string,
): Promise<Caller> {
  const data = { username, password, scope: "/" };
  const json = { what: "user", which: [], data, current_password: server().password };
  await (await admin?.call("POST", "/api/users", { json }))?.body?.cancel();
  return await signIn(server, username, password);
}

async function jobsEnd(users: readonly Caller[], told: Set<string>): Promise<string[]> {
  const failed: string[] = [];
  for (const user of users) {
    for (const { id, action, state, from, to } of await endedJobs(user)) {
      const { failures }: JobInfo = await (await user.call("GET", `/api/jobs/${id}`)).json();
      if (failures.length === 0 || told.has(id)) continue;
      told.add(id);
      const messages = failures.map(({ code, message }) => `${code}: ${message}`).join("; ");
      failed.push(`${action} from "${from}" to "${to}" is ${state} but failed: ${messages}`);
    }
  }
  return failed;
}

/** @returns those of which something failed */
async function endedJobs(user: Caller): Promise<JobInfo[]> {
  const deadline = Date.now() + maxJobMs;
  while (true) {
    const jobs: JobInfo[] = await (await user.call("GET", "/api/jobs")).json();
    const atWork = jobs.filter(({ ended }) => ended === null);
    for (const { id, state } of atWork) {
      if (state !== "paused") continue;
      const json = { state: "cancelled" };
      await (await user.ask("PATCH", `/api/jobs/${id}`, { json })).body?.cancel();
    }
    if (atWork.length === 0) return jobs.filter(({ failed }) => failed > 0);
    if (Date.now() > deadline) throw new Error(`Jobs do not end: ${JSON.stringify(atWork)}`);
    await delay(100);
  }
}
