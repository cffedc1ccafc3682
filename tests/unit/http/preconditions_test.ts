import assert from "node:assert/strict";
import { judge, rangeApplies } from "../../../lib/server/http/request/preconditions.ts";

const modified = new Date("2024-05-06T07:08:09.750Z");
const strong = { etag: '"abc"', modified };
const weak = { etag: 'W/"abc"', modified };
const headers = (entries: Record<string, string>) => new Headers(entries);

Deno.test("judge() fails an If-Match that names another state, or a weak one", () => {
  assert.equal(judge(headers({ "if-match": '"other", "more"' }), strong), "failed");
  assert.equal(judge(headers({ "if-match": 'W/"abc"' }), weak), "failed");
  assert.equal(judge(headers({ "if-match": '"x", "abc"' }), strong), "go_on");
  assert.equal(judge(headers({ "if-match": "*" }), strong), "go_on");
});

Deno.test("judge() fails If-Unmodified-Since after a later change, unless If-Match decides", () => {
  const before = { "if-unmodified-since": "Mon, 06 May 2024 07:08:08 GMT" };
  assert.equal(judge(headers(before), strong), "failed");
  assert.equal(judge(headers({ ...before, "if-match": '"abc"' }), strong), "go_on");
  const same = { "if-unmodified-since": "Mon, 06 May 2024 07:08:09 GMT" };
  assert.equal(judge(headers(same), strong), "go_on");
});

Deno.test("judge() answers not modified to a known tag, strong or weak, in a list or as star", () => {
  for (const tag of ['"abc"', 'W/"abc"', '"x" , "abc"', "*"]) {
    assert.equal(judge(headers({ "if-none-match": tag }), strong), "not_modified", tag);
    assert.equal(judge(headers({ "if-none-match": tag }), weak), "not_modified", tag);
  }
  assert.equal(judge(headers({ "if-none-match": '"abcd", abc' }), strong), "go_on");
});

Deno.test("judge() looks at If-Modified-Since only without If-None-Match", () => {
  const since = { "if-modified-since": "Mon, 06 May 2024 07:08:09 GMT" };
  assert.equal(judge(headers(since), strong), "not_modified");
  assert.equal(judge(headers({ ...since, "if-none-match": '"other"' }), strong), "go_on");
  const earlier = { "if-modified-since": "Mon, 06 May 2024 07:08:08 GMT" };
  assert.equal(judge(headers(earlier), strong), "go_on");
  assert.equal(judge(headers({ "if-modified-since": "yesterday-ish" }), strong), "go_on");
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
