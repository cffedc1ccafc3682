import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../../lib/shared/delay.ts";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import { FileIds } from "../../../../lib/server/features/dav/file_ids.ts";
import { identified, IdLookups } from "../../../../lib/server/features/dav/id_lookups.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { loseMessages } from "../../../support/run/lost_messages.ts";
import { at, enter } from "../../core/access/visitors.ts";

Deno.test("what one thread has listed is found by another one without a walk", async () => {
  await using root = await temporaryFolder();
  await plant(root.path, { sub: { "a.txt": "a" } });
  const store = await openStore(":memory:");
  const gate = new Gate({ root: root.path, reserved: [] });
  const report = (error: unknown) => assert.fail(String(error));
  const thread = () => new IdLookups(new FileIds({ store, gate, report }), root.path);
  const [here, there] = [thread(), thread()];
  const access = enter(root.path);
  const find = (id: string) => there.find(access, "user", id, new AbortController().signal);
  const list = async (path: string) => {
    const [id = ""] = await here.idsOf([identified(access, access.stat(at(path)))]);
    return id;
  };
  assert.equal(await find("1"), null, "it walks, and does not begin again at once");

  await Deno.writeTextFile(join(root.path, "sub/new.txt"), "new");
  const id = await list("/sub/new.txt");
  while (await find(id) === null) await delay(1);
  assert.equal(await find(id), at("/sub/new.txt"));
  await Deno.rename(join(root.path, "sub/new.txt"), join(root.path, "moved.txt"));
  assert.equal(await find(id), null, "the place is another's now");
  await list("/moved.txt");
  while (await find(id) === null) await delay(1);
  assert.equal(await find(id), at("/moved.txt"));

  await Deno.writeTextFile(join(root.path, "lost.txt"), "lost");
  let lost = "";
  {
    using _lost = loseMessages();
    lost = await list("/lost.txt");
    await delay(0);
  }
  for (const end = Date.now() + 10_000; await find(lost) === null; await delay(1)) {
    assert.ok(Date.now() < end, "it is not asked for");
  }
  assert.equal(await find(lost), at("/lost.txt"));

  const other = enter(root.path, { scope: "/sub" });
  const signal = new AbortController().signal;
  assert.equal(await there.find(other, "user", id, signal), null, "it is not in their scope");
  here.close();
  there.close();
  store.close();
});
