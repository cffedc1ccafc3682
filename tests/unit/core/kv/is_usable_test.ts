import assert from "node:assert/strict";
import { isUsable } from "../../../../lib/server/core/kv/is_usable.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";

Deno.test("isUsable() says no to a store that is closed, or does not answer in time", async () => {
  const store = await openStore(":memory:");
  assert.equal(await isUsable(store, ":memory:"), true);
  store.close();
  assert.equal(await isUsable(store, ":memory:"), false);
  const { promise } = Promise.withResolvers<never>();
  assert.equal(await isUsable({ ...store, get: () => promise }, ":memory:", 20), false);
});
