import assert from "node:assert/strict";
import { mock } from "node:test";
import { Spring } from "../../../../lib/client/drag/spring.ts";

Deno.test("what a pointer rests on is opened once, what it passes over is not", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const opened: string[] = [];
    const spring = new Spring((name: string) => opened.push(name), 1000);
    spring.over("a");
    mock.timers.tick(999);
    spring.over("b");
    mock.timers.tick(999);
    spring.over("b");
    assert.deepEqual(opened, []);
    mock.timers.tick(1);
    assert.deepEqual(opened, ["b"]);
    mock.timers.tick(5000);
    spring.over("b");
    mock.timers.tick(5000);
    assert.deepEqual(opened, ["b"]);

    spring.over("a");
    spring.over(null);
    mock.timers.tick(5000);
    spring.over("b");
    mock.timers.tick(1000);
    assert.deepEqual(opened, ["b", "b"]);
  } finally {
    mock.timers.reset();
  }
});
