import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true, config: { trustedProxies: ["10.0.0.1"] } });
const open = await startApp({
  inProcess: true,
  config: { authMethod: "noauth" },
  tree: { "a.txt": "former" },
});
Deno.test.afterAll(app.close);
Deno.test.afterAll(open.close);

/** What a browser says of a form or script on another site, new and old. */
const foreign: Record<string, string>[] = [
  { "sec-fetch-site": "cross-site", origin: "http://evil.test" },
  { "sec-fetch-site": "same-site", origin: "http://evil.cubby.test" },
  { "sec-fetch-site": "cross-site" },
  { origin: "http://evil.test" },
  { origin: "http://cubby.test.evil.test" },
  { origin: "http://cubby.test:8081" },
  { origin: "null" },
];
/** What it says of our own pages; and what other clients say: nothing. */
const own: Record<string, string>[] = [
  { "sec-fetch-site": "same-origin", origin: "http://cubby.test" },
  { "sec-fetch-site": "none" },
  { origin: "http://cubby.test" },
  {},
];

Deno.test("another site cannot sign a visitor in as somebody else", async () => {
  const json = app.admin;
  for (const headers of foreign) {
    const answer = await app.call("POST", "/api/login", { json, headers });
    assert.equal(answer.headers.get("set-cookie"), null);
    await assertRefused(answer, 403, "forbidden", JSON.stringify(headers));
  }
  for (const headers of own) {
    const answer = await app.call("POST", "/api/login", { json, headers });
    await assertStatus(answer, 200, JSON.stringify(headers));
  }
});

Deno.test("behind a trusted proxy, the origin is compared with the name it is known by", async () => {
  const json = app.admin;
  const headers = { origin: "https://files.example", "x-forwarded-host": "files.example" };
  const sign = (from: string) => app.call("POST", "/api/login", { json, headers, from });
  await assertStatus(await sign("10.0.0.1"), 200);
  await assertRefused(await sign("10.0.0.2"), 403, "forbidden");
});

Deno.test("without sign-in, another site cannot write or delete through a visitor", async () => {
  const origin = "http://127.0.0.1:8080";
  const writes = [["POST", "new.txt"], ["POST", "a.txt?override=true"], ["PUT", "a.txt"]];
  writes.push(["DELETE", "a.txt"]);
  for (const headers of foreign) {
    for (const [method = "", path = ""] of writes) {
      const body = method === "DELETE" ? undefined : "x";
      const answer = await open.call(method, `/api/resources/${path}`, { headers, origin, body });
      await assertRefused(answer, 403, "forbidden", `${method} ${JSON.stringify(headers)}`);
    }
  }
  assert.equal(Deno.readTextFileSync(join(open.root, "a.txt")), "former");
  assert.deepEqual([...Deno.readDirSync(open.root)].map(({ name }) => name), ["a.txt"]);
});

Deno.test("without sign-in, a name that was made to point here is not answered (DNS rebinding)", async () => {
  for (
    const origin of ["http://evil.test", "http://evil.test:8080", "http://127.0.0.1.evil.test"]
  ) {
    for (const path of ["/api/resources/", "/api/raw/a.txt", "/health"]) {
      const answer = await open.call("GET", path, { origin });
      assert.equal(answer.status, 403, `${origin}${path}`);
      assert.doesNotMatch(await answer.text(), /former|a\.txt/);
    }
  }
  for (const origin of ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:8080"]) {
    await assertStatus(await open.call("GET", "/api/resources/", { origin }), 200, origin);
  }
});

Deno.test("no answer lets another site read it", async () => {
  const token = await app.tokenOf("admin");
  const headers = { origin: "http://evil.test", "sec-fetch-site": "cross-site" };
  const answer = await app.call("GET", "/api/resources/", { token, headers });
  assert.equal(answer.headers.get("access-control-allow-origin"), null);
  assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin");
  await answer.body?.cancel();
});
