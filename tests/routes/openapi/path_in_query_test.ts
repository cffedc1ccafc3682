/** A path in `?path=`, for generated clients, which encode the slashes of one in an address. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findCalls } from "../../../lib/server/http/find_calls.ts";
import { apiDocument } from "../../../lib/server/http/openapi/document.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { namePathInAddress } from "../../../lib/server/http/request/request_path.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const odd = "#%?日本 \\`+&=.txt";
const app = await startApp({
  tree: {
    home: {
      "a.txt": "one",
      [odd]: "odd",
      "ä b": { "c d.txt": "nested" },
      denied: { "x.txt": "x" },
    },
    other: { "secret.txt": "SECRET" },
  },
});
Deno.test.afterAll(app.close);
const rules = [{ regex: false, allow: false, path: "/denied", regexp: { raw: "" } }];
const { user, token } = await app.addUser("ada", { scope: "/home", rules });
const send = (method: string, address: string, options = {}) =>
  app.call(method, `/api/${address}`, { token, ...options });

Deno.test("a path in the query that climbs or can't be read is refused, and nothing is touched", async () => {
  const climbing = [
    "../other/secret.txt",
    "..%2Fother%2Fsecret.txt",
    "%2e%2e/other",
    "a/./b",
    "..",
  ];
  const malformed = ["x%00.txt", "x%", "x%zz", "%c0%af", "%ff", "%ed%a0%80"];
  for (const path of [...climbing, ...malformed]) {
    for (const method of ["GET", "PUT", "POST", "DELETE"]) {
      const answer = await send(method, `resources?path=${path}`);
      await assertRefused(answer, 400, "invalid_path", `${method} ${path}`);
    }
  }
  // Where the query leads to no other call and no page.
  for (const path of ["../../login", "/../../../health", "..%5C..%5Clogin"]) {
    const answer = await send("GET", `raw/?path=${path}`);
    assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
  }
  assert.equal(Deno.readTextFileSync(join(app.root, "other/secret.txt")), "SECRET");
});

Deno.test("rules, scope and permissions hold for a path in the query", async () => {
  await assertStatus(await send("GET", "raw?path=denied/x.txt"), 403);
  await assertStatus(await send("DELETE", "resources?path=/denied"), 403);
  await assertStatus(await send("GET", "raw?path=other/secret.txt"), 404);
  await assertStatus(await send("GET", "raw?path=a.txt", { token: undefined }), 401);
  const { token: reader } = await app.addUser("bob", { scope: "/home", perm: { delete: false } });
  await assertStatus(await send("DELETE", "resources?path=a.txt", { token: reader }), 403);
});

Deno.test("a ticket and an API token with a folder are bound to the path in the query", async () => {
  const ticket = await send("POST", "ticket", { json: { path: "/a.txt", use: "raw" } });
  const auth = await ticket.text();
  const as = { token: undefined };
  const other = `raw?auth=${auth}&path=${encodeURIComponent(odd)}`;
  await assertStatus(await send("GET", other, as), 401);
  await assertStatus(await send("GET", `raw?auth=${auth}&path=a.txt`, as), 200);

  const draft = { name: "x", write: false, share: false, expires: null };
  const place = parsePath("/home/ä b").path;
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, place);
  const bound = { token: secret };
  await assertStatus(await send("GET", "raw?path=a.txt", bound), 403);
  await assertStatus(await send("GET", "raw?path=%C3%A4+b/c+d.txt", bound), 200);
});

Deno.test("the path in the query is that of the address, for every call", async () => {
  const nested = encodeURIComponent("ä b/c d.txt");
  assert.equal(await (await send("GET", `raw?path=${nested}`)).text(), "nested");
  assert.equal(
    await (await send("GET", "raw/?inline=true&path=%C3%A4+b%2Fc+d.txt")).text(),
    "nested",
  );
  assert.equal(await (await send("GET", `raw/?path=${encodeURIComponent(odd)}`)).text(), "odd");

  const listing = await (await send("GET", "resources?path=/%C3%A4%20b/")).json();
  assert.deepEqual(listing.items.map(({ name }: { name: string }) => name), ["c d.txt"]);

  const body = "new";
  await assertStatus(await send("POST", "resources?path=new/deep/", {}), 200);
  await assertStatus(
    await send("POST", `resources?path=new/deep/${encodeURIComponent(odd)}`, { body }),
    200,
  );
  const to = encodeURIComponent("/new/moved.txt");
  const query = `path=new/deep/${encodeURIComponent(odd)}&action=rename&destination=${to}`;
  await assertStatus(await send("PATCH", `resources?${query}`), 200);
  assert.equal(Deno.readTextFileSync(join(app.root, "home/new/moved.txt")), "new");
  await assertStatus(await send("DELETE", "resources?path=new"), 200);

  const share = await (await send("POST", "share?path=%C3%A4%20b", { json: {} })).json();
  const visited = await send("GET", `public/dl?path=${share.hash}/c%20d.txt`, { token: undefined });
  assert.equal(await visited.text(), "nested");
});

Deno.test("an address that names an entry is about that entry, whatever the query has", async () => {
  assert.equal(await (await send("GET", "raw/a.txt?path=other")).text(), "one");
  await assertStatus(await send("GET", "sessions?path=a.txt"), 200);
});

Deno.test("every call that the document has with a path takes it in the query", async () => {
  const calls = await findCalls(new URL("../../../routes/", import.meta.url));
  const { paths } = apiDocument("http://cubby.test/base", calls);
  const withPath = Object.keys(paths).filter((path) => path.endsWith("{path}"));
  assert.ok(withPath.length > 20, withPath.join(" "));
  for (const template of withPath) {
    const call = template.replace("{size}", "thumb").replace("{part}", "hls")
      .replace("{path}", "");
    const req = new Request(`http://cubby.test/base${call}?path=a%20b/c`);
    namePathInAddress(req, "/base");
    assert.equal(new URL(req.url).pathname, `/base${call}a%20b/c`, template);
    for (const operation of Object.values(paths[template] ?? {})) {
      const { $ref } = parameterNamed("PathInQuery");
      const names = operation.parameters?.map((each) => "$ref" in each ? each.$ref : each.name);
      assert.ok(names?.includes($ref), operation.operationId);
    }
  }
});
