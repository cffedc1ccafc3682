import assert from "node:assert/strict";
import { join } from "node:path";
import { SearchFolder } from "../../../../lib/server/core/access/search_folder.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { assertDenied, at, enter } from "./visitors.ts";

async function setUp() {
  const folder = await temporaryFolder();
  await plant(folder.path, {
    outside: { below: { "x outside": "" }, "x outside": "" },
    root: { top: { sub: { below: { "x inside": "" } }, other: { "x other": "" } } },
  });
  const root = join(folder.path, "root");
  const top = enter(root).folder(at("/top"));
  const start = SearchFolder.of(top);
  const sub = start.pick((name) => name.startsWith("x")).branches.find(({ path }) =>
    path === "/top/sub"
  );
  assert(sub);
  /** Puts a link that leads out in the place of a folder. */
  const swap = (name: string) => {
    Deno.renameSync(join(root, name), join(root, "moved away"));
    Deno.symlinkSync(join(folder.path, "outside"), join(root, name));
  };
  return { root, top, start, sub, swap, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

const namesIn = (branch: SearchFolder) => branch.pick(() => true).hits.map(({ name }) => name);

Deno.test("a folder that becomes a link out between being met and read is refused", async () => {
  await using s = await setUp();
  const { branches } = s.sub.pick(() => true);
  s.swap("top/sub");
  for (const branch of [s.sub, ...branches]) {
    assertDenied(() => branch.pick(() => true), "forbidden");
  }
});

Deno.test("a walk is refused when a folder above it becomes a link out", async () => {
  await using s = await setUp();
  s.swap("top");
  assertDenied(() => s.sub.pick(() => true), "forbidden");
});

Deno.test("a folder that vanished is refused when it is read", async () => {
  await using s = await setUp();
  Deno.removeSync(join(s.root, "top/sub"), { recursive: true });
  assertDenied(() => s.sub.pick(() => true), "not_found");
});

Deno.test("a walk picks the wanted entries and goes on with all folders", async () => {
  await using s = await setUp();
  const { hits, branches } = s.start.pick((name) => name.includes("her"));
  assert.deepEqual(hits, [{ name: "other", kind: "folder", isFolder: true, target: null }]);
  assert.deepEqual(branches.map(({ path }) => path).sort(), ["/top/other", "/top/sub"]);
  assert.deepEqual(namesIn(s.sub), ["below"]);
});
