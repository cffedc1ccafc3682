/** Copies and moves from, to and around folders that can't be written: `shut` and `open/inner`. */
import assert from "node:assert/strict";
import { assertDeniedLater } from "../core/access/visitors.ts";
import { assertUntouched, describe, setUp } from "./transfers.ts";

const [folder = ""] = Deno.args;
await using s = await setUp({}, folder);
const tree = () => [...describe(folder)];

await assertUntouched({ tree }, async () => {
  const override = true;
  await assertDeniedLater(s.move("/shut/a.txt", "/b.txt"), "forbidden");
  await assertDeniedLater(s.move("/shut/a.txt", "/open/a.txt", { override }), "forbidden");
  await assertDeniedLater(s.move("/shut/deep", "/deep"), "forbidden");
  await assertDeniedLater(s.move("/open/a.txt", "/shut/b.txt"), "forbidden");
  for (const to of ["/shut/b.txt", "/shut/on/the/way/b.txt", "/shut/deep/b"]) {
    await assertDeniedLater(s.copy("/open/a.txt", to), "forbidden", to);
    await assertDeniedLater(s.copy("/open", to), "forbidden", to);
  }
  await assertDeniedLater(s.copy("/shut/a.txt", "/shut/deep/b.txt", { override }), "forbidden");
});

// What is in them can be copied, with their permissions, and merged with.
await s.copy("/shut", "/copy");
assert.deepEqual([...describe(s.path("copy"))], [...describe(s.path("shut"))]);
await s.copy("/shut", "/open", { override: true });
assert.equal(s.text("open/a.txt") + s.text("open/deep/b.txt"), "ab");
await s.move("/copy", "/copied");
assert.deepEqual([...describe(s.path("copied"))], [...describe(s.path("shut"))]);
for (const path of ["open/deep", "copied/deep", "copied"]) Deno.chmodSync(s.path(path), 0o755);
