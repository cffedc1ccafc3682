import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, plantMany } from "../../support/disks/files.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

async function prepare(root: string): Promise<void> {
  await plant(root, { a: { "x.txt": "x", deep: { "y.txt": "y" } }, to: { "x.txt": "former" } });
  await Deno.symlink("x.txt", join(root, "a/link"));
  await Deno.symlink("a/x.txt", join(root, "link"));
  await Deno.mkdir(join(root, "many"));
  plantMany(join(root, "many"), 2_000);
}

async function signIn({ url, username, password }: RunningServer) {
  const body = JSON.stringify({ username, password });
  const login = await fetch(`${url}/api/login`, { method: "POST", body });
  const token = await login.text();
  return async (action: string, from: string, to: string, options = "", signal?: AbortSignal) => {
    const query = `action=${action}&destination=${encodeURIComponent(to)}${options}`;
    const address = `${url}/api/resources${encodeURI(from)}?${query}`;
    const headers = { "x-auth": token };
    const answer = await fetch(address, { method: "PATCH", headers, signal });
    const text = await answer.text();
    return `${answer.status} ${text.trim()}`;
  };
}

for (const workers of [1, 2]) {
  Deno.test(`everything is copied and moved in the sandbox, with ${workers} threads`, async () => {
    await using server = await startServer({ workers, prepare });
    const transfer = await signIn(server);
    const read = (path: string) => Deno.readTextFileSync(join(server.root, path));

    assert.equal(await transfer("copy", "/a", "/new/b"), "200 OK");
    assert.equal(read("new/b/deep/y.txt"), "y");
    assert.equal(Deno.readLinkSync(join(server.root, "new/b/link")), "x.txt");
    assert.equal(await transfer("copy", "/a", "/to", "&override=true"), "200 OK");
    assert.equal(read("to/x.txt"), "x");
    assert.equal(await transfer("copy", "/link", "/link", "&rename=true"), "200 OK");
    assert.equal(
      await transfer("rename", "/link", "/new/../renamed"),
      '400 Cannot read the path: it has a ".." segment',
    );
    assert.equal(await transfer("rename", "/link", "/renamed"), "200 OK");
    assert.equal(Deno.readLinkSync(join(server.root, "renamed")), "a/x.txt");
    assert.equal(await transfer("rename", "/new/b", "/c"), "200 OK");
    assert.equal(await transfer("rename", "/c", "/to", "&override=true"), "200 OK");
    assert.equal(await transfer("rename", "/to/x.txt", "/a/x.txt", "&override=true"), "200 OK");

    const copies = Array.from({ length: 4 }, () => transfer("copy", "/many", "/m", "&rename=true"));
    assert.deepEqual(new Set(await Promise.all(copies)), new Set(["200 OK"]));
    for (const name of ["m", "m(1)", "m(2)", "m(3)"]) {
      assert.equal([...Deno.readDirSync(join(server.root, name))].length, 2_000, name);
    }
    assert.equal(await server.stop(), 0);
  });
}

Deno.test("a copy whose client hangs up is whole or leaves nothing behind", async () => {
  await using server = await startServer({ prepare });
  const transfer = await signIn(server);
  const names = () => [...Deno.readDirSync(server.root)].map(({ name }) => name).sort();
  const before = names();
  const ended = () => server.output().split("\n").filter((line) => line.includes(" PATCH ")).length;
  for (const [run, ms] of [0, 40, 80].entries()) {
    const hangsUp = new AbortController();
    const copied = transfer("copy", "/many", "/stopped", "", hangsUp.signal).catch(() => {});
    await settled(() => names().length > before.length);
    setTimeout(() => hangsUp.abort(), ms);
    await copied;
    await settled(() => ended() > run);
    // It may have been done before the word came that nobody waits for it.
    const copy = join(server.root, "stopped");
    if (!names().includes("stopped")) continue;
    assert.equal([...Deno.readDirSync(copy)].length, 2_000);
    await Deno.remove(copy, { recursive: true });
  }
  await settled(() => names().join() === before.join());
});

/** Waits until something holds that comes by itself. */
async function settled(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    assert.ok(Date.now() < deadline, `It does not come: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
