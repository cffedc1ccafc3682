import assert from "node:assert/strict";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import type { Rule } from "../../../lib/shared/schemas/rights.ts";
import { manyFilesBody, receivedCodes } from "../../support/data/many_files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { allow, deny, denyMatching } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    secret: { "a.txt": "1", open: { "b.txt": "2" } },
    secretary: { "c.txt": "3" },
    "key.pem": "4",
    [`${"a".repeat(60)}!`]: "5",
    ".hidden": { "d.txt": "6" },
    plain: { ".env": "7", "e.txt": "8" },
  },
});
Deno.test.afterAll(app.close);

let count = 0;
/** Asks as a new user under these rules. */
async function under(rules: Rule[], hideDotfiles = false) {
  const { token } = await app.addUser(`user ${++count}`, { rules, hideDotfiles });
  return (path: string, method = "GET", body?: string) => app.call(method, path, { token, body });
}

Deno.test("a denied path is not reached by another spelling of it", async () => {
  const ask = await under([deny("/secret")]);
  const spellings = ["/secret", "/secret/", "//secret", "/secret//a.txt", "/secret/a.txt/"];
  spellings.push("/%73ecret/a.txt", "/./secret/a.txt", "/plain/../secret/a.txt", "/secret/none");
  for (const path of spellings) {
    const calls = [
      "resources",
      "raw",
      "usage",
      "subtitle",
      "preview/thumb",
      "preview/big",
      "archive",
    ];
    for (const call of calls) {
      await assertRefused(await ask(`/api/${call}${path}`), 403, "forbidden", `${call}${path}`);
      await assertStatus(await ask(`/api/${call}${path}`, "HEAD"), 403, `${call}${path}`);
    }
    for (const query of ["search@?query=a", "resources@?checksum=md5", "raw@?algo=tar"]) {
      await assertRefused(await ask(`/api/${query.replace("@", path)}`), 403, "forbidden", query);
    }
    await assertStatus(await ask(`/api/resources${path}`, "DELETE"), 403, path);
    await assertStatus(await ask(`/api/resources${path}`, "PUT"), 403, path);
    await assertStatus(await ask(`/api/resources${path}`, "POST"), 403, path);
  }
});

Deno.test("a denied path is not written by another spelling of it in a list of many files", async () => {
  const ask = await under([deny("/secret"), denyMatching("\\.pem$")], true);
  const paths = ["secret/n.txt", "/secret/n.txt", "//secret//n.txt", "secret/a.txt", "plain/n.pem"];
  const many = [...paths, ".hidden/n.txt", "plain/.n"].map((path) => ({ path, text: "x" }));
  for (const override of [false, true]) {
    const body = manyFilesBody(many.map((file) => ({ ...file, override, resent: true })));
    const codes = await receivedCodes(await ask("/api/uploads/", "POST", body));
    assert.deepEqual(new Set(codes), new Set(["forbidden"]));
  }
  const below = manyFilesBody([{ path: "n.txt", text: "x" }]);
  assert.deepEqual(await receivedCodes(await ask("/api/uploads/secret/", "POST", below)), [
    "forbidden",
  ]);
});

Deno.test("a denied path is not reached in other letters, on no kind of disk", async () => {
  const ask = await under([deny("/secret")]);
  for (const path of ["/SECRET/a.txt", "/Secret/a.txt", "/\u017fecret/a.txt", "/secret./a.txt"]) {
    const answer = await ask(`/api/raw${encodeURI(path)}`);
    assert.ok([403, 404].includes(answer.status), `${path} ${answer.status}`);
    await answer.body?.cancel();
  }
});

Deno.test("a rule counts however its own path is spelled", async () => {
  for (const path of ["secret", "/secret/", "//secret", "/secret"]) {
    const ask = await under([deny(path)]);
    await assertRefused(await ask("/api/raw/secret/a.txt"), 403, "forbidden", path);
  }
});

Deno.test("a rule reaches whole segments only, and an empty one nothing", async () => {
  const ask = await under([deny("/secret"), deny("")]);
  await assertStatus(await ask("/api/raw/secretary/c.txt"), 200);
  await assertStatus(await ask("/api/raw/plain/e.txt"), 200);
});

Deno.test("the last rule that matches wins, the user's after the global ones", async () => {
  const ask = await under([deny("/secret"), allow("/secret/open")]);
  await assertStatus(await ask("/api/raw/secret/open/b.txt"), 200);
  await assertStatus(await ask("/api/raw/secret/a.txt"), 403);
  const reversed = await under([allow("/secret/open"), deny("/secret")]);
  await assertStatus(await reversed("/api/raw/secret/open/b.txt"), 403);
});

Deno.test("a denied entry is missing from listings and counts", async () => {
  const ask = await under([deny("/secret"), denyMatching("\\.pem$")]);
  const resource: Resource = await (await ask("/api/resources/")).json();
  const names = resource.items?.map(({ name }) => name) ?? [];
  assert.ok(!names.includes("secret") && !names.includes("key.pem"));
  assert.equal((resource.numDirs ?? 0) + (resource.numFiles ?? 0), names.length);
  await assertStatus(await ask("/api/raw/key.pem"), 403);
});

Deno.test("hidden names are hidden at any depth, and neither made nor removed", async () => {
  const ask = await under([], true);
  for (const path of ["/.hidden", "/.hidden/d.txt", "/plain/.env", "/plain/.new", "/.none/x"]) {
    await assertRefused(await ask(`/api/resources${path}`), 403, "forbidden", path);
    await assertStatus(await ask(`/api/raw${path}`), 403, path);
    await assertStatus(await ask(`/api/resources${path}`, "POST"), 403, path);
    await assertStatus(await ask(`/api/resources${path}`, "DELETE"), 403, path);
  }
  const resource: Resource = await (await ask("/api/resources/plain")).json();
  assert.deepEqual(resource.items?.map(({ name }) => name), ["e.txt"]);
});

Deno.test("no regular expression of a rule holds the server up", async () => {
  const bombs = ["^/(a+)+$", "^/(a|a)+$", "^/(.*a){25}$", "^/(([a-z])+.)+[A-Z]([a-z])+$"];
  const ask = await under(bombs.map(denyMatching));
  const start = performance.now();
  await assertStatus(await ask(`/api/raw/${"a".repeat(60)}!`), 200);
  await assertStatus(await ask(`/api/resources/${"a".repeat(200)}!`), 404);
  await assertStatus(await ask("/api/resources/"), 200);
  assert.ok(performance.now() - start < 10_000);
});
