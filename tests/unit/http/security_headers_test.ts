import assert from "node:assert/strict";
import { App } from "fresh";
import { h } from "preact";
import {
  type OtherSources,
  securityHeaders,
  withSecurityHeaders,
} from "../../../lib/server/http/middleware/security_headers.ts";

Deno.test("withSecurityHeaders() allows nothing to an answer that is no page", () => {
  const { headers } = withSecurityHeaders(Response.json({}));
  assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none';/);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("x-frame-options"), "SAMEORIGIN");
  assert.equal(headers.get("referrer-policy"), "same-origin");
});

Deno.test("withSecurityHeaders() leaves a stricter policy as it is", () => {
  const file = new Response("<script>", {
    headers: { "content-type": "text/html", "content-security-policy": "sandbox" },
  });
  assert.equal(withSecurityHeaders(file).headers.get("content-security-policy"), "sandbox");
});

Deno.test("a page's policy lets run its own scripts and those with its nonce, no other", async () => {
  const app = new App<{ others?: OtherSources }>().use(securityHeaders)
    .get("/", (ctx) => ctx.render(h("style", null, "p { color: red }")));
  const page = await app.handler()(new Request("http://cubby.test/"));
  const [, nonce] = / nonce="([^"]+)"/.exec(await page.text()) ?? [];
  assert.ok(nonce);

  const policy = page.headers.get("content-security-policy") ?? "";
  assert.ok(policy.includes(`script-src 'self' 'nonce-${nonce}';`), policy);
  assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}';`), policy);
  assert.doesNotMatch(policy, /unsafe|upgrade-insecure-requests|\*/);
});

Deno.test("a page without a nonce runs our own scripts alone", () => {
  const page = new Response("<p>", { headers: { "content-type": "text/html; charset=utf-8" } });
  const policy = withSecurityHeaders(page).headers.get("content-security-policy") ?? "";
  assert.ok(policy.includes("script-src 'self';"), policy);
});
