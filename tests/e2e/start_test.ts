import assert from "node:assert/strict";
import { startServer } from "../support/server.ts";

for (const workers of [1, 2]) {
  Deno.test(`deno task start serves, and ends in order when told to (${workers})`, async () => {
    await using server = await startServer({ command: ["task", "start"], workers });
    const answer = await fetch(`${server.url}/health`);
    assert.deepEqual(await answer.json(), { status: "OK" });
    assert.equal(await server.stop(), 0);
  });
}
