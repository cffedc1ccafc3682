import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { deny, denyMatching } from "../../support/data/rules.ts";
import { follow, type Watching } from "../../support/clients/watching.ts";

const app = await startApp({
  tree: { "a.txt": "", open: {}, gone: {}, moved: { into: {} }, busy: {}, full: {}, ends: {} },
});
const { url } = app.listen();
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");

/** Longer than it takes to tell of a change. */
const silenceMs = 650;

function ask(path: string, token = admin): Promise<Response> {
  const headers = { accept: "application/json", ...(token ? { "x-auth": token } : {}) };
  return fetch(`${url}/api/watch${path}`, { headers });
}

async function watch(path: string, token = admin): Promise<Watching> {
  const answer = await ask(path, token);
  assert.equal(answer.status, 200);
  const watching = follow(answer);
  assert.equal(await watching.next(), "ready");
  return watching;
}

const write = (path: string) => Deno.writeTextFile(join(app.root, path), crypto.randomUUID());

Deno.test("watch refuses strangers, what is not there, and what is no folder", async () => {
  await assertRefused(await ask("/open/", ""), 401, "not_signed_in");
  await assertRefused(await ask("/none/"), 404, "not_found");
  await assertRefused(await ask("/a.txt"), 404, "not_found");
  await assertRefused(await ask("/%00"), 400, "invalid_path");
});

Deno.test("watch refuses a folder that a rule denies, there or not", async () => {
  const rules = [deny("/open")];
  const { token } = await app.addUser("denied", { rules });
  await assertRefused(await ask("/open/", token), 403, "forbidden");
  await assertRefused(await ask("/open/none", token), 403, "forbidden");
});

Deno.test("watch refuses one user too many folders at a time, and takes one again when one is left", async () => {
  const { token } = await app.addUser("greedy");
  const open = await Promise.all(Array.from({ length: 32 }, () => watch("/full/", token)));
  const refused = await ask("/full/", token);
  assert.equal(refused.headers.get("retry-after"), "30");
  await assertRefused(refused, 429, "throttled");
  await using _other = await watch("/full/");

  await open.pop()?.leave();
  const again = async () => {
    const answer = await ask("/full/", token);
    if (answer.status === 200) return follow(answer);
    await answer.body?.cancel();
    return await again();
  };
  await using watching = await again();
  assert.equal(await watching.next(), "ready");
  for (const one of open) await one.leave();
});

Deno.test("watch tells of entries that come, change and go, to all who look", async () => {
  await using one = await watch("/open/");
  await using other = await watch("/open");
  const changes = [
    () => write("open/new.txt"),
    () => write("open/new.txt"),
    () => Deno.rename(join(app.root, "open/new.txt"), join(app.root, "open/newer.txt")),
    () => app.call("DELETE", "/api/resources/open/newer.txt", { token: admin }),
    () => app.call("POST", "/api/resources/open/sub/", { token: admin }),
  ];
  for (const change of changes) {
    await change();
    assert.deepEqual([await one.next(), await other.next()], ["changed", "changed"]);
    for (const watching of [one, other]) {
      // A change can take the disk more than one step.
      while (!await watching.isSilent(silenceMs)) await watching.next();
    }
  }
});

Deno.test("watch is silent about what lies deeper, and about another folder", async () => {
  await using watching = await watch("/moved/");
  await write("moved/into/deep.txt");
  await write("open/aside.txt");
  assert.ok(await watching.isSilent(silenceMs));
});

Deno.test("watch never tells of names that the viewer may not know of", async () => {
  const rules = [denyMatching("secret")];
  const { token } = await app.addUser("shut out", { rules, hideDotfiles: true, scope: "/busy" });
  await using watching = await watch("/", token);
  for (const name of ["secret.txt", "SECRET.txt", ".hidden"]) {
    await write(`busy/${name}`);
    await write(`busy/${name}`);
    await Deno.remove(join(app.root, "busy", name));
  }
  assert.ok(await watching.isSilent(silenceMs));
  await write("busy/open.txt");
  assert.equal(await watching.next(), "changed");
});

Deno.test("watch goes by the rules of the moment, not those at its begin", async () => {
  const { user, token } = await app.addUser("judged", { scope: "/busy" });
  await using watching = await watch("/", token);
  await app.cubby.users.update(user.id, { hideDotfiles: true });
  assert.equal(await watching.next(), "changed", "more or less can be seen");
  await write("busy/.now hidden");
  assert.ok(await watching.isSilent(silenceMs));
});

Deno.test("an upload is told of when it is there, not while it comes", async () => {
  await using watching = await watch("/open/");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const options = { token: admin, body: readable };
  const upload = app.call("POST", "/api/resources/open/slow.bin", options);
  await writer.write(new Uint8Array(100_000));
  assert.ok(await watching.isSilent(silenceMs));
  await writer.close();
  assert.equal((await upload).status, 200);
  assert.equal(await watching.next(), "changed");
});

Deno.test("a storm of changes is told of twice a second at most", async () => {
  await using watching = await watch("/busy/");
  const start = performance.now();
  for (let file = 0; file < 3_000; file++) {
    Deno.writeTextFileSync(join(app.root, "busy", `storm ${file}`), "");
  }
  let told = 0;
  while (!await watching.isSilent(silenceMs)) {
    assert.equal(await watching.next(), "changed");
    told++;
  }
  const most = Math.ceil((performance.now() - start) / 500) + 1;
  assert.ok(told >= 1 && told <= most, `${told} times`);
});

Deno.test("watch ends when the folder is deleted, after saying so", async () => {
  await using watching = await watch("/gone/");
  await Deno.remove(join(app.root, "gone"));
  assert.equal(await watching.next(), "changed");
  assert.equal(await watching.next(), null);
});

Deno.test("watch ends when the folder above is moved, and a folder that takes the name has its own", async () => {
  await using watching = await watch("/moved/into/");
  await Deno.rename(join(app.root, "moved"), join(app.root, "elsewhere"));
  await Deno.mkdir(join(app.root, "moved/into"), { recursive: true });
  await using second = await watch("/moved/into/");
  await write("moved/into/new.txt");
  assert.equal(await second.next(), "changed");
  assert.equal(await watching.next(), "changed");
  assert.equal(await watching.next(), null);
});

Deno.test("watch ends with the session, and tells nothing after it", async () => {
  const { user, token } = await app.addUser("leaving");
  await using watching = await watch("/ends/", token);
  await app.cubby.sessions.endAll(user.id);
  await write("ends/after.txt");
  assert.equal(await watching.next(), null);
});

Deno.test("a server that stops ends all watches, and begins none", async () => {
  const stopping = await startApp();
  const { url } = stopping.listen();
  const headers = { "x-auth": await stopping.tokenOf("admin") };
  await using watching = follow(await fetch(`${url}/api/watch/`, { headers }));
  stopping.cubby.watches.close();
  assert.deepEqual([await watching.next(), await watching.next()], ["ready", null]);
  await using late = follow(await fetch(`${url}/api/watch/`, { headers }));
  assert.deepEqual([await late.next(), await late.next()], ["ready", null]);
  await watching.leave();
  await late.leave();
  await stopping.close();
});
