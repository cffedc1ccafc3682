import assert from "node:assert/strict";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { SERVER } from "../../../../lib/server/core/access/viewer.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import { FolderEvents } from "../../../../lib/server/features/watch/folder_events.ts";
import { delay } from "../../../../lib/shared/delay.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";

/** A store that is followed as one on the network is. */
async function openShared() {
  const store = await openStore(":memory:");
  const begun: Promise<void>[] = [];
  const network = {
    follow<T>(key: Deno.KvKey, take: (value: T | null) => void): Disposable {
      const first = Promise.withResolvers<void>();
      begun.push(first.promise);
      void store.read(async (kv) => {
        for await (const [entry] of kv.watch([key])) {
          take(entry?.value as T | null);
          first.resolve();
        }
      });
      return { [Symbol.dispose]() {} };
    },
  };
  return { ...store, network, begun };
}

Deno.test("FolderEvents tells other processes of changes in their folders, of all after too many", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { here: { deep: {} }, there: {}, "other": {} });
  const store = await openShared();
  const access = new Gate({ root: folder.path, reserved: [] }).enter(SERVER);
  const [mine, others] = ["a", "b"].map((node) => new FolderEvents(store, node));
  assert.ok(mine && others);
  await Promise.all(store.begun);
  const heard: string[] = [];
  const listen = (news: FolderEvents, path: string, name: string) => {
    const { real } = access.folder(parsePath(path).path);
    return news.listen(real, folder.path, () => void heard.push(name));
  };
  listen(mine, "/here", "my own");
  listen(others, "/here", "here");
  using _there = listen(others, "/there", "there");
  const next = async (count: number) => {
    for (const end = Date.now() + 10_000; heard.length < count && Date.now() < end;) await delay(5);
    return heard.splice(0).sort();
  };
  // Folders above that have changed a moment ago count as well, these are older.
  for (const path of ["", "here", "there"]) Deno.utimeSync(`${folder.path}/${path}`, 1, 1);

  mine.notifyChanged(access, [parsePath("/here/a.txt").path, parsePath("/gone/b.txt").path]);
  assert.deepEqual(await next(1), ["here"]);
  mine.notifyChanged(access, [parsePath("/here/deep/a.txt").path, parsePath("/there/a.txt").path]);
  assert.deepEqual(await next(1), ["there"]);

  const key = ["folder_news"];
  const { value } = await store.get<{ count: number }>(key);
  const changes = Array.from({ length: 500 }, (_, index) => ["c", `${index}`]);
  await store.atomic((all) => all.set(key, { count: (value?.count ?? 0) + 501, changes }));
  assert.deepEqual(await next(3), ["here", "my own", "there"]);
  for (const news of [mine, others]) news.close();
  store.close();
});
