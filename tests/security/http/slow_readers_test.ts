// With two threads, too: counted places.
import assert from "node:assert/strict";
import { join } from "node:path";
import { residentMemory } from "../../../bench/memory.ts";
import { plantNoise } from "../../support/disks/files.ts";
import { requestHead } from "../../support/clients/raw_http.ts";
import { startServer } from "../../support/server/server.ts";
import { SlowReaders } from "../../support/clients/slow_readers.ts";

/** How many connections ask, and read nothing: each held up to 20 MB of the server once. */
const readers = 60;

/** What the server may grow by meanwhile, in MB; each of its threads adds its own. */
const workers = Number(Deno.env.get("WORKERS") ?? 1);
const maxGrowth = 250 + 150 * (workers - 1);

const line = "a line of text, as long as lines are\n";
const longText = line.repeat(10 * 2 ** 20 / line.length);

const server = await startServer({
  workers,
  flags: ["--webdav"],
  async prepare(root) {
    await Deno.mkdir(join(root, "many"));
    for (let index = 0; index < 199; index++) {
      await Deno.writeTextFile(join(root, "many", `${index}.txt`), "");
    }
    await Deno.writeTextFile(join(root, "long.txt"), longText);
    await Deno.mkdir(join(root, "packed"));
    await plantNoise(join(root, "packed", "noise.bin"), 24 * 2 ** 20);
  },
});
Deno.test.afterAll(async () => void await server.stop());
const { hostname, port } = new URL(server.url);
const admin = await signIn(server.username, server.password);
const archive = "/api/raw/packed?algo=tar.xz";

async function signIn(username: string, password: string): Promise<string> {
  return await (await send("POST", "/api/login", "", { username, password })).text();
}

async function send(method: string, path: string, token: string, json?: unknown) {
  const headers = { "x-auth": token, "content-type": "application/json" };
  const body = json === undefined ? undefined : JSON.stringify(json);
  return await fetch(server.url + path, { method, headers, body });
}

/** Waits until each reader has an answer, and sees to it that the server stays small. */
async function settle(slow: SlowReaders): Promise<number[]> {
  const before = residentMemory(server);
  const deadline = Date.now() + 90_000;
  for (let statuses = [0]; Date.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const growth = residentMemory(server) - before;
    assert.ok(growth < maxGrowth, `${growth} MB more`);
    statuses = slow.statuses();
    if (!statuses.includes(0)) return statuses;
  }
  throw new Error(`The readers have ${slow.statuses()}`);
}

function flood(path: string, token = "", from = "127.0.0.1"): SlowReaders {
  const slow = new SlowReaders({ hostname, port: Number(port) });
  const head = requestHead("GET", path, token === "" ? {} : { "x-auth": token });
  for (let count = 0; count < readers; count++) slow.add(head, from);
  return slow;
}

/** Readers of a WebDAV listing that asks for properties of these names. */
function floodDav(names: string[]): SlowReaders {
  const properties = names.map((name) => `<x:${name}/>`).join("");
  const body = `<D:propfind xmlns:D="DAV:" xmlns:x="x"><D:prop>${properties}</D:prop></D:propfind>`;
  const authorization = `Basic ${btoa(`${server.username}:${server.password}`)}`;
  const headers = { authorization, depth: "1", "content-length": body.length };
  const slow = new SlowReaders({ hostname, port: Number(port) });
  const request = requestHead("PROPFIND", "/dav/many", headers) + body;
  for (let count = 0; count < readers; count++) slow.add(request);
  return slow;
}

async function assertServes(path: string, token: string): Promise<void> {
  const answer = await send("GET", path, token);
  assert.equal(answer.status, 200, path);
  assert.ok((await answer.bytes()).length > 100, path);
}

Deno.test("slow readers of long texts take little memory, and keep no other waiting", async () => {
  await assertServes("/api/resources/long.txt", admin);
  using slow = flood("/api/resources/long.txt", admin);
  const statuses = await settle(slow);
  assert.ok(statuses.every((status) => status === 200), `${statuses}`);
  assert.match(await (await send("GET", "/health", "")).text(), /OK/);
  const { content } = await (await send("GET", "/api/resources/long.txt", admin)).json();
  assert.equal(content, longText);
});

Deno.test("slow readers of archives are refused from some number on and told when to ask again, others are not", async () => {
  {
    using slow = flood(archive, admin);
    const statuses = await settle(slow);
    const served = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 503).length;
    assert.ok(served >= 5 && refused >= readers / 2, `${statuses}`);
    const refusals = slow.beginnings().filter((text) => text.startsWith("HTTP/1.1 503"));
    assert.equal(refusals.length, refused);
    for (const refusal of refusals) assert.match(refusal, /^retry-after: 5\r$/im);

    await assertServes("/api/resources/", admin);
    const password = "otters hold 9 hands";
    const data = { username: "bo", password, scope: "/", perm: { download: true } };
    const made = await send("POST", "/api/users", admin, {
      what: "user",
      which: [],
      data,
      current_password: server.password,
    });
    assert.equal(made.status, 201, await made.text());
    await assertServes("/api/raw/packed?algo=zip", await signIn("bo", password));
  }
  // There is room when the readers are gone.
  for (let count = 0; count < 4; count++) await assertServes("/api/raw/packed?algo=tar.zst", admin);
});

Deno.test("slow visitors of a share are refused, those from other addresses are not", async () => {
  const { hash } = await (await send("POST", "/api/share/packed", admin, {})).json();
  using slow = flood(`/api/public/dl/${hash}?algo=tar.xz`, "", "127.0.0.2");
  const statuses = await settle(slow);
  assert.ok(statuses.filter((status) => status === 503).length >= readers / 2, `${statuses}`);
  await assertServes(`/api/public/dl/${hash}?algo=zip`, "");
  await assertServes("/api/raw/packed?algo=zip", admin);
});

Deno.test("slow readers of WebDAV listings with long names of properties take little memory", async () => {
  {
    using slow = floodDav(["n".repeat(250_000)]);
    const statuses = await settle(slow);
    assert.ok(statuses.every((status) => status === 400), `${statuses}`);
  }
  {
    const names = Array.from({ length: 33 }, (_, index) => `n${index}`.padEnd(240, "n"));
    using slow = floodDav(names);
    const statuses = await settle(slow);
    assert.ok(statuses.every((status) => status === 207 || status === 503), `${statuses}`);
    assert.ok(statuses.filter((status) => status === 207).length >= 5, `${statuses}`);
  }
});
