import assert from "node:assert/strict";
import { App } from "fresh";
import type { State } from "../../../lib/server/http/define.ts";
import { type Call, calls } from "../../../lib/server/http/calls.ts";
import type { CallMethod } from "../../../lib/server/http/openapi/call.ts";

/** An application with one address, answered by these methods. */
function appWith(
  handlers: { [method in CallMethod]?: Call["handle"] },
): (method: string) => Promise<Response> {
  const described = { id: "it", tag: "Server", summary: "", who: "anyone", answers: {} } as const;
  const declared = Object.fromEntries(
    Object.entries(handlers).map(([method, handle]) => [method, { ...described, handle }]),
  );
  const handler = new App<State>().all("/it", calls(declared)).handler();
  return (method) => handler(new Request("http://cubby.test/it", { method }));
}

Deno.test("calls() answers 405 with Allow to what it does not have", async () => {
  const ask = appWith({ GET: () => new Response("x"), PUT: () => new Response("y") });
  for (const method of ["POST", "PATCH", "DELETE"]) {
    const answer = await ask(method);
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers.get("allow"), "GET, HEAD, OPTIONS, PUT");
    assert.match(await answer.text(), new RegExp(`^Cannot answer ${method} here`));
  }
});

Deno.test("calls() has no HEAD without a GET", async () => {
  const answer = await appWith({ POST: () => new Response("x") })("HEAD");
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get("allow"), "OPTIONS, POST");
});

Deno.test("calls() answers OPTIONS without running anything", async () => {
  const answer = await appWith({ DELETE: () => Promise.reject(new Error("ran")) })("OPTIONS");
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get("allow"), "DELETE, OPTIONS");
  assert.equal(answer.body, null);
});

Deno.test("calls() gives HEAD the headers of GET and lets go of its body", async () => {
  let cancelled = false;
  const ask = appWith({
    GET: () =>
      new Response(new ReadableStream({ cancel: () => void (cancelled = true) }), {
        status: 203,
        headers: { "content-length": "5", "x-kept": "yes" },
      }),
  });
  const answer = await ask("HEAD");
  assert.equal(answer.status, 203);
  assert.equal(answer.headers.get("content-length"), "5");
  assert.equal(answer.headers.get("x-kept"), "yes");
  assert.equal(answer.body, null);
  assert.equal(cancelled, true);
});

Deno.test("calls() hands a request to its method", async () => {
  const ask = appWith({ GET: () => new Response("got"), DELETE: () => new Response("gone") });
  assert.equal(await (await ask("GET")).text(), "got");
  assert.equal(await (await ask("DELETE")).text(), "gone");
});
