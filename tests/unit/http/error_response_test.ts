import assert from "node:assert/strict";
import { HttpError } from "fresh";
import { DomainError } from "../../../lib/shared/errors.ts";
import { errorResponse, isUnexpected } from "../../../lib/server/http/response/error_response.ts";

const asText = new Request("http://cubby.test/api/x");
const asJson = new Request(asText, { headers: { accept: "application/json" } });

Deno.test("errorResponse() tells nothing of a failure of the server", async () => {
  const failure = new Error("ENOENT: /srv/secret/path");
  for (const req of [asText, asJson]) {
    const answer = errorResponse(failure, req);
    assert.equal(answer.status, 500);
    const body = await answer.text();
    assert.doesNotMatch(body, /secret|ENOENT|Error|at /);
  }
  assert.equal(isUnexpected(failure, asText), true);
});

Deno.test("errorResponse() is a sentence, or a code with it when JSON is accepted", async () => {
  const refusal = new DomainError("exists", 'Cannot upload "a.txt": the name is taken');
  const text = errorResponse(refusal, asText);
  assert.equal(text.status, 409);
  assert.equal(text.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(text.headers.get("cache-control"), "no-store");
  assert.equal(await text.text(), 'Cannot upload "a.txt": the name is taken\n');

  const json = errorResponse(refusal, asJson);
  assert.equal(json.headers.get("content-type"), "application/json; charset=utf-8");
  assert.deepEqual(await json.json(), { code: "exists", message: refusal.message });
  assert.equal(isUnexpected(refusal, asText), false);
});

Deno.test("errorResponse() says after how many whole seconds to come back", () => {
  const answer = errorResponse(new DomainError("throttled", "Cannot sign in", 12.1), asText);
  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get("retry-after"), "13");
  const atOnce = errorResponse(new DomainError("throttled", "Cannot sign in", 0), asText);
  assert.equal(atOnce.headers.get("retry-after"), "1");
});

Deno.test("errorResponse() speaks of the framework's refusals in the same shape", async () => {
  const codes = new Map([[404, "not_found"], [405, "method_not_allowed"], [403, "forbidden"]]);
  for (const [status, code] of codes) {
    const answer = errorResponse(new HttpError(status as 404), asJson);
    assert.equal(answer.status, status);
    assert.equal((await answer.json()).code, code);
  }
  assert.equal(errorResponse(new HttpError(418), asText).status, 500);
});

Deno.test("errorResponse() does not call a client that hung up a failure", () => {
  const gone = new AbortController();
  const req = new Request("http://cubby.test/", { signal: gone.signal });
  gone.abort();
  assert.equal(errorResponse(new Deno.errors.BadResource("gone"), req).status, 400);
  assert.equal(isUnexpected(new Deno.errors.BadResource("gone"), req), false);
});
