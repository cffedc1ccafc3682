import assert from "node:assert/strict";
import { ProdBuildCache, setBuildCache } from "../../lib/fresh/src/internals.ts";
import { App, staticFiles } from "../../lib/fresh/src/mod.ts";
import { project, type Send, sender } from "./support/project.ts";

const LARGE = "x".repeat(3 * 1024 * 1024);

async function site(): Promise<Send & AsyncDisposable & { root: string }> {
  const { root, [Symbol.asyncDispose]: dispose } = await project({ "a.txt": "a", "b.txt": LARGE });
  const entry = (filePath: string) => ({ filePath, hash: filePath, contentType: "text/plain" });
  const snapshot = {
    version: "v1",
    clientEntry: "/client.js",
    islands: new Map(),
    fsRoutes: [],
    staticFiles: new Map([
      ["/a.txt", entry("a.txt")],
      ["/b.txt", entry("b.txt")],
      ["/gone.txt", entry("gone.txt")],
    ]),
  };
  const app = new App()
    .use(staticFiles())
    .notFound(() => new Response("none", { status: 404 }))
    .onError("*", ({ error }) => new Response(String(error), { status: 500 }));
  setBuildCache(app, new ProdBuildCache(root, snapshot));
  return Object.assign(sender(app), { root, [Symbol.asyncDispose]: dispose });
}

Deno.test("only the files that were there when the app was built are served", async () => {
  await using send = await site();
  await Deno.writeTextFile(`${send.root}/new.txt`, "new");
  assert.equal((await send("/new.txt")).status, 404);
  assert.equal((await send("/deno.json")).status, 404);
  assert.match(await (await send("/gone.txt")).text(), /^NotFound/);
});

Deno.test("a small file is read once and kept", async () => {
  await using send = await site();
  assert.equal(await (await send("/a.txt")).text(), "a");
  await Deno.remove(`${send.root}/a.txt`);
  assert.equal(await (await send("/a.txt")).text(), "a");
});

Deno.test("a large file is streamed from disk, and none is left open", async () => {
  await using send = await site();
  const whole = await send("/b.txt");
  assert.equal(whole.headers.get("content-length"), String(LARGE.length));
  assert.equal((await whole.text()).length, LARGE.length);
  const head = await send("/b.txt", { method: "HEAD" });
  assert.equal(head.headers.get("content-length"), String(LARGE.length));
  const known = await send("/b.txt", { headers: { "if-none-match": 'W/"b.txt"' } });
  assert.equal(known.status, 304);
  const dropped = await send("/b.txt");
  await dropped.body?.cancel();
});
