import assert from "node:assert/strict";
import { targetOfHits } from "../../../../../lib/client/screens/search/hits.ts";
import { rankerOf } from "../../../../../lib/client/screens/search/ranking.ts";
import { termsOf } from "../../../../../lib/client/screens/search/search_query.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { success } from "../../../../../lib/shared/result.ts";

async function targetOf(base: string, ...paths: string[]) {
  const hits = paths.map((path) => ({ path, dir: !path.includes(".") }))
    .map(rankerOf(termsOf("")));
  const { folder, names, size } = targetOfHits(parsePath(base).path, hits);
  return { folder, names: await names(), size };
}

Deno.test("results of one folder are entries of it", async () => {
  assert.deepEqual(await targetOf("/base", "a/x.txt", "a/y.txt"), {
    folder: "/base/a",
    names: success(["x.txt", "y.txt"]),
    size: 2,
  });
});

Deno.test("results of several folders are named from the one that holds them all", async () => {
  assert.deepEqual(await targetOf("/", "a/b/x.txt", "a/c/y.txt", "a/z.txt"), {
    folder: "/a",
    names: success(["b/x.txt", "c/y.txt", "z.txt"]),
    size: 3,
  });
});

Deno.test("results elsewhere are named from the top of the scope", async () => {
  assert.deepEqual(await targetOf("/base", "a/x.txt", "/other/y.txt"), {
    folder: "/",
    names: success(["base/a/x.txt", "other/y.txt"]),
    size: 2,
  });
});

Deno.test("a result below another one goes with it", async () => {
  assert.deepEqual(await targetOf("/", "a", "a/b/x.txt", "c.txt"), {
    folder: "/",
    names: success(["a", "c.txt"]),
    size: 2,
  });
});
