import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../lib/server/core/access/gate.ts";
import { makeTemporaryName } from "../../../lib/server/core/access/names.ts";
import { lockUploadFolder } from "../../../lib/server/files/upload/temporary_file.ts";
import {
  StoredUploadJournal,
  sweepTemporaries,
} from "../../../lib/server/files/upload/temporaries.ts";
import { copyEntry } from "../../../lib/server/files/transfer/start_transfer.ts";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { openTransferWorker } from "../../../lib/server/files/workers/workers.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { at, viewer } from "../core/access/visitors.ts";

Deno.test("a half-made copy of a killed process is swept with all that is in it", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { a: { "x.txt": "x" }, to: { own: "own" }, deep: {} });
  const store = await openStore(":memory:");
  const notes = new StoredUploadJournal(store);
  const gate = new Gate({ root: folder.path, reserved: [] }, notes);
  const transferWorker = openTransferWorker();
  const options = { override: true, rename: false };
  const access = gate.enter(viewer());
  await copyEntry(access, transferWorker, at("/a"), at("/to"), options);
  await copyEntry(access, transferWorker, at("/a"), at("/deep/er/b"), options);
  transferWorker.close();

  const leftovers = ["", "to", "deep/er"].map((place) => {
    const path = join(folder.path, place, makeTemporaryName());
    Deno.mkdirSync(join(path, "half/made"), { recursive: true });
    Deno.writeTextFileSync(join(path, "half/made/y.txt"), "y");
    Deno.utimeSync(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
    return path;
  });
  const isThere = (path: string) => Deno.stat(path).then(() => true, () => false);
  const held = disk.folder(join(folder.path, "to"));
  const hold = lockUploadFolder(held);
  assert.equal(await sweepTemporaries(gate, notes), 2);
  assert.deepEqual(await Promise.all(leftovers.map(isThere)), [false, true, false]);
  hold[Symbol.dispose]();
  held[Symbol.dispose]();
  assert.equal(await sweepTemporaries(gate, notes), 1);
  assert.deepEqual(await Promise.all(leftovers.map(isThere)), [false, false, false]);
  assert.equal(Deno.readTextFileSync(join(folder.path, "to/own")), "own");
  store.close();
});
