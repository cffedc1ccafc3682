import assert from "node:assert/strict";
import { ignoreSecondPress } from "../../../../../lib/client/base/ui/dialog_press.ts";

/** A page whose prompt was just closed by a press at a point. */
function closedAt(x: number, y: number) {
  const page = Object.assign(new EventTarget(), { closest: () => null });
  ignoreSecondPress({ clientX: x, clientY: y }, page as unknown as Window);
  let clicks = 0;
  page.addEventListener("click", () => void clicks++);
  /** Whether a click, of which the browser counts so many, arrives. */
  return (clientX: number, clientY: number, detail: number): boolean => {
    const before = clicks;
    const click = new Event("click", { cancelable: true });
    page.dispatchEvent(Object.assign(click, { clientX, clientY, detail }));
    assert.equal(click.defaultPrevented, clicks === before);
    return clicks > before;
  };
}

Deno.test("the second press at the place of one that closed a prompt is ignored, and a third", () => {
  const click = closedAt(300, 200);
  assert.equal(click(300, 200, 2), false);
  assert.equal(click(310, 215, 3), false, "of a trembling hand");
});

Deno.test("a quick tap at another control is no second press, though the browser counts it as one", () => {
  for (const [x, y] of [[300, 230], [260, 200], [380, 260], [0, 0]] as const) {
    const click = closedAt(300, 200);
    assert.equal(click(x, y, 2), true, `${x} ${y}`);
    assert.equal(click(300, 200, 3), true, "it ends that");
  }
});

Deno.test("a press that the browser counts as a first one goes through, wherever it is", () => {
  const click = closedAt(300, 200);
  assert.equal(click(300, 200, 1), true);
  assert.equal(click(300, 200, 2), true);
});
