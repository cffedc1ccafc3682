import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../../../support/disks/files.ts";

const heard = (worker: Worker) =>
  new Promise<unknown>((resolve) => worker.onmessage = ({ data }) => resolve(data));

Deno.test("threads that make an index at the same moment make one, and none fails", async () => {
  await using folder = await temporaryFolder();
  const url = new URL("./index_maker.ts", import.meta.url);
  const threads = [1, 2, 3].map(() => new Worker(url, { type: "module" }));
  try {
    await Promise.all(threads.map(heard));
    for (let round = 0; round < 20; round++) {
      const gate = new Int32Array(new SharedArrayBuffer(4));
      const path = join(folder.path, `${round}.db`);
      const ends = threads.map((thread) => {
        const end = heard(thread);
        thread.postMessage({ path, gate });
        return end;
      });
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      assert.deepEqual(await Promise.all(ends), [[], [], []], `round ${round}`);
    }
  } finally {
    for (const thread of threads) thread.terminate();
  }
});
