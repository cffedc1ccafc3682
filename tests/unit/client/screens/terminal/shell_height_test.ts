import assert from "node:assert/strict";
import {
  heightByKey,
  keepHeight,
  LOWEST,
  readHeight,
  USUAL,
} from "../../../../../lib/client/screens/terminal/use_shell_size.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";

Deno.test("keys change the height within its bounds", () => {
  assert.equal(heightByKey("ArrowUp", 200, 400), 224);
  assert.equal(heightByKey("ArrowDown", 150, 400), LOWEST);
  assert.equal(heightByKey("PageUp", 350, 400), 400);
  assert.equal(heightByKey("Home", 350, 400), LOWEST);
  assert.equal(heightByKey("End", 200, 400), 400);
  assert.equal(heightByKey("End", 200, 50), LOWEST);
  assert.equal(heightByKey("x", 200, 400), null);
});

Deno.test("the height is remembered, and one that makes no sense is not", () => {
  const storage = memoryStorage();
  assert.equal(readHeight(storage), USUAL);
  keepHeight(storage, 333);
  assert.equal(readHeight(storage), 333);
  for (const stored of ["-5", "many", ""]) {
    assert.equal(readHeight({ getItem: () => stored }), USUAL);
  }
});
