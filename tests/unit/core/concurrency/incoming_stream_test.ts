import assert from "node:assert/strict";
import { IncomingStream } from "../../../../lib/server/core/concurrency/remote.ts";

Deno.test("a reader that leaves when all has arrived does not break the stream off", async () => {
  const broken: unknown[] = [];
  const stream = new IncomingStream(() => {}, () => {});
  const reader = stream.read(undefined, { onBreak: (error) => broken.push(error) }).getReader();
  const reading = reader.read();
  await Promise.resolve();
  stream.add(new Uint8Array(10));
  stream.close();
  await reader.cancel();
  assert.equal((await reading).done, true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(broken, []);
});
