import assert from "node:assert/strict";
import { DomainError } from "../../../lib/shared/errors.ts";
import { type LoggedContext, requestLog } from "../../../lib/server/http/middleware/request_log.ts";
import type { LoggedRequest } from "../../../lib/server/core/log/log.ts";
import { HttpError } from "fresh";

function context(next: LoggedContext["next"]): { ctx: LoggedContext; logged: LoggedRequest[] } {
  const logged: LoggedRequest[] = [];
  const log = { request: (entry: LoggedRequest) => void logged.push(entry), line() {}, close() {} };
  const url = new URL("http://h/api/raw/a%0Ab.txt?auth=secret-ticket");
  const ctx = { req: new Request(url), url, route: null, state: { cubby: { log } }, next };
  return { ctx, logged };
}

Deno.test("requestLog() never tells the query: tickets and tokens are in it", async () => {
  const { ctx, logged } = context(() => Promise.resolve(new Response(null, { status: 204 })));
  await requestLog(ctx);
  assert.equal(logged[0]?.path, "/api/raw/a%0Ab.txt");
  assert(!JSON.stringify(logged).includes("secret"));
});

Deno.test("requestLog() logs a failing request with its status, and lets the error pass", async () => {
  const refusal = new DomainError("throttled", "Cannot sign in: too many attempts");
  const errors = [[new HttpError(403), 403], [refusal, 429], [new Error("x"), 500]] as const;
  for (const [error, status] of errors) {
    const { ctx, logged } = context(() => Promise.reject(error));
    await assert.rejects(() => requestLog(ctx), error);
    assert.equal(logged[0]?.status, status);
  }
});

Deno.test("requestLog() logs who asked, as the middlewares behind it found out", async () => {
  const { ctx, logged } = context(() => {
    ctx.state.address = "192.0.2.7";
    ctx.state.signedIn = { user: { username: "alice" } };
    return Promise.resolve(new Response("x", { status: 201 }));
  });
  await requestLog(ctx);
  const [{ ms, ...entry } = { ms: -1 }] = logged;
  assert.deepEqual(entry, {
    status: 201,
    method: "GET",
    path: "/api/raw/a%0Ab.txt",
    user: "alice",
    address: "192.0.2.7",
  });
  assert(ms >= 0 && ms < 1000);
});
