import assert from "node:assert/strict";
import { meterWasm } from "../../../lib/server/images/metered_wasm.ts";

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const memory = [5, 3, 1, 0, 1];
const globals = [6, 6, 1, 0x7f, 1, 0x41, 0, 0x0b];

/**
 * A module with two functions of no parameters that give a number: the first, exported as `run`,
 * and the second, which the first may call.
 */
function moduleOf(body: number[], second: number[] = [0x41, 0]): Uint8Array {
  const codes = [body, second].map((each) => [0, ...each, 0x0b]);
  const functions = codes.flatMap((code) => [code.length, ...code]);
  return Uint8Array.from([
    ...header,
    ...[1, 5, 1, 0x60, 0, 1, 0x7f],
    ...[3, 3, 2, 0, 0],
    ...memory,
    ...globals,
    ...[7, 7, 1, 3, 0x72, 0x75, 0x6e, 0, 0],
    ...[10, functions.length + 1, 2, ...functions],
  ]);
}

function runner(body: number[], steps: number, pages = 2, second?: number[]): () => number {
  const module = meterWasm(moduleOf(body, second), { calls: ["run"], steps, pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  return exports.run as () => number;
}

/** global 0 += 1, until it is `turns`; then 7. */
const counting = (turns: number) => [
  ...[0x41, 0, 0x24, 0],
  ...[0x03, 0x40, 0x23, 0, 0x41, 1, 0x6a, 0x24, 0, 0x23, 0, 0x41, turns, 0x48, 0x0d, 0, 0x0b],
  ...[0x41, 7],
];
const trap = { name: "RuntimeError", message: /unreachable/ };

Deno.test("a loop without an end is stopped", () => {
  assert.throws(runner([0x03, 0x40, 0x0c, 0, 0x0b, 0x41, 1], 100_000), trap);
});

Deno.test("a function that calls itself for ever is stopped before the stack is full", () => {
  assert.throws(runner([0x10, 1], 1_000, 2, [0x10, 1]), trap);
});

Deno.test("work within the allowance is done, and each call has all of it", () => {
  const run = runner(counting(50), 52);
  for (let call = 0; call < 5; call++) assert.equal(run(), 7);
});

Deno.test("work beyond the allowance is not done", () => {
  assert.throws(runner(counting(50), 49), trap);
});

Deno.test("memory does not grow beyond the allowance", () => {
  const grow = [0x41, 1, 0x40, 0];
  const run = runner(grow, 1_000, 3);
  assert.deepEqual([run(), run(), run()], [1, 2, -1]);
});

Deno.test("a module that is not understood is refused", () => {
  const allowance = { calls: ["run"], steps: 10, pages: 1 };
  const refused = { name: "RangeError", message: /^Cannot (meter|read) the module: / };
  const vector = moduleOf([0xfd, 0x0c]);
  assert.throws(() => meterWasm(vector, allowance), refused);
  assert.throws(() => meterWasm(moduleOf([0x41, 1]).subarray(0, 30), allowance), refused);
  const other = { ...allowance, calls: ["walk"] };
  assert.throws(() => meterWasm(moduleOf([0x41, 1]), other), refused);
});
