import assert from "node:assert/strict";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";

Deno.test("the Worker for listings ends when nothing asks for a while, and starts again", async () => {
  const worker = openListingWorker(new URL("./hasty_listing_worker.ts", import.meta.url));
  const parse = () => worker.parseJson({ body: new TextEncoder().encode("[1]"), maxValues: 10 });
  try {
    assert.ok(!worker.isRunning, "it starts with the first call");
    assert.deepEqual(await parse(), [1]);
    assert.ok(worker.isRunning);
    while (worker.isRunning) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await parse(), [1]);
    assert.ok(worker.isRunning);
  } finally {
    worker.close();
  }
});
