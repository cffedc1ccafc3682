/** A server whose store is on the network: by TLS of a private authority, away, too new. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { migrations } from "../../lib/server/core/kv/schema.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { startDenokv } from "../support/services/denokv.ts";
import { startNode, statusOf, until } from "./node.ts";
import { authority, startTlsProxy } from "./tls_proxy.ts";

const top = new URL("../..", import.meta.url).pathname;
const folder = await temporaryFolder();
const root = join(folder.path, "root");
Deno.mkdirSync(root);
Deno.writeTextFileSync(join(root, "a.txt"), "A");
const store = await startDenokv(folder.path);
const proxy = await startTlsProxy(store.url);
const node = await startNode({ url: proxy.url, root, flags: ["--database-ca", authority] });
const token = await node.signIn();

Deno.test.afterAll(async () => {
  await node.server.stop();
  await proxy[Symbol.asyncDispose]();
  await store.kill();
  await folder[Symbol.asyncDispose]();
});

/** Runs a program of the project. */
async function run(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", ...args],
    cwd: top,
    env: { INIT_CWD: root, HOME: root, NO_COLOR: "1", ...env },
    signal: AbortSignal.timeout(180_000),
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr).trimEnd() };
}

const programs = {
  start: ["lib/server/boot/launch.ts", "--port", "0"],
  cubby: ["lib/server/cli/cubby.ts", "users", "ls"],
};

/** Both programs end with status 2 and one line. */
async function assertRefused(
  line: RegExp,
  { url = proxy.url, flags = ["--database-ca", authority], env = {} } = {},
): Promise<void> {
  await Promise.all(
    Object.values(programs).map(async (program) => {
      const args = [...program, "--database", url, ...flags];
      const { code, stderr } = await run(args, env);
      assert.equal(code, 2, stderr);
      assert.equal(stderr.split("\n").length, 1, stderr);
      assert.match(stderr, line);
    }),
  );
}

const ask = (path: string) => statusOf(node.call("GET", path, { token }));
const ready = () => statusOf(node.call("GET", "/health/ready"));
const isBack = () => until("the server answers", 30_000, async () => await ready() === 200);

Deno.test("a store of an unknown authority, or with another token, is refused in one line", async () => {
  await assertRefused(
    /: its certificate is signed by an unknown authority; --database-ca/,
    {
      flags: [],
    },
  );
  await assertRefused(/ 401 /, { env: { DENO_KV_ACCESS_TOKEN: "of another store" } });
  const wrong = join(root, "a.txt");
  await assertRefused(/a\.txt": it has no certificate \(PEM\)$/, {
    flags: ["--database-ca", wrong],
  });
});

Deno.test("commands use the store of a private authority, also by variables", async () => {
  const database = ["--database", proxy.url];
  for (
    const [args, env] of [
      [[...database, "--database-ca", authority], {}],
      [database, { FB_DATABASE_CA: authority }],
      [database, { DENO_CERT: authority }],
    ] as const
  ) {
    const { code, stdout, stderr } = await run([...programs.cubby, ...args], env);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /admin/);
  }
});

Deno.test("while the store is down, sessions hold for five seconds, then 503 until it is back", async () => {
  const asked = performance.now();
  assert.equal(await ask("/api/resources/"), 200);
  // The server has read the session some time between the two.
  const read = performance.now();
  await store.kill();
  const statuses: { at: number; status: number; took: number; retry: string | null }[] = [];
  while (performance.now() - read < 9_000) {
    const before = performance.now();
    const path = statuses.length % 2 === 0 ? "/api/raw/a.txt" : "/api/resources/";
    const answer = await node.call("GET", path, { token });
    await answer.body?.cancel();
    const took = performance.now() - before;
    const retry = answer.headers.get("retry-after");
    statuses.push({ at: before - read, status: answer.status, took, retry });
    await delay(100);
  }
  const early = statuses.filter(({ at, took }) => at + took < 4_500 - (read - asked));
  const late = statuses.filter(({ at }) => at > 5_500);
  assert.ok(early.length > 0 && late.length > 0, JSON.stringify(statuses));
  assert.ok(early.every(({ status }) => status === 200), JSON.stringify(early));
  assert.ok(late.every(({ status }) => status === 503), JSON.stringify(late));
  assert.ok(late.every(({ retry }) => Number(retry) > 0));
  assert.ok(statuses.every(({ took }) => took < 6_000), JSON.stringify(statuses));

  const credentials = { username: node.server.username, password: node.server.password };
  const login = await node.call("POST", "/api/login", { json: credentials });
  assert.equal(login.status, 503);
  assert.match(await login.text(), /^Cannot reach the store: it does not answer/);
  const page = await node.call("GET", "/files/", { headers: { cookie: `auth=${token}` } });
  assert.equal(page.status, 503);
  await page.body?.cancel();
  assert.deepEqual([await statusOf(node.call("GET", "/health")), await ready()], [200, 503]);
  await assertRefused(/^Cannot use the database "https:[^"]+": [^\n]+ 502 /);

  await store.start();
  await isBack();
  assert.equal(await ask("/api/raw/a.txt"), 200);
  const log = node.server.output();
  assert.equal(log.match(/The store does not answer/g)?.length, 1);
  assert.equal(log.match(/The store answers again/g)?.length, 1);
  assert.doesNotMatch(log, /KV Connect/);
});

Deno.test("while the store hangs, requests are refused within seconds, at once after the first", async () => {
  await delay(1_000);
  assert.equal(await ask("/api/resources/"), 200);
  await delay(5_100);
  store.freeze();
  const before = performance.now();
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask("/api/resources/")));
  assert.ok(asked.every((status) => status === 503));
  assert.ok(performance.now() - before < 6_000);
  const took: number[] = [];
  for (let count = 0; count < 5; count++) {
    const again = performance.now();
    assert.equal(await ask("/api/resources/"), 503);
    took.push(performance.now() - again);
  }
  // The best of a few: others may have the processor meanwhile.
  assert.ok(Math.min(...took) < 500, took.join());
  assert.equal(await ready(), 503);
  store.goOn();
  await isBack();
  assert.equal(await ask("/api/resources/"), 200);
});

Deno.test("a server stops using a store that a newer program has changed", async () => {
  const kv = await Deno.openKv(store.url);
  try {
    const { value } = await kv.get<number>(["schema"]);
    assert.equal(value, migrations.length);
    await kv.set(["schema"], migrations.length + 1);
    await until("it notices", 30_000, async () => await ready() === 503);
    const answer = await node.call("GET", "/api/resources/", { token });
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /a newer version of the program has changed its schema$/m);
    await assertRefused(/: its schema is version \d+, this program knows \d+; a newer version/);
  } finally {
    kv.close();
  }
});
