import assert from "node:assert/strict";
import { join } from "node:path";
import { memoryOf } from "../../../bench/memory.ts";
import { signIn } from "../../../bench/set_up.ts";
import { plantNoise } from "../../support/disks/files.ts";
import { startServer } from "../../support/server/server.ts";

const archives = 600;
const clients = 10;
/** A Worker that makes archives takes 15 MB of its own. */
const maxKept = 45;
const timeoutMs = 60_000;

Deno.test("memory that many archives took is returned when they are made", async () => {
  const workers = Number(Deno.env.get("WORKERS") ?? 1);
  await using server = await startServer({
    workers,
    async prepare(root) {
      for (let index = 0; index < 40; index++) {
        await plantNoise(join(root, `${index}.bin`), 10_000);
      }
    },
  });
  const headers = { "x-auth": await signIn(server) };
  const before = memoryOf(server.pid);
  await Promise.all(Array.from({ length: clients }, async () => {
    for (let count = 0; count < archives * workers / clients; count++) {
      const answer = await fetch(`${server.url}/api/raw/?algo=tar.gz`, { headers });
      assert.equal(answer.status, 200);
      await answer.body?.pipeTo(new WritableStream());
    }
  }));

  const peak = memoryOf(server.pid);
  let kept = peak - before;
  for (const end = Date.now() + timeoutMs; kept > maxKept * workers && Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    kept = memoryOf(server.pid) - before;
  }
  assert.ok(kept <= maxKept * workers, `${kept} MB more than before, ${peak - before} at most`);
});
