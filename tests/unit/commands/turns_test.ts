import assert from "node:assert/strict";
import { Turns } from "../../../lib/server/commands/turns.ts";

Deno.test("Turns lets so many of a queue go at once, in their order, and no queue wait for another", async () => {
  const turns = new Turns(2);
  const log: string[] = [];
  const held = [await turns.take("a"), await turns.take("a")];
  const waiting = ["first", "second", "third"].map(async (name) => {
    using _turn = await turns.take("a");
    log.push(name);
    await new Promise((resolve) => setTimeout(resolve));
  });
  using _other = await turns.take("b");
  assert.deepEqual(log, []);

  held[0]?.[Symbol.dispose]();
  await Promise.all(waiting);
  assert.deepEqual(log, ["first", "second", "third"]);
  held[1]?.[Symbol.dispose]();
  using _again = await turns.take("a");
});
