import assert from "node:assert/strict";
import { App, csp, csrf, type CsrfOptions, trailingSlashes } from "fresh";
import { sender } from "./support/project.ts";

const ORIGIN = "http://files.example";

function guarded(options?: CsrfOptions) {
  return sender(new App().use(csrf(options)).all("/", () => new Response("ok")), ORIGIN);
}

Deno.test("csrf() refuses what another site's page sends (CWE-352)", async () => {
  const send = guarded();
  const forged: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "http://other.files.example" },
    { origin: "https://evil.example" },
    { origin: "null" },
  ];
  for (const headers of forged) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      assert.equal((await send("/", { method, headers })).status, 403, JSON.stringify(headers));
    }
  }
});

Deno.test("csrf() lets the site itself, safe methods and programs pass", async () => {
  const send = guarded();
  const own: Record<string, string>[] = [
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { origin: ORIGIN },
    { "sec-fetch-site": "cross-site", origin: ORIGIN },
  ];
  for (const headers of own) {
    assert.equal((await send("/", { method: "POST", headers })).status, 200);
  }
  const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    assert.equal((await send("/", { method, headers })).status, 200);
  }
});

Deno.test("csrf() believes the origins it is told", async () => {
  const allowed = "https://app.example";
  const options: CsrfOptions[] = [
    { origin: allowed },
    { origin: ["https://x.example", allowed] },
    { origin: (origin, ctx) => origin === allowed && ctx.url.pathname === "/" },
  ];
  for (const option of options) {
    const send = guarded(option);
    const post = (origin: string) => send("/", { method: "POST", headers: { origin } });
    assert.equal((await post(allowed)).status, 200);
    assert.equal((await post(ORIGIN)).status, 403);
  }
});

Deno.test("csp() sends its defaults, replaced by directives of the same name", async () => {
  const send = sender(
    new App().use(csp({ csp: ["img-src 'self'", "script-src-attr 'none'"] }))
      .get("/", () => new Response()),
  );
  const policy = (await send("/")).headers.get("content-security-policy")?.split("; ") ?? [];
  assert.ok(policy.includes("default-src 'self'"));
  assert.ok(policy.includes("script-src-attr 'none'"));
  assert.deepEqual(policy.filter((one) => one.startsWith("img-src")), ["img-src 'self'"]);
});

Deno.test("csp() only reports when asked to, and says where", async () => {
  const send = sender(
    new App().use(csp({ reportOnly: true, reportTo: "/reports" })).get("/", () => new Response()),
  );
  const { headers } = await send("/");
  assert.equal(headers.get("content-security-policy"), null);
  assert.match(
    headers.get("content-security-policy-report-only") ?? "",
    /report-to csp-endpoint; report-uri \/reports$/,
  );
  assert.equal(headers.get("reporting-endpoints"), 'csp-endpoint="/reports"');
});

Deno.test("csp() can allow the scripts of a rendered page by nonce", async () => {
  const app = new App()
    .use(csp({ useNonce: true }))
    .get("/page", (ctx) => ctx.render(null))
    .get("/text", () => new Response());
  const send = sender(app);
  const page = await send("/page");
  const nonce = Reflect.get(page, Symbol.for("__freshNonce"));
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.ok(policy.includes(`script-src 'self' 'nonce-${nonce}'`), policy);
  assert.ok(!policy.includes("unsafe-inline"), policy);
  assert.match((await send("/text")).headers.get("content-security-policy") ?? "", /unsafe-inline/);
});

Deno.test("trailingSlashes() redirects to the one form of a path and keeps the query", async () => {
  const always = sender(new App().use(trailingSlashes("always")).get("/a", () => new Response()));
  assert.equal((await always("/a?q=1")).headers.get("location"), "/a/?q=1");
  assert.equal((await always("/a/")).status, 200);
  const never = sender(new App().use(trailingSlashes("never")).get("/a", () => new Response()));
  assert.equal((await never("/a/?q=1")).headers.get("location"), "/a?q=1");
  assert.equal((await never("/a")).status, 200);
  assert.equal((await never("/")).headers.get("location"), null);
});
