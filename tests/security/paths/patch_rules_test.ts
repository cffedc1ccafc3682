import assert from "node:assert/strict";
import { join } from "node:path";
import type { Rule } from "../../../lib/shared/schemas/rights.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny, denyMatching } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    secret: { "a.txt": "SECRET" },
    plain: { "e.txt": "8", ".env": "7", deep: { secret: { "k.pem": "KEY" } } },
    target: { deep: { secret: { "k.pem": "former" } } },
  },
});
Deno.test.afterAll(app.close);

let count = 0;
/** Copies and moves as a new user under these rules, and asserts that nothing of it is done. */
async function refused(rules: Rule[], transfers: [string, string][], hideDotfiles = false) {
  const { token } = await app.addUser(`user ${++count}`, { rules, hideDotfiles });
  const before = [...all(app.root)];
  for (const [from, to] of transfers) {
    for (const action of ["copy", "rename"]) {
      for (const options of ["", "&override=true", "&rename=true"]) {
        const query = `action=${action}&destination=${encodeURIComponent(to)}${options}`;
        const answer = await app.call("PATCH", `/api/resources${from}?${query}`, { token });
        await assertRefused(answer, 403, "forbidden", `${from} ${query}`);
      }
    }
  }
  assert.deepEqual([...all(app.root)], before);
}

function* all(folder: string): Iterable<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    yield isDirectory ? path : `${path}: ${Deno.readTextFileSync(path)}`;
    if (isDirectory) yield* all(path);
  }
}

Deno.test("a denied entry is not brought to where it may be read", async () => {
  await refused([deny("/secret")], [
    ["/secret", "/open"],
    ["/secret/a.txt", "/open.txt"],
    ["/secret/", "/plain/open"],
    ["/%73ecret/a.txt", "/open.txt"],
    ["/secret/none", "/open.txt"],
  ]);
  await refused([denyMatching("\\.pem$")], [["/plain/deep/secret/k.pem", "/k.txt"]]);
});

Deno.test("a denied entry is not brought along with a folder above it", async () => {
  await refused([deny("/plain/deep/secret")], [["/plain", "/open"], ["/plain/deep", "/open"]]);
  await refused([denyMatching("\\.pem$")], [["/plain", "/open"], ["/plain/deep/secret", "/open"]]);
  await refused([], [["/plain", "/open"]], true);
});

Deno.test("nothing is planted where a rule denies it, nor deeper with a folder above", async () => {
  await refused([deny("/open")], [["/plain/e.txt", "/open"], ["/plain", "/open/x/y"]]);
  await refused([deny("/open/deep/secret")], [["/plain", "/open"], [
    "/plain/deep",
    "/open/deep",
  ]]);
  await refused([denyMatching("^/open/.*pem$")], [["/plain", "/open/a"], ["/plain", "/open"]]);
  await refused([], [["/plain/e.txt", "/.hidden"], ["/plain/e.txt", "/.x/e.txt"]], true);
});

Deno.test("a denied entry is not replaced by merging a folder over the one above it", async () => {
  const { token } = await app.addUser("merger", { rules: [deny("/target/deep/secret")] });
  for (const action of ["copy", "rename"]) {
    const query = `action=${action}&destination=/target&override=true`;
    const answer = await app.call("PATCH", `/api/resources/plain?${query}`, { token });
    await assertRefused(answer, 403, "forbidden", action);
  }
  assert.equal(
    Deno.readTextFileSync(join(app.root, "target/deep/secret/k.pem")),
    "former",
  );
});

Deno.test("a number behind a name does not make a denied name of it", async () => {
  await Deno.mkdir(join(app.root, "open"));
  const { token } = await app.addUser("counter", { rules: [deny("/open(1)")] });
  const query = "action=copy&destination=/open&rename=true";
  const answer = await app.call("PATCH", `/api/resources/plain?${query}`, { token });
  await assertRefused(answer, 403, "forbidden");
  await assertStatus(await app.call("DELETE", "/api/resources/open", { token }), 200);
});

Deno.test("names of our own temporary files are nobody's to copy to or from", async () => {
  const name = `.cubby-upload-${"0".repeat(32)}`;
  await Deno.writeTextFile(join(app.root, name), "half an upload");
  await refused([], [[`/${name}`, "/open"], ["/plain/e.txt", `/.cubby-upload-${"1".repeat(32)}`]]);
  await Deno.remove(join(app.root, name));
});
