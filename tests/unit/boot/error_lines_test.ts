import assert from "node:assert/strict";
import { errorLines, errorObject } from "../../../lib/server/core/log/log.ts";

const time = new Date("2026-01-31T12:00:00Z");

Deno.test("log forging: a name in an error's message does not begin a line", () => {
  const name = "a\n2026-01-31T12:00:00.000Z 200 1.0ms POST /api/login admin 10.0.0.1\x1b[2J";
  const lines = errorLines([new Error(`Cannot read "${name}"`)], time).split("\n");
  assert(lines.length > 2);
  assert.match(lines[0] ?? "", /^2026-01-31T12:00:00\.000Z Error: Cannot read "a$/);
  for (const line of lines.slice(1)) assert.match(line, /^ {4}/);
  assert(!lines.join("").includes("\x1b"));
});

Deno.test("errorLines() keeps the stack and the cause of an error", () => {
  const text = errorLines(["Failed:", new Error("x", { cause: new Error("y") })], time);
  assert.match(text, /^\S+Z Failed: Error: x\n {4}.*error_lines_test\.ts/);
  assert.match(text, /\[cause\]: Error: y/);
});

Deno.test("errorObject() is one line of JSON, with the stack apart", () => {
  const line = errorObject(["Failed:", new Error("x\u0085y", { cause: new Error("z") })], time);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f]/);
  const { time: at, level, message, stack } = JSON.parse(line);
  assert.deepEqual([at, level], ["2026-01-31T12:00:00.000Z", "error"]);
  assert.equal(message, "Failed: Error: x\u0085y");
  assert.match(stack, /error_lines_test\.ts[^]*\[cause\]: Error: z/);
});
