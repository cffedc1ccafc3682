import assert from "node:assert/strict";
import { join } from "node:path";
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
