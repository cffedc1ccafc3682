import assert from "node:assert/strict";
import { matches, readExamples } from "../../support/data/examples.ts";

const page = [
  "Some text.",
  "```console",
  "$ curl -i \\",
  "  http://a.test",
  "HTTP/1.1 200 OK",
  'ETag: "a-1-b"',
  "",
  '{"total":5}',
  "",
  "$ echo …",
  "```",
  "$ not this",
].join("\n");
const printed = 'HTTP/1.1 200 OK\ndate: today\netag: "c-2-d"\n\n{"total":1234}\n';

Deno.test("examples are read from console blocks, with what they print", () => {
  const [first, second, ...more] = readExamples(page);
  assert.equal(first?.command, "curl -i \\\n  http://a.test");
  assert.equal(first?.line, 3);
  assert.equal(second?.command, "echo …");
  assert.deepEqual(more, []);
});

Deno.test("what is printed matches whatever the page leaves out, and what always differs", () => {
  const [example] = readExamples(page);
  assert.ok(example && matches(printed, example));
});

Deno.test("an id with two hyphens is not taken for a tag", () => {
  const id = "jGhfq8TD06INMuy89pod-VjeoBS-QZG6RfIbCp3awVI";
  const example = { line: 1, command: "curl", printed: '[{"id":"…"}]\n' };
  assert.ok(matches(`[{"id":"${id}"}]\n`, example));
});

Deno.test("another status, header or body does not match", () => {
  const [example] = readExamples(page);
  assert.ok(example);
  for (const [from, to] of [["200 OK", "201 OK"], ["etag", "x-tag"], ["total", "sum"]] as const) {
    assert.ok(!matches(printed.replace(from, to), example), to);
  }
  assert.ok(!matches(`${printed}more`, example));
});
