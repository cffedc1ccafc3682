import assert from "node:assert/strict";
import { mock } from "node:test";
import { HoverOpen } from "../../../../../lib/client/files_page/drag/drag_target.ts";

Deno.test("what a pointer rests on is opened once, what it passes over is not", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const opened: string[] = [];
    const hoverOpen = new HoverOpen((name: string) => opened.push(name), 1000);
    hoverOpen.hover("a");
    mock.timers.tick(999);
    hoverOpen.hover("b");
    mock.timers.tick(999);
    hoverOpen.hover("b");
    assert.deepEqual(opened, []);
    mock.timers.tick(1);
    assert.deepEqual(opened, ["b"]);
    mock.timers.tick(5000);
    hoverOpen.hover("b");
    mock.timers.tick(5000);
    assert.deepEqual(opened, ["b"]);

    hoverOpen.hover("a");
    hoverOpen.hover(null);
    mock.timers.tick(5000);
    hoverOpen.hover("b");
    mock.timers.tick(1000);
    assert.deepEqual(opened, ["b", "b"]);
  } finally {
    mock.timers.reset();
  }
});
