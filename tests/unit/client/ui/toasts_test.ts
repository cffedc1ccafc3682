import assert from "node:assert/strict";
import { mock } from "node:test";
import { Toasts } from "../../../../lib/client/ui/toasts.ts";

Deno.test("Toasts take good news away after a second and keep errors until they are closed", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const toasts = new Toasts();
    toasts.success("done");
    toasts.error("broken");
    mock.timers.tick(999);
    assert.deepEqual(toasts.shown.value.map(({ text }) => text), ["done", "broken"]);
    mock.timers.tick(1);
    assert.deepEqual(toasts.shown.value.map(({ text }) => text), ["broken"]);
    mock.timers.tick(3_600_000);
    const [error] = toasts.shown.value;
    assert.equal(error?.kind, "error");
    toasts.close(error.id);
    assert.deepEqual(toasts.shown.value, []);
  } finally {
    mock.timers.reset();
  }
});

Deno.test("Toasts do not pile the same error up", () => {
  const toasts = new Toasts();
  for (let time = 0; time < 10; time++) toasts.error("offline");
  assert.equal(toasts.shown.value.length, 1);
});
