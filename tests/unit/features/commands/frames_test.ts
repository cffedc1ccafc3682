import assert from "node:assert/strict";
import { join } from "node:path";
import {
  jsonOf,
  readFrames,
  sendFrame,
  sendJson,
} from "../../../../lib/server/features/commands/frames.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";

async function connected(work: (here: Deno.Conn, there: Deno.Conn) => Promise<void>) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "s");
  using listener = Deno.listen({ transport: "unix", path });
  const accepted = listener.accept();
  using here = await Deno.connect({ transport: "unix", path });
  using there = await accepted;
  await work(here, there);
}

Deno.test("frames arrive whole and in order, whatever their size", async () => {
  await connected(async (here, there) => {
    const large = crypto.getRandomValues(new Uint8Array(60_000));
    const sending = (async () => {
      await sendJson(here, "request", { a: "ä" });
      for (const bytes of [new Uint8Array(), large, large]) await sendFrame(here, "output", bytes);
      await sendJson(here, "end", { status: 3 });
      await here.closeWrite();
    })();
    const frames = await Array.fromAsync(readFrames(there));
    await sending;
    assert.deepEqual(frames.map(({ kind }) => kind), [
      "request",
      ...["output", "output", "output"],
      "end",
    ]);
    assert.deepEqual(frames[2]?.bytes, large);
    assert.deepEqual([frames[0], frames[4]].map((frame) => frame && jsonOf(frame)), [
      { a: "ä" },
      { status: 3 },
    ]);
  });
});

Deno.test("readFrames() refuses unknown kinds and lengths beyond reason, and drops half a frame", async () => {
  for (const head of [[9, 0, 0, 0, 1], [1, 255, 0, 0, 0]]) {
    await connected(async (here, there) => {
      await here.write(new Uint8Array(head));
      await assert.rejects(() => readFrames(there).next(), /unknown kind/);
    });
  }
  await connected(async (here, there) => {
    await here.write(new Uint8Array([1, 0, 0, 0, 9, 1, 2]));
    await here.closeWrite();
    assert.deepEqual(await Array.fromAsync(readFrames(there)), []);
  });
});
