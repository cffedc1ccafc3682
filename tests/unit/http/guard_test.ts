import assert from "node:assert/strict";
import { guard } from "../../../lib/server/http/middleware/guard.ts";
import { configOf, listeningLog, peerOf } from "../../support/app_parts.ts";
import { assertSecured } from "../../support/secured.ts";

const config = configOf("/nowhere", "/nowhere");

/** Fails at what Fresh fails at, and notes what reaches it. */
function fragile() {
  const seen: string[] = [];
  const handler = (req: Request): Promise<Response> => {
    const { pathname } = new URL(req.url);
    seen.push(`${req.method} ${pathname}`);
    if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(req.method)) {
      return Promise.reject(new TypeError("undefined is not a function"));
    }
    if (pathname === "/fails") return Promise.reject(new Error("a secret of the program"));
    decodeURI(pathname);
    const headers = req.method === "OPTIONS" ? { allow: "GET, OPTIONS" } : undefined;
    return Promise.resolve(new Response(null, { status: 204, headers }));
  };
  return { handler, seen };
}

Deno.test("guard() lets no malformed escape and no unknown method reach Fresh", async () => {
  const { handler, seen } = fragile();
  const guarded = guard(handler, { config, log: listeningLog() });
  const bad = await guarded(new Request("http://cubby.test/a/%ff"), peerOf());
  assert.equal(bad.status, 400);
  assertSecured(bad.headers, "escape");
  const brew = await guarded(new Request("http://cubby.test/a", { method: "BREW" }), peerOf());
  assert.equal(`${brew.status} ${brew.headers.get("allow")}`, "405 GET, HEAD, OPTIONS");
  assertSecured(brew.headers, "method");
  assert.deepEqual(seen, ["OPTIONS /a"]);
});

Deno.test("guard() answers what Fresh fails at without a word of it, and logs it", async () => {
  const log = listeningLog();
  const guarded = guard(fragile().handler, { config, log });
  const answer = await guarded(new Request("http://cubby.test/fails?auth=ticket"), peerOf());
  assert.equal(answer.status, 500);
  assertSecured(answer.headers, "failure");
  assert.doesNotMatch(await answer.text(), /secret|Error|\bat\b/);
  assert.match(log.lines.join(), /^Failed: GET \/fails: Error: a secret of the program/);
  assert.doesNotMatch(log.lines.join(), /ticket/);
});

Deno.test("guard() puts the security headers on an answer that has none", async () => {
  const guarded = guard(fragile().handler, { config, log: listeningLog() });
  const answer = await guarded(new Request("http://cubby.test/a"), peerOf());
  assert.equal(answer.status, 204);
  assertSecured(answer.headers, "answer");
});

/** The value of the header on an answer and on a refusal, which must be the same. */
async function hstsOf(
  overrides: Partial<typeof config>,
  from: string,
  headers: Record<string, string> = {},
  url = "http://cubby.test/a",
): Promise<string | null> {
  const own = { ...config, trustedProxies: ["10.0.0.1"], ...overrides };
  const guarded = guard(fragile().handler, { config: own, log: listeningLog() });
  const ask = async (url: string) => {
    const answer = await guarded(new Request(url, { headers }), peerOf({ from }));
    return answer.headers.get("strict-transport-security");
  };
  const value = await ask(url);
  assert.equal(await ask(`${url}%zz`), value);
  return value;
}

Deno.test("guard() says nothing of https unless the option is given", async () => {
  const https = { "x-forwarded-proto": "https" };
  assert.equal(await hstsOf({ cert: "/c.pem", key: "/k.pem" }, "192.0.2.1"), null);
  assert.equal(await hstsOf({}, "10.0.0.1", https), null);
});

Deno.test("guard() sends HSTS over https alone, and believes no stranger and no address", async () => {
  const https = { "x-forwarded-proto": "https" };
  const on = { hsts: 300 };
  assert.equal(await hstsOf(on, "192.0.2.1"), null);
  assert.equal(await hstsOf(on, "192.0.2.1", https), null);
  assert.equal(await hstsOf(on, "192.0.2.1", {}, "https://cubby.test/a"), null);
  assert.equal(await hstsOf(on, "10.0.0.1"), null);
  assert.equal(await hstsOf(on, "10.0.0.1", { "x-forwarded-proto": "https, http" }), null);
  assert.equal(await hstsOf(on, "10.0.0.1", https), "max-age=300");
  const own = { cert: "/c.pem", key: "/k.pem" };
  assert.equal(await hstsOf({ ...on, ...own }, "192.0.2.1"), "max-age=300");
  assert.equal(await hstsOf({ ...own, hsts: 0 }, "192.0.2.1"), "max-age=0");
});

Deno.test("guard() refuses a malformed host that a trusted proxy passes on, and no stranger's", async () => {
  const guarded = guard(fragile().handler, {
    config: { ...config, trustedProxies: ["10.0.0.1"] },
    log: listeningLog(),
  });
  for (const host of ["x/api?", "a b", "u@x", "a, b/c", "a:99999"]) {
    const ask = (from: string) =>
      guarded(
        new Request("http://cubby.test/a", { headers: { "x-forwarded-host": host } }),
        peerOf({ from }),
      );
    assert.equal((await ask("10.0.0.1")).status, 400, host);
    assert.equal((await ask("192.0.2.1")).status, 204, host);
  }
});
