import assert from "node:assert/strict";
import { acceptsJson, acceptsLines } from "../../../lib/server/http/request/accepts.ts";

function accepts(accept?: string): boolean {
  return acceptsJson(new Request("http://cubby.test/", { headers: accept ? { accept } : {} }));
}

Deno.test("acceptsJson() does not take a wildcard, a refusal or a page for it", () => {
  for (const accept of ["*/*", "text/html,*/*;q=0.8", "application/json;q=0", "application/*"]) {
    assert.equal(accepts(accept), false, accept);
  }
  assert.equal(accepts(), false);
});

Deno.test("acceptsJson() finds JSON among others", () => {
  const values = ["application/json", "text/plain, Application/JSON;q=0.5", "application/a.b+json"];
  for (const accept of values) assert.equal(accepts(accept), true, accept);
});

Deno.test("acceptsLines() wants NDJSON by name, and does not take JSON for it", () => {
  const asked = (accept: string) =>
    acceptsLines(new Request("http://cubby.test/", { headers: { accept } }));
  for (const accept of ["*/*", "application/json", "application/x-ndjson;q=0"]) {
    assert.equal(asked(accept), false, accept);
  }
  assert.equal(asked("application/json;q=0.5, application/x-ndjson"), true);
});
