import assert from "node:assert/strict";
import { mock } from "node:test";
import { Throttle } from "../../../../../lib/client/base/core/throttle.ts";

Deno.test("Throttle runs at once, then at most once in an interval, the last time included", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let runs = 0;
    const throttle = new Throttle(() => runs++, 100);
    for (let ask = 0; ask < 1000; ask++) throttle.ask();
    assert.equal(runs, 1);
    mock.timers.tick(99);
    assert.equal(runs, 1);
    mock.timers.tick(1);
    assert.equal(runs, 2);
    mock.timers.tick(1000);
    assert.equal(runs, 2);
    throttle.ask();
    assert.equal(runs, 3);
    throttle.ask();
    throttle.flush();
    assert.equal(runs, 4);
    mock.timers.tick(1000);
    assert.equal(runs, 4);
  } finally {
    mock.timers.reset();
  }
});
