import assert from "node:assert/strict";
import { isReadable } from "../../../lib/server/kv/is_readable.ts";
import { openStore } from "../../../lib/server/kv/store.ts";

Deno.test("isReadable() says no to a store that is closed, or does not answer in time", async () => {
  const store = await openStore(":memory:");
  assert.equal(await isReadable(store), true);
  store.close();
  assert.equal(await isReadable(store), false);
  const { promise } = Promise.withResolvers<never>();
  assert.equal(await isReadable({ get: () => promise }, 20), false);
});
