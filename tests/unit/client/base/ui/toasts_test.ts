import assert from "node:assert/strict";
import { mock } from "node:test";
import { Toasts } from "../../../../../lib/client/base/ui/toasts.ts";

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

Deno.test("Toasts wait while they are held, and then for the rest of their time", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  const pass = (ms: number) => {
    now += ms;
    mock.timers.tick(ms);
  };
  try {
    const toasts = new Toasts();
    const id = toasts.success("moved", () => {});
    pass(5000);
    toasts.hold(id);
    toasts.hold(id);
    pass(60_000);
    assert.equal(toasts.shown.value.length, 1);
    toasts.resume(id);
    toasts.resume(id);
    pass(2999);
    assert.equal(toasts.shown.value.length, 1);
    pass(1);
    assert.equal(toasts.shown.value.length, 0);
    toasts.hold(id);
    toasts.resume(id);
  } finally {
    clock.mock.restore();
    mock.timers.reset();
  }
});

Deno.test("Toasts do not pile the same error up", () => {
  const toasts = new Toasts();
  for (let time = 0; time < 10; time++) toasts.error("offline");
  assert.equal(toasts.shown.value.length, 1);
});
