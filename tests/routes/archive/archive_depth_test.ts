/** Archives of trees that are deeper than any path which a system takes in one call. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { plantDeep } from "../../support/disks/files.ts";
import { namesInTar, namesInZip } from "../../support/disks/unpack.ts";

const app = await startApp({ tree: { deep: {}, deepest: {} } });
Deno.test.afterAll(async () => {
  const args = ["-rf", join(app.root, "deep"), join(app.root, "deepest")];
  await new Deno.Command("rm", { args }).output();
  await app.close();
});
const token = await app.tokenOf("admin");
const get = async (path: string) =>
  await (await app.call("GET", `/api/raw${path}`, { token })).bytes();

const listers = {
  tar: (tar: Uint8Array<ArrayBuffer>) => namesInTar("tar", tar),
  zip: namesInZip,
};

/** Puts one file below so many folders. */
function putBelow(top: string, depth: number): void {
  plantDeep(join(app.root, top), "sub", depth, { name: "end.txt", text: "the end" });
}

Deno.test("one file below 1,000 folders is archived in a time that grows with the depth, not with its square", async () => {
  putBelow("deep", 1_000);
  await get("/deepest/?algo=tar"); // The Worker has started.
  for (const [kind, namesIn] of Object.entries(listers)) {
    const begin = performance.now();
    const bytes = await get(`/deep/?algo=${kind}`);
    const took = performance.now() - begin;
    const names = await namesIn(bytes);
    assert.equal(names.length, 1_001);
    assert.equal(names.at(-1), `${"sub/".repeat(1_000)}end.txt`);
    // By paths it took most of a minute; bench/ has the figure, which this machine may be too busy for.
    assert.ok(took < 20_000, `${kind}: ${took} ms`);
  }
});

Deno.test("a tree with paths that no call takes whole is archived, and its file downloaded", async () => {
  putBelow("deepest", 2_000);
  const path = `/deepest${"/sub".repeat(2_000)}/end.txt`;
  assert.equal(new TextDecoder().decode(await get(path)), "the end");
  const tar = await get("/deepest/?algo=tar");
  assert.equal((await namesInTar("tar", tar)).length, 2_001);
});
