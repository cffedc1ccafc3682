import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { home: { "a.txt": "a", sub: { "b.txt": "b" } }, other: { "secret.txt": "SECRET" } },
});
Deno.test.afterAll(app.close);
const { token } = await app.addUser("ada", { scope: "/home" });
const patch = (from: string, query: string) =>
  app.call("PATCH", `/api/resources${from}?${query}`, { token });

function assertUntouched(told: string): void {
  const names = (path: string) =>
    [...Deno.readDirSync(join(app.root, path))].map(({ name }) => name).sort();
  assert.deepEqual(names(""), ["home", "other"], told);
  assert.deepEqual(names("home"), ["a.txt", "sub"], told);
  assert.deepEqual(names("home/sub"), ["b.txt"], told);
  assert.deepEqual(names("other"), ["secret.txt"], told);
  assert.equal(Deno.readTextFileSync(join(app.root, "other/secret.txt")), "SECRET");
}

const climbing = [
  "/../other/x",
  "../other/x",
  "..%2Fother%2Fx",
  "%2e%2e/other/x",
  "%2E%2E%2Fother%2Fx",
  "/sub/../../other/x",
  "/sub%2F..%2F..%2Fother%2Fx",
  "/./x",
  "/sub/.",
  "/sub/..",
];
const malformed = ["/x%00.txt", "/x%", "/x%zz", "/x%2", "/%c0%af", "/%ff", "/%ed%a0%80", "/%u0041"];

for (const action of ["copy", "rename"]) {
  Deno.test(`a destination that climbs or can't be read is refused by ${action}`, async () => {
    for (const destination of [...climbing, ...malformed]) {
      for (const options of ["", "&override=true", "&rename=true"]) {
        const query = `action=${action}&destination=${destination}${options}`;
        await assertRefused(await patch("/a.txt", query), 400, "invalid_path", query);
        await assertRefused(await patch("/sub", query), 400, "invalid_path", query);
      }
    }
    assertUntouched(action);
  });

  Deno.test(`a source that climbs is refused by ${action}`, async () => {
    for (const from of ["/..%2Fother", "/%2e%2e%2fother%2fsecret.txt", "/sub%2F..", "/%00"]) {
      const answer = await patch(from, `action=${action}&destination=/x`);
      await assertRefused(answer, 400, "invalid_path", from);
    }
    assertUntouched(action);
  });

  Deno.test(`what looks like an absolute or a foreign path stays in the scope with ${action}`, async () => {
    const paths = [`${app.root}/other/secret.txt`, "/other/secret.txt", "..\\other\\secret.txt"];
    for (const path of paths) {
      const destination = encodeURIComponent(path);
      const answer = await patch("/a.txt", `action=${action}&destination=${destination}`);
      assert.equal(answer.status, 200, await answer.text());
      const inside = join(app.root, "home", path);
      assert.equal(Deno.readTextFileSync(inside), "a", path);
      if (action === "rename") Deno.renameSync(inside, join(app.root, "home/a.txt"));
      for (const { name } of [...Deno.readDirSync(join(app.root, "home"))]) {
        if (name === "a.txt" || name === "sub") continue;
        Deno.removeSync(join(app.root, "home", name), { recursive: true });
      }
    }
    assertUntouched(action);
  });
}

Deno.test("a destination that is encoded twice is decoded twice, and climbs nowhere", async () => {
  for (const name of ["%252e%252e%252fother%252fx", "%252E%252E", "sub%252f..%252fx"]) {
    const answer = await patch("/a.txt", `action=copy&destination=/${name}`);
    await assertRefused(answer, 400, "invalid_path", name);
  }
  for (const name of ["..%255cother", "%25252e%25252e", "%25252e%25252e%25252fother"]) {
    const answer = await patch("/a.txt", `action=copy&destination=/${name}`);
    assert.equal(answer.status, 200, await answer.text());
    const path = join(app.root, "home", decodeURIComponent(decodeURIComponent(name)));
    assert.equal(Deno.readTextFileSync(path), "a", name);
    Deno.removeSync(path);
  }
  assertUntouched("twice");
});

Deno.test("the cookie alone copies and moves nothing", async () => {
  for (const action of ["copy", "rename"]) {
    const path = `/api/resources/a.txt?action=${action}&destination=/x`;
    const answer = await app.call("PATCH", path, { headers: { cookie: `auth=${token}` } });
    await assertRefused(answer, 401, "not_signed_in");
  }
  assertUntouched("cookie");
});
