import assert from "node:assert/strict";
import { join } from "node:path";
import { uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { EarlySync, minEarlySyncBytes } from "../../../lib/server/files/upload/temporary_file.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { memoryPlace, temporaryFolder } from "../../support/disks/files.ts";
import { at, enter } from "../core/access/visitors.ts";

const mebibyte = 2 ** 20;

Deno.test("EarlySync hands each range to the disk once, one at a time, and ends with the last", async () => {
  const ranges: [start: number, end: number][] = [];
  let size = 5 * mebibyte;
  let atOnce = 0;
  const early = new EarlySync({
    facts: () => ({ size }),
    async beginSync(start, length) {
      assert.equal(++atOnce, 1);
      ranges.push([start, start + length]);
      await delay(40);
      atOnce--;
    },
  }, 5 * mebibyte);
  for (let step = 0; step < 6; step++) {
    size += 6 * mebibyte;
    await delay(30);
  }
  await early.stop();
  assert.equal(atOnce, 0);
  const told = ranges.length;
  assert.ok(told > 0);
  let end = 5 * mebibyte;
  for (const [start, next] of ranges) {
    assert.equal(start, end);
    assert.ok(next - start >= 8 * mebibyte);
    end = next;
  }
  size += 100 * mebibyte;
  await delay(60);
  assert.equal(ranges.length, told);
});

Deno.test("a failing disk does not end the process by its looks", async () => {
  const early = new EarlySync({
    facts() {
      throw new Error("EIO");
    },
    beginSync: () => Promise.reject(new Error("never asked")),
  }, 0);
  await delay(60);
  await early.stop();
});

Deno.test("a large upload that arrives slowly is written whole", async () => {
  await using folder = await temporaryFolder(memoryPlace());
  const piece = new Uint8Array(mebibyte).fill(7);
  const count = minEarlySyncBytes / mebibyte + 10;
  const body = new ReadableStream({
    async start(controller) {
      for (let index = 0; index < count; index++) {
        controller.enqueue(piece.slice());
        if (index % 6 === 0) await delay(30);
      }
      controller.close();
    },
  });
  const expectedLength = count * mebibyte;
  await uploadFile(enter(folder.path), at("/a.bin"), body, { override: false, expectedLength });
  const written = Deno.readFileSync(join(folder.path, "a.bin"));
  assert.equal(written.length, expectedLength);
  assert.ok(written.every((byte) => byte === 7));
});
