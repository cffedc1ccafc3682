import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "a b.txt": "one" } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

Deno.test("ticket refuses an unknown use, a bad path and wrong JSON", async () => {
  const ask = (json: unknown) => app.call("POST", "/api/ticket", { token, json });
  await assertRefused(await ask({ path: "/a", use: "login" }), 400, "invalid_option");
  await assertRefused(await ask({ path: "/../a", use: "raw" }), 400, "invalid_path");
  await assertRefused(await ask({ path: "/a\0", use: "raw" }), 400, "invalid_path");
  await assertRefused(await ask({ path: 7, use: "raw" }), 400, "invalid_json");
  await assertRefused(await ask({ use: "raw" }), 400, "invalid_json");
});

Deno.test("a ticket opens its file without a token or cookie, again while it lasts", async () => {
  const json = { path: "/a b.txt", use: "raw" };
  const answer = await app.call("POST", "/api/ticket", { token, json });
  assert.equal(answer.status, 200);
  const auth = await answer.text();
  for (let time = 0; time < 2; time++) {
    const file = await app.call("GET", `/api/raw/a%20b.txt?auth=${auth}`);
    assert.equal(file.status, 200);
    assert.equal(await file.text(), "one");
  }
  assert.equal((await app.call("HEAD", `/api/raw/a%20b.txt?auth=${auth}`)).status, 200);
});

Deno.test("a value in ?auth= that is no ticket opens nothing, nor does it close what a cookie opens", async () => {
  const cookie = `auth=${token}`;
  const path = "/api/raw/a%20b.txt";
  const other = await (await app.call("POST", "/api/ticket", {
    token,
    json: { path: "/other.txt", use: "raw" },
  })).text();
  for (const auth of ["x", token, other]) {
    const address = `${path}?auth=${auth}`;
    await assertRefused(await app.call("GET", address), 401, "not_signed_in");
    const dead = { cookie: "auth=a.b.c" };
    await assertRefused(await app.call("GET", address, { headers: dead }), 401, "not_signed_in");
    await assertRefused(
      await app.call("POST", address, { headers: { cookie } }),
      401,
      "not_signed_in",
    );
    const file = await app.call("GET", address, { headers: { cookie } });
    assert.equal(file.status, 200);
    assert.equal(await file.text(), "one");
  }
});
