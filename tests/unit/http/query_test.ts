import assert from "node:assert/strict";
import { countOption, flagOption, sortingOption } from "../../../lib/server/http/request/query.ts";

const query = (text: string) => new URLSearchParams(text);
const stored = { by: "size", asc: false } as const;

Deno.test("countOption() refuses what is no whole number", () => {
  for (const text of ["-1", "1.5", "1e3", "x", " 1", "9999999999999999"]) {
    const wrong = new URLSearchParams({ limit: text });
    assert.throws(() => countOption(wrong, "limit"), { code: "invalid_option" }, text);
  }
});

Deno.test("sortingOption() refuses an unknown order", () => {
  assert.throws(() => sortingOption(query("sort=colour"), stored), { code: "invalid_option" });
  assert.throws(() => sortingOption(query("order=up"), stored), { code: "invalid_option" });
});

Deno.test("options are read, and fall back to what is stored", () => {
  assert.equal(countOption(query("limit=50"), "limit"), 50);
  assert.equal(countOption(query("limit="), "limit"), undefined);
  assert.equal(countOption(query(""), "limit"), undefined);
  assert.deepEqual(sortingOption(query(""), stored), stored);
  assert.deepEqual(sortingOption(query("order=asc"), stored), { by: "size", asc: true });
  assert.deepEqual(sortingOption(query("sort=name"), stored), { by: "name", asc: false });
  assert.equal(flagOption(query("override=true"), "override"), true);
  for (const no of ["", "override", "override=1", "override=false"]) {
    assert.equal(flagOption(query(no), "override"), false, no);
  }
});
