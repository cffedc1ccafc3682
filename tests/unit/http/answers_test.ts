import assert from "node:assert/strict";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";

const given: HeadersInit[] = [
  { "Content-Type": "text/html", etag: '"a"', "Cache-Control": "no-store" },
  [["content-type", "text/html"], ["etag", '"a"'], ["cache-control", "no-store"]],
  new Headers({ "content-type": "text/html", etag: '"a"', "cache-control": "no-store" }),
];

for (
  const [name, make, type, body] of [
    ["jsonAnswer", jsonAnswer, "application/json; charset=utf-8", '"x"'],
    ["textAnswer", textAnswer, "text/plain; charset=utf-8", "x"],
  ] as const
) {
  Deno.test(`${name}() sends the given headers and status with its own type`, async () => {
    for (const headers of given) {
      const answer = make("x", { status: 202, statusText: "Taken", headers });
      const expected = [["cache-control", "no-store"], ["content-type", type], ["etag", '"a"']];
      assert.deepEqual([...answer.headers], expected);
      assert.deepEqual([answer.status, answer.statusText], [202, "Taken"]);
      assert.equal(await answer.text(), body);
    }
  });

  Deno.test(`${name}() sends each of several headers of one name`, async () => {
    const answer = make("x", { headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]] });
    assert.deepEqual(answer.headers.getSetCookie(), ["a=1", "b=2"]);
    assert.deepEqual([...make("x").headers], [["content-type", type]]);
    await answer.text();
  });
}
