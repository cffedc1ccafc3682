// With two threads, too: folders that change, which each thread knows by its caches.
import assert from "node:assert/strict";
import { attack, faultOf } from "./attack.ts";
import { allOperations, openRealStage } from "./real_stage.ts";

const secondsEach = 3;
const atOnce = 6;

const stage = await openRealStage();
Deno.test.afterAll(async () => await stage[Symbol.asyncDispose]());

for (let first = 0; first < allOperations.length; first += atOnce) {
  const operations = allOperations.slice(first, first + atOnce);
  const names = operations.map(({ name }) => name).join(", ");
  Deno.test(`a folder exchanged for a link leads nothing out: ${names}`, async () => {
    const tallies = await attack(stage, operations, secondsEach);
    const faults = tallies.map(faultOf).filter((fault) => fault !== null);
    assert.equal(faults.length, 0, [...faults, ...stage.failures().slice(0, 3)].join("\n"));
  });
}
