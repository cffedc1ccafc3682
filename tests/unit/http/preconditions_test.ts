import assert from "node:assert/strict";
import {
  evaluateConditions,
  rangeApplies,
} from "../../../lib/server/http/request/preconditions.ts";

const modified = new Date("2024-05-06T07:08:09.750Z");
const strong = { etag: '"abc"', modified };
const weak = { etag: 'W/"abc"', modified };
const headers = (entries: Record<string, string>) => new Headers(entries);

Deno.test("evaluateConditions() fails an If-Match that names another state, or a weak one", () => {
  assert.equal(evaluateConditions(headers({ "if-match": '"other", "more"' }), strong), "failed");
  assert.equal(evaluateConditions(headers({ "if-match": 'W/"abc"' }), weak), "failed");
  assert.equal(evaluateConditions(headers({ "if-match": '"x", "abc"' }), strong), "proceed");
  assert.equal(evaluateConditions(headers({ "if-match": "*" }), strong), "proceed");
});

Deno.test("evaluateConditions() fails If-Unmodified-Since after a later change, unless If-Match decides", () => {
  const before = { "if-unmodified-since": "Mon, 06 May 2024 07:08:08 GMT" };
  assert.equal(evaluateConditions(headers(before), strong), "failed");
  assert.equal(evaluateConditions(headers({ ...before, "if-match": '"abc"' }), strong), "proceed");
  const same = { "if-unmodified-since": "Mon, 06 May 2024 07:08:09 GMT" };
  assert.equal(evaluateConditions(headers(same), strong), "proceed");
});

Deno.test("evaluateConditions() answers not modified to a known tag, strong or weak, in a list or as star", () => {
  for (const tag of ['"abc"', 'W/"abc"', '"x" , "abc"', "*"]) {
    assert.equal(
      evaluateConditions(headers({ "if-none-match": tag }), strong),
      "not_modified",
      tag,
    );
    assert.equal(evaluateConditions(headers({ "if-none-match": tag }), weak), "not_modified", tag);
  }
  assert.equal(evaluateConditions(headers({ "if-none-match": '"abcd", abc' }), strong), "proceed");
});

Deno.test("evaluateConditions() looks at If-Modified-Since only without If-None-Match", () => {
  const since = { "if-modified-since": "Mon, 06 May 2024 07:08:09 GMT" };
  assert.equal(evaluateConditions(headers(since), strong), "not_modified");
  assert.equal(
    evaluateConditions(headers({ ...since, "if-none-match": '"other"' }), strong),
    "proceed",
  );
  const earlier = { "if-modified-since": "Mon, 06 May 2024 07:08:08 GMT" };
  assert.equal(evaluateConditions(headers(earlier), strong), "proceed");
  assert.equal(
    evaluateConditions(headers({ "if-modified-since": "yesterday-ish" }), strong),
    "proceed",
  );
});

Deno.test("rangeApplies() wants this very state", () => {
  assert.equal(rangeApplies(headers({}), strong), true);
  assert.equal(rangeApplies(headers({ "if-range": '"abc"' }), strong), true);
  assert.equal(rangeApplies(headers({ "if-range": '"other"' }), strong), false);
  assert.equal(rangeApplies(headers({ "if-range": 'W/"abc"' }), weak), false);
  const date = (text: string) => headers({ "if-range": text });
  assert.equal(rangeApplies(date("Mon, 06 May 2024 07:08:09 GMT"), strong), true);
  assert.equal(rangeApplies(date("Mon, 06 May 2024 07:08:10 GMT"), strong), false);
  assert.equal(rangeApplies(date("nonsense"), strong), false);
});
