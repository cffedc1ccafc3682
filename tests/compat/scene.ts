/** The running server that clients are replayed against, and how their calls are written down. */
import assert from "node:assert/strict";
import type { Config } from "../../lib/server/core/config/config.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";
import type { Tree } from "../support/disks/files.ts";
import { plant } from "../support/disks/files.ts";

type ApiCompat = Config["apiCompat"];

/** A server with the value of `--api-compat` it was started with. */
export interface Scene {
  compat: ApiCompat;
  server: RunningServer;
}

/** One call as a client makes it, and the status that the client goes on with. */
export interface Recorded {
  /** "PATCH /api/resources/a.txt?action=copy": as on the wire. */
  sends: string;
  /** A text is sent as browsers send one, without saying that it is JSON. */
  body?: string | Uint8Array<ArrayBuffer>;
  /** Besides `X-Auth`. */
  headers?: Record<string, string>;
  /** Sent without a token. */
  anonymous?: true;
  /** The status, or one for each value of `--api-compat`. */
  gives: number | Record<ApiCompat, number>;
  /** What the client reads of the answer. */
  reads?: (answer: Response, client: Client) => unknown;
}

/** What a client knows between two calls. */
export interface Client {
  scene: Scene;
  token: string;
  /** Values of former answers that later calls contain as `{name}`. */
  known: Map<string, string>;
}

/** A client with a name for the test, and what lies in the root before its first call. */
export interface Scenario {
  name: string;
  tree?: Tree;
  run(scene: Scene): Promise<void>;
}

/** Starts a server whose store says which clients it has. */
export async function startScene(compat: ApiCompat): Promise<Scene> {
  return { compat, server: await startServer({ flags: [`--api-compat=${compat}`] }) };
}

/** Runs a scenario with its tree in the root. */
export async function runScenario({ tree = {}, run }: Scenario, scene: Scene): Promise<void> {
  await plant(scene.server.root, tree);
  await run(scene);
}

/** Signs in as File Browser's clients do: the answer's text is the token. */
export async function signIn(
  scene: Scene,
  { username, password }: { username: string; password: string } = scene.server,
): Promise<Client> {
  const answer = await fetch(`${scene.server.url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password, recaptcha: "" }),
  });
  const token = await answer.text();
  assert.equal(answer.status, 200, token);
  return { scene, token, known: new Map() };
}

/** Makes recorded calls one after another. */
export async function replay(client: Client, calls: readonly Recorded[]): Promise<void> {
  for (const call of calls) await replayOne(client, call);
}

async function replayOne(client: Client, call: Recorded): Promise<void> {
  const { scene: { compat, server } } = client;
  const sends = fill(client, call.sends);
  const space = sends.indexOf(" ");
  const body = typeof call.body === "string" ? fill(client, call.body) : call.body;
  const answer = await fetch(server.url + sends.slice(space + 1), {
    method: sends.slice(0, space),
    headers: { ...call.anonymous ? {} : { "x-auth": client.token }, ...call.headers },
    body,
    redirect: "manual",
  });
  const status = typeof call.gives === "number" ? call.gives : call.gives[compat];
  if (answer.status !== status) {
    assert.fail(`${sends}: ${answer.status} in place of ${status}\n${await answer.text()}`);
  }
  await call.reads?.(answer, client);
  if (!answer.bodyUsed) await answer.body?.cancel();
}

function fill({ known }: Client, text: string): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => known.get(name) ?? whole);
}
