import assert from "node:assert/strict";
import { effect } from "@preact/signals";
import { Lazy, type LazyState } from "../../../../../lib/client/base/core/lazy.ts";

/** Resolves as soon as a module is in a state. */
function until<T>(module: Lazy<T>, is: LazyState<T>["is"]): Promise<void> {
  return new Promise((resolve) => {
    effect(() => {
      if (module.state.value.is === is) resolve();
    });
  });
}

Deno.test("a lazy module that can't be loaded has failed at once, and can be loaded again", async () => {
  let calls = 0;
  const module = new Lazy(() => ++calls === 1 ? Promise.reject(new Error()) : Promise.resolve(7));
  assert.equal(await module.load(), null);
  assert.equal(module.state.peek().is, "failed");
  const second = module.load();
  assert.equal(module.state.peek().is, "loading");
  assert.equal(await second, 7);
  assert.deepEqual(module.state.peek(), { is: "ready", value: 7 });
});

Deno.test("a lazy module that does not come in time has failed, and is shown when it comes after all", async () => {
  const arrival = Promise.withResolvers<string>();
  const module = new Lazy(() => arrival.promise, { timeoutMs: 1 });
  const loading = module.load();
  await until(module, "failed");
  arrival.resolve("there");
  await until(module, "ready");
  assert.equal(await loading, "there");
});

Deno.test("a lazy module is loaded once, however often it is needed", async () => {
  let calls = 0;
  const module = new Lazy(() => Promise.resolve(++calls));
  assert.equal(module.state.peek().is, "loading");
  const [first, second] = await Promise.all([module.load(), module.load()]);
  await module.load();
  assert.deepEqual([calls, first, second], [1, 1, 1]);
  assert.deepEqual(module.state.peek(), { is: "ready", value: 1 });
});
