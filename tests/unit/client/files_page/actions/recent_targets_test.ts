import assert from "node:assert/strict";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { RecentTargets } from "../../../../../lib/client/files_page/actions/last_choices.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";

const at = (text: string) => parsePath(text).path;

Deno.test("RecentTargets keeps the last five folders of each account, each once", () => {
  const storage = memoryStorage();
  const ada = new RecentTargets(1, storage);
  for (const name of ["a", "b", "c", "d", "e", "f", "c", "#%?日本 `"]) ada.remember(at(`/${name}`));
  assert.deepEqual(ada.list(), ["/#%?日本 `", "/c", "/f", "/e", "/d"]);
  assert.deepEqual(new RecentTargets(1, storage).list(), ada.list());
  assert.deepEqual(new RecentTargets(2, storage).list(), []);
});

for (const kept of ["{", '"/a"', '{"0":"/a"}', '["/a\\u0000"]']) {
  Deno.test(`RecentTargets survives that something else wrote ${kept}`, () => {
    const storage = memoryStorage();
    storage.setItem("targets.1", kept);
    const targets = new RecentTargets(1, storage);
    assert.deepEqual(targets.list(), []);
    targets.remember(at("/b"));
    assert.deepEqual(targets.list(), ["/b"]);
  });
}
