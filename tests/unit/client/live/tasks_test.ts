import assert from "node:assert/strict";
import { Tasks } from "../../../../lib/client/live/tasks.ts";
import { until } from "../support.ts";

/** A window of which only the warning is of interest. */
class Leavable extends EventTarget {
  get warns(): boolean {
    return !this.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  }
}

Deno.test("what is soon over is never shown", async () => {
  const tasks = new Tasks(null);
  const given = await tasks.run({ deed: "copy", total: 1 }, ({ step }) => {
    step();
    return Promise.resolve();
  });
  assert.equal(given, false);
  assert.deepEqual(tasks.shown.value, []);
});

Deno.test("what takes a while is shown with how far it is, can be given up, and is warned about", async () => {
  const window = new Leavable();
  const tasks = new Tasks(window);
  const running = tasks.run({ deed: "move", total: 3 }, ({ signal, step }) => {
    step();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  });
  assert.ok(window.warns);
  await until(() => tasks.shown.value.length === 1);
  const [task] = tasks.shown.value;
  assert.deepEqual([task?.deed, task?.total, task?.done], ["move", 3, 1]);
  task?.cancel();
  assert.equal(await running, true);
  assert.deepEqual(tasks.shown.value, []);
  assert.ok(!window.warns);
});
