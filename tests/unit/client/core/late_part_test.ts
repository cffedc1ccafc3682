import assert from "node:assert/strict";
import { effect } from "@preact/signals";
import { LatePart, type LateState } from "../../../../lib/client/core/late_part.ts";

/** Resolves as soon as a part is as wanted. */
function until<Part>(late: LatePart<Part>, is: LateState<Part>["is"]): Promise<void> {
  return new Promise((resolve) => {
    effect(() => {
      if (late.now.value.is === is) resolve();
    });
  });
}

Deno.test("a late part that can't be loaded has failed at once, and may be wanted again", async () => {
  let calls = 0;
  const late = new LatePart(() => ++calls === 1 ? Promise.reject(new Error()) : Promise.resolve(7));
  late.want();
  await until(late, "failed");
  late.want();
  assert.equal(late.now.peek().is, "waiting");
  await until(late, "ready");
  assert.deepEqual(late.now.peek(), { is: "ready", part: 7 });
});

Deno.test("a late part that does not come in time has failed, and is shown when it comes after all", async () => {
  const arrival = Promise.withResolvers<string>();
  const late = new LatePart(() => arrival.promise, 1);
  late.want();
  await until(late, "failed");
  arrival.resolve("there");
  await until(late, "ready");
});

Deno.test("a late part is loaded once, however often it is wanted", async () => {
  let calls = 0;
  const late = new LatePart(() => Promise.resolve(++calls));
  assert.equal(late.now.peek().is, "waiting");
  late.want();
  late.want();
  await until(late, "ready");
  late.want();
  assert.deepEqual([calls, late.now.peek()], [1, { is: "ready", part: 1 }]);
});
