import assert from "node:assert/strict";
import { afterSignIn, toSignIn } from "../../../../lib/server/http/pages/redirects.ts";
import { character, fc } from "../../../support/run/property.ts";

type Asking = Parameters<typeof afterSignIn>[0];

function asking(address: string, basePath = ""): Asking {
  const url = new URL(address, "http://cubby.test");
  return { url, config: { basePath, root: ".", mode: "production", trustProxy: false } };
}

function after(redirect: string, basePath = ""): string {
  return afterSignIn(asking(`${basePath}/login?${new URLSearchParams({ redirect })}`, basePath));
}

Deno.test("signing in does not lead to another site (open redirect, CWE-601)", () => {
  const elsewhere = [
    "//evil.test/files/",
    "/\\evil.test/files/",
    "/\t/evil.test/files/",
    "/\n/evil.test",
    "\\\\evil.test",
    "https://evil.test/files/",
    "https:evil.test",
    "javascript:alert(1)",
    "data:text/html,x",
    "/..//evil.test",
    "/.//evil.test",
    " //evil.test",
    "files/photos",
    "",
  ];
  for (const wanted of elsewhere) assert.equal(after(wanted), "/files/", JSON.stringify(wanted));
});

Deno.test("whatever the address says, signing in leads below the base URL of this site", () => {
  const wanted = fc.oneof(
    fc.webUrl(),
    fc.string({ unit: fc.constantFrom(..."/\\.:@%\t\n a?#evil") }),
    fc.string({ unit: character }),
  );
  fc.assert(fc.property(wanted, (redirect) => {
    const target = new URL(after(redirect, "/base"), "http://cubby.test");
    assert.equal(target.origin, "http://cubby.test");
    assert.ok(target.pathname.startsWith("/base/"));
  }));
});

Deno.test("signing in does not lead out of the base URL, nor back to itself", () => {
  assert.equal(after("/other/", "/base"), "/base/files/");
  assert.equal(after("/base/../other", "/base"), "/base/files/");
  assert.equal(after("/login?redirect=/login"), "/files/");
});

Deno.test("signing in leads back to the address that was asked for, its query and escapes included", () => {
  assert.equal(after("/files/a%20b/c%23?x=1#y"), "/files/a%20b/c%23?x=1#y");
  assert.equal(after("/base/files/", "/base"), "/base/files/");
});

Deno.test("who has to sign in first is led back afterwards", () => {
  const answer = toSignIn(asking("/base/files/50%25/?x=1", "/base"));
  assert.equal(answer.status, 302);
  const location = answer.headers.get("location") ?? "";
  assert.ok(location.startsWith("/base/login?"));
  assert.equal(afterSignIn(asking(location, "/base")), "/base/files/50%25/?x=1");
});
