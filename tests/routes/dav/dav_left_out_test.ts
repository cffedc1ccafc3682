/** COPY and MOVE of folders with pipes and sockets: the rest arrives, a 207 names what does not. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { davClient, hrefsOf } from "../../support/clients/dav.ts";
import { mount } from "../../support/disks/small_disk.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const strange = "#%?日本 `.txt";
const odd = { [strange]: "s", deep: { b: "b" } };
const app = await startApp({
  config: { webdav: true },
  tree: { odd, moved: odd, plain: { c: "c" }, taken: { old: "old" } },
});
Deno.test.afterAll(async () => {
  for (const listener of listeners) listener.close();
  await app.close();
});
const at = (path: string) => join(app.root, path);
const dav = davClient(app);

const pipe = `pipe & ${strange}`;
const oddFolders = ["odd", "moved"];
await new Deno.Command("mkfifo", { args: oddFolders.map((name) => at(`${name}/${pipe}`)) })
  .output();
const listeners = oddFolders.map((name) =>
  Deno.listen({ transport: "unix", path: at(`${name}/deep/socket`) })
);
const ignore = Deno.build.os === "windows";

function namesIn(path: string): string[] {
  return [...Deno.readDirSync(at(path))].map(({ name }) => name).sort();
}

function send(method: "COPY" | "MOVE", from: string, to: string, more = {}): Promise<Response> {
  return dav(method, from, { headers: { destination: `/dav${to}`, ...more } });
}

/** Each entry is named alone, without the folders above it (RFC 4918, 9.8.5). */
async function assertNamed(answer: Response, folder = "odd"): Promise<void> {
  assert.equal(answer.status, 207);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/xml/);
  const text = await answer.text();
  assert.deepEqual(hrefsOf(text).sort(), [
    `/dav/${folder}/deep/socket`,
    `/dav/${folder}/${encodeURIComponent(pipe)}`,
  ]);
  const each = [...text.matchAll(/<D:response>(.*?)<\/D:response>/gs)].map(([, one = ""]) => one);
  assert.equal(each.length, 2);
  for (const one of each) assert.match(one, /<D:status>HTTP\/1\.1 403 Forbidden<\/D:status>/);
}

function assertRest(path: string): void {
  assert.deepEqual([namesIn(path), namesIn(`${path}/deep`)], [[strange, "deep"], ["b"]]);
}

Deno.test({
  name: "COPY of a pipe itself is refused, and so is a folder where the name is taken",
  ignore,
  async fn() {
    const alone = await send("COPY", `/odd/${encodeURIComponent(pipe)}`, "/alone");
    await assertRefused(alone, 403, "not_a_file");
    await assertStatus(await send("COPY", "/odd", "/plain", { overwrite: "F" }), 412);
    assert.deepEqual(namesIn("plain"), ["c"]);
  },
});

Deno.test({
  name: "COPY names the pipes and sockets that it leaves out, and no ancestor of them",
  ignore,
  async fn() {
    await assertNamed(await send("COPY", "/odd", "/twin"));
    assertRest("twin");
    await assertNamed(await send("COPY", "/odd", "/taken"));
    assertRest("taken");
    assert.deepEqual(namesIn("odd"), [strange, "deep", pipe].sort());
    await assertStatus(await send("COPY", "/odd", "/shallow", { depth: "0" }), 201);
    await assertStatus(await send("COPY", "/plain", "/plain twin"), 201);
    await assertStatus(await send("COPY", "/plain", "/plain twin"), 204);
  },
});

Deno.test({
  name: "COPY of a folder with thousands of pipes names the first, and counts the rest",
  ignore,
  async fn() {
    Deno.mkdirSync(at("many"));
    const args = Array.from({ length: 1_200 }, (_, index) => at(`many/p${index}`));
    await new Deno.Command("mkfifo", { args }).output();
    const answer = await send("COPY", "/many", "/few");
    assert.equal(answer.status, 207);
    const text = await answer.text();
    assert.equal(hrefsOf(text).length, 1_000);
    assert.match(text, /<D:responsedescription>[^<]*1200[^<]*<\/D:responsedescription>/);
    assert.deepEqual(namesIn("few"), []);
  },
});

Deno.test({
  name: "MOVE to another disk names what stays, and MOVE within one takes all along",
  ignore: ignore || Deno.uid() !== 0,
  async fn() {
    await assertStatus(await send("MOVE", "/moved", "/renamed"), 201);
    assert.deepEqual(namesIn("renamed"), [strange, "deep", pipe].sort());
    await assertStatus(await send("MOVE", "/renamed", "/moved"), 201);
    Deno.mkdirSync(at("disk"));
    await mount("-t", "tmpfs", "-o", "size=4m", "cubby-test", at("disk"));
    try {
      await assertNamed(await send("MOVE", "/moved", "/disk/moved"), "moved");
      assertRest("disk/moved");
      assert.deepEqual([namesIn("moved"), namesIn("moved/deep")], [["deep", pipe], ["socket"]]);
    } finally {
      await new Deno.Command("umount", { args: [at("disk")] }).output();
    }
  },
});
