import assert from "node:assert/strict";
import { join } from "node:path";
import { viewerOf } from "../../../lib/server/core/access/viewer.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

Deno.test("a body without an end is cut off where the quota ends", async () => {
  await using app = await startApp({ tree: { home: {} }, inProcess: true });
  const { token } = await app.addUser("anna", { scope: "/home", quota: { bytes: 3_000_000 } });
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const answer = await app.call("POST", "/api/resources/endless", { token, body: endless });
  await assertRefused(answer, 507, "over_quota");
  assert.ok(sent < 6_000_000, `${sent} bytes were taken`);
  assert.deepEqual([...Deno.readDirSync(join(app.root, "home"))], []);
  const { used } = await (await app.call("GET", "/api/usage/", { token })).json();
  assert.equal(used, 0);
});

Deno.test("a count that ends during a removal is not relied on after it", async () => {
  const tree = { home: { "a.txt": "k".repeat(1_000), "b.txt": "k".repeat(1_000) } };
  await using app = await startApp({ tree, inProcess: true });
  const { user } = await app.addUser("anna", { scope: "/home", quota: { bytes: 2_500 } });
  const { gate, quotas, settings } = app.cubby;
  const { rules } = await settings.get();
  const { allowance } = gate.enter(viewerOf(user, rules));
  assert.ok(allowance);
  assert.equal((await allowance.usage()).usedBytes, 2_000);
  {
    await using removal = await allowance.removing("Cannot remove");
    await Deno.remove(join(app.root, "home/a.txt"));
    // It sees the disk without the file, which is taken off once more afterwards.
    assert.equal((await quotas.recount(user)).usedBytes, 1_000);
    await removal.freed({ bytes: 1_000, files: 1 });
  }
  assert.equal((await allowance.usage()).usedBytes, 1_000);
});
