import assert from "node:assert/strict";
import { join } from "node:path";
import { uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { EarlySync } from "../../../lib/server/files/upload/temporary_file.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { memoryPlace, temporaryFolder } from "../../support/disks/files.ts";
import { at, enter } from "../core/access/visitors.ts";

const mebibyte = 2 ** 20;

Deno.test("EarlySync hands each range to the disk once, one at a time, and ends with the last", async () => {
  const ranges: [start: number, end: number][] = [];
  let ended = Promise.withResolvers<void>();
  const early = new EarlySync({
    async beginSync(start, length) {
      ranges.push([start / mebibyte, (start + length) / mebibyte]);
      await ended.promise;
    },
  }, 5 * mebibyte);
  for (const end of [6, 7, 8, 9, 12]) early.wrote(end * mebibyte);
  assert.deepEqual(ranges, [[5, 7]]);
  ended.resolve();
  await early.stop();
  ended = Promise.withResolvers();
  early.wrote(14 * mebibyte);
  assert.deepEqual(ranges, [[5, 7], [7, 14]]);
  let isStopped = false;
  const stopped = early.stop().then(() => isStopped = true);
  await delay(0);
  assert.equal(isStopped, false);
  ended.resolve();
  await stopped;
});

for (const place of [undefined, memoryPlace()]) {
  Deno.test(`a large upload that arrives slowly is written whole, on ${place ?? "a disk"}`, async () => {
    await using folder = await temporaryFolder(place);
    const count = 26;
    const body = new ReadableStream({
      async start(controller) {
        for (let index = 0; index < count; index++) {
          controller.enqueue(new Uint8Array(mebibyte).fill(index));
          if (index % 6 === 0) await delay(30);
        }
        controller.close();
      },
    });
    const expectedLength = count * mebibyte;
    await uploadFile(enter(folder.path), at("/a.bin"), body, { override: false, expectedLength });
    const written = Deno.readFileSync(join(folder.path, "a.bin"));
    assert.equal(written.length, expectedLength);
    assert.ok(written.every((byte, at) => byte === Math.floor(at / mebibyte)));
  });
}
