import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp, type TestUser } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { deny, denyMatching } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    "needle.txt": "",
    secret: { "needle.txt": "", open: { "needle.txt": "" } },
    ".hidden": { "needle.txt": "" },
    home: { al: { "needle.txt": "", sub: { "needle.pem": "" } }, bo: { "needle.txt": "" } },
  },
});
Deno.test.afterAll(app.close);

let count = 0;
/** Asks as a new user. */
async function as(user: TestUser) {
  const { token } = await app.addUser(`user ${++count}`, user);
  return (path: string) => app.call("GET", `/api/search${path}`, { token });
}

async function paths(answer: Response): Promise<string[]> {
  assert.equal(answer.status, 200);
  const results: { path: string }[] = await answer.json();
  return results.map(({ path }) => path).sort();
}

Deno.test("a search does not reveal names that are denied, hidden or reserved", async () => {
  const ask = await as({ rules: [deny("/secret"), denyMatching("\\.pem$")], hideDotfiles: true });
  assert.deepEqual(await paths(await ask("/?query=needle")), [
    "home/al/needle.txt",
    "home/bo/needle.txt",
    "needle.txt",
  ]);
  assert.deepEqual(await paths(await ask("/?query=secret")), []);
  assert.deepEqual(await paths(await ask("/?query=type:pem")), []);
});

Deno.test("a search in a denied folder is refused alike whether it is there or not", async () => {
  const ask = await as({ rules: [deny("/secret"), deny("/gone")], hideDotfiles: true });
  for (const path of ["/secret/", "/secret", "/secret/open/", "/gone/", "/.hidden/", "/.no/"]) {
    await assertRefused(await ask(`${path}?query=needle`), 403, "forbidden", path);
  }
});

Deno.test("a search does not climb out of the scope", async () => {
  const ask = await as({ scope: "/home/al" });
  assert.deepEqual(await paths(await ask("/?query=needle")), ["needle.txt", "sub/needle.pem"]);
  for (const path of ["/..%2fbo/", "/sub%2f..%2f..%2fbo/", "/%00/", "/%2e%2e%2fbo/"]) {
    await assertRefused(await ask(`${path}?query=needle`), 400, "invalid_path", path);
  }
  for (const path of ["/bo/", "/home/al/", "/secret/"]) {
    await assertRefused(await ask(`${path}?query=needle`), 404, "not_found", path);
  }
});

Deno.test("a search elsewhere finds no more than one from the top of the scope", async () => {
  const rules = [deny("/secret"), denyMatching("\\.pem$")];
  const ask = await as({ rules, hideDotfiles: true });
  assert.deepEqual(await paths(await ask("/home/al/?query=needle&elsewhere=true")), [
    "/home/bo/needle.txt",
    "/needle.txt",
    "needle.txt",
  ]);
  for (const path of ["/secret/", "/gone/", "/.hidden/"]) {
    const answer = await ask(`${path}?query=needle&elsewhere=true`);
    assert.ok([403, 404].includes(answer.status), path);
  }
  const below = await as({ scope: "/home/al" });
  assert.deepEqual(await paths(await below("/sub/?query=needle&elsewhere=true")), [
    "/needle.txt",
    "needle.pem",
  ]);
});

Deno.test("a search tells nothing of what lies behind links that lead out", async () => {
  const ask = await as({ scope: "/home/al" });
  Deno.symlinkSync("../bo", join(app.root, "home/al/needle out"));
  Deno.symlinkSync("../../none", join(app.root, "home/al/needle nowhere"));
  Deno.symlinkSync("sub", join(app.root, "home/al/needle in"));
  assert.deepEqual(await paths(await ask("/?query=needle")), [
    "needle in",
    "needle nowhere",
    "needle out",
    "needle.txt",
    "sub/needle.pem",
  ]);
  await assertRefused(await ask("/needle%20out/?query=needle"), 403, "forbidden");
});

Deno.test("no query holds the server up, whatever it looks like", async () => {
  const ask = await as({});
  const start = performance.now();
  for (const query of ["(a+)+$".repeat(100), '"'.repeat(999), "a ".repeat(499), "\\".repeat(999)]) {
    const answer = await ask(`/?query=${encodeURIComponent(query)}`);
    assert(answer.status === 200 || answer.status === 400, `${answer.status}`);
    await answer.body?.cancel();
  }
  assert(performance.now() - start < 10_000);
});

Deno.test("a name that somebody made can't break out of the answer", async () => {
  const names = [
    'needle","dir":true},{"path":"x',
    "needle\n{}\r\n",
    "needle\u2028\u0007",
    "needle\\",
  ];
  for (const name of names) Deno.writeTextFileSync(join(app.root, "home/bo", name), "");
  const ask = await as({ scope: "/home/bo" });
  assert.deepEqual(await paths(await ask("/?query=needle")), [...names, "needle.txt"].sort());
  const { token } = await app.addUser("liner", { scope: "/home/bo" });
  const headers = { accept: "application/x-ndjson" };
  const answer = await app.call("GET", "/api/search/?query=needle", { token, headers });
  const lines = (await answer.text()).split("\n").slice(0, -1);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).path).sort(),
    [...names, "needle.txt"].sort(),
  );
});
