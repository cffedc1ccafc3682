/** Files that someone writes while they are moved to another disk, read by read. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Reserved } from "../../../../lib/server/core/access/reserved.ts";
import { Pauses } from "../../../../lib/server/core/concurrency/pauses.ts";
import { disk } from "../../../../lib/server/core/disk/this_disk.ts";
import { copyFiles, isAsCopied } from "../../../../lib/server/files/transfer/copy_tree.ts";
import type { ScannedFile } from "../../../../lib/server/files/transfer/scan.ts";
import { memoryPlace, plant, temporaryFolder } from "../../../support/disks/files.ts";
import { assertDeniedLater } from "../../core/access/visitors.ts";

const former = new Date(1_234_567_890_000);

/** A file, its copy, and the copying of one to the other. */
async function setUp() {
  const folder = await temporaryFolder(memoryPlace());
  await plant(folder.path, { from: { "a.txt": "former" }, to: {} });
  const path = join(folder.path, "from/a.txt");
  Deno.utimeSync(path, former, former);
  return {
    path,
    read: (place: string) => Deno.readTextFileSync(join(folder.path, place, "a.txt")),
    /**
     * @param onRead called after each reading of the file, with its number
     * @returns whether the file may be deleted: it is as it was copied
     */
    async copy(isMove: boolean, onRead: (reading: number) => void): Promise<boolean> {
      let readings = 0;
      const file: ScannedFile = { name: "a.txt", replaces: false, copied: null };
      const meter = { add: (_: number, bytes: number) => bytes > 0 && onRead(++readings) };
      const order = { action: "Cannot move", isMove, isSynced: false, meter };
      using from = disk.folder(join(folder.path, "from"));
      using to = disk.folder(join(folder.path, "to"));
      const reserved = new Reserved({ reserved: [] });
      await copyFiles(from, to, { files: [file], links: [] }, { ...order, reserved }, new Pauses());
      const facts = from.look("a.txt");
      return facts !== null && file.copied !== null && isAsCopied(facts, file.copied);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Writes a file once the disk's clock shows another time than that of its last change. */
function write(path: string, text: string, modified?: Date): void {
  const changeOf = (path: string) => disk.look(path)?.ctime?.getTime();
  const [before, probe] = [changeOf(path), `${path}.probe`];
  Deno.writeTextFileSync(probe, "");
  do Deno.chmodSync(probe, 0o644); while (changeOf(probe) === before);
  Deno.writeTextFileSync(path, text);
  if (modified) Deno.utimeSync(path, modified, modified);
}

Deno.test("a file that changes while it is moved is copied again, whatever tells that it has changed", async () => {
  const changes: Record<string, { text: string; modified?: Date }> = {
    "time of modification": { text: "newest" },
    "time of change alone": { text: "newest", modified: former },
    "length, longer": { text: "the newest", modified: former },
    "length, shorter": { text: "new", modified: former },
  };
  for (
    const [what, { text, modified }] of Object.entries(changes)
  ) {
    await using s = await setUp();
    const readings: string[] = [];
    const isRemovable = await s.copy(true, (reading) => {
      readings.push(s.read("to"));
      if (reading === 1) write(s.path, text, modified);
    });
    assert.deepEqual(readings, ["former", text], what);
    assert.equal(s.read("to"), text, what);
    assert.ok(isRemovable, what);
  }
});

Deno.test("a file that changes each time it is read is not moved", async () => {
  await using s = await setUp();
  let count = 0;
  const copying = s.copy(true, (reading) => write(s.path, `text ${count = reading}`));
  await assertDeniedLater(copying, "precondition_failed");
  assert.equal(count, 3);
  assert.equal(s.read("from"), "text 3");
});

Deno.test("a file that changes while it is copied is copied once, as it was", async () => {
  await using s = await setUp();
  let count = 0;
  await s.copy(false, (reading) => write(s.path, `newest ${count = reading}`));
  assert.equal(count, 1);
  assert.equal(s.read("to"), "former");
});
