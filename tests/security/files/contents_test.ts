// With two threads, too: the index, and rights that end.
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp, type TestUser } from "../../support/server/app.ts";
import { contentsOf } from "../../support/server/contents.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { deny, denyMatching } from "../../support/data/rules.ts";

const odd = `it's "odd" <b>&\n'; DROP TABLE files; --.txt`;

const app = await startApp({
  tree: {
    "open.txt": "a zebra in the open",
    secret: { "plan.txt": "a zebra in secret", open: { "more.txt": "a zebra below it" } },
    "keys.pem.txt": "a zebra of keys",
    ".hidden": { "dot.txt": "a zebra under a dot" },
    home: {
      al: { "al.txt": "a zebra of al", "mark.html": "<img src=x onerror=alert(1)> zebra </mark>" },
      bo: { "bo.txt": "a zebra of bo, and bo's okapi", "two.txt": "quagga okapi" },
    },
    [odd]: "a zebra with an odd name",
    ".cubby-upload-0123456789abcdef0123456789abcdef": "a zebra on its way",
  },
});
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");
const ofAdmin = contentsOf(app, admin);

let count = 0;
/** Asks as a new user. */
async function as(user: TestUser) {
  const { token, user: { id } } = await app.addUser(`user ${++count}`, user);
  return { ...contentsOf(app, admin, token), token, id };
}

Deno.test("an index of all files is built, but of nothing that is the server's own", async () => {
  await Deno.symlink("../../secret/plan.txt", join(app.root, "home", "al", "link.txt"));
  await Deno.symlink("../secret", join(app.root, "home", "linked"));
  await ofAdmin.switchOn();
  assert.deepEqual(await ofAdmin.paths("/?query=content:zebra"), [
    ".hidden/dot.txt",
    "home/al/al.txt",
    "home/al/mark.html",
    "home/bo/bo.txt",
    odd,
    "keys.pem.txt",
    "open.txt",
    "secret/open/more.txt",
    "secret/plan.txt",
  ]);
});

Deno.test("what is in denied and hidden files is not found", async () => {
  const user = await as({ rules: [deny("/secret"), denyMatching("\\.pem")], hideDotfiles: true });
  const allowed = ["home/al/al.txt", "home/al/mark.html", "home/bo/bo.txt", odd, "open.txt"];
  assert.deepEqual(await user.paths("/?query=content:zebra"), allowed);
  assert.deepEqual(await user.paths("/?query=zebra&contents=true"), allowed);
  assert.deepEqual(await user.results("/?query=content:secret"), []);
  await assertRefused(await user.ask("/secret/?query=content:zebra"), 403, "forbidden");
});

Deno.test("a search in contents does not climb out of the scope, nor go through links", async () => {
  const al = await as({ scope: "/home/al" });
  assert.deepEqual(await al.paths("/?query=content:zebra"), ["al.txt", "mark.html"]);
  assert.deepEqual(await al.results("/?query=content:bo"), []);
  for (const path of ["/..%2fbo/", "/%2e%2e%2fbo/"]) {
    await assertRefused(await al.ask(`${path}?query=content:zebra`), 400, "invalid_path", path);
  }
  await assertRefused(await al.ask("/bo/?query=content:zebra"), 404, "not_found");
  // A linked folder can be searched, if it is in the scope.
  assert.deepEqual(await ofAdmin.paths("/home/linked?query=content:zebra"), [
    "open/more.txt",
    "plan.txt",
  ]);
});

Deno.test("the order of hits does not tell which words others' texts have", async () => {
  // "okapi" is in many texts of others, "quagga" in none: among one's own that must not count.
  const put = (path: string, body: string) =>
    app.call("POST", `/api/resources/home/${path}`, { token: admin, body });
  await put("cy/a.txt", "quagga okapi okapi pad pad");
  await put("cy/b.txt", "quagga quagga okapi pad pad");
  const cy = await as({ scope: "/home/cy" });
  await cy.finds("/?query=content:quagga%20content:okapi", ["a.txt", "b.txt"]);
  const order = async () =>
    (await cy.results("/?query=content:quagga%20content:okapi")).map(({ path }) => path);
  const before = await order();
  for (const name of ["1", "2", "3", "4", "5"]) await put(`bo/okapi ${name}.txt`, "okapi");
  await ofAdmin.until(
    async () => (await ofAdmin.results("/home/bo?query=content:okapi")).length === 7,
    "the others' texts are in the index",
  );
  assert.deepEqual(await order(), before);
});

Deno.test("who may not download finds nothing by content, from one moment to the next", async () => {
  const without = await as({ perm: { download: false } });
  for (const query of ["/?query=content:zebra", "/?query=zebra&contents=true"]) {
    await assertRefused(await without.ask(query), 403, "forbidden", query);
  }
  assert.deepEqual(await without.paths("/?query=open.txt"), ["open.txt"]);

  const user = await as({});
  assert.ok((await user.results("/?query=content:zebra")).length > 0);
  const found = await (await app.call("GET", `/api/users/${user.id}`, { token: admin })).json();
  const perm = { ...found.perm, download: false };
  const answer = await app.call("PUT", `/api/users/${user.id}`, {
    token: admin,
    json: {
      what: "user",
      which: ["perm"],
      data: { ...found, perm },
      current_password: app.admin.password,
    },
  });
  assert.equal(answer.status, 200, await answer.text());
  assert.ok([401, 403].includes((await user.ask("/?query=content:zebra")).status));
});

Deno.test("a text that was overwritten is not shown, though size and time are as before", async () => {
  const path = join(app.root, "open.txt");
  const { atime, mtime } = await Deno.stat(path);
  await Deno.writeTextFile(path, "a hippo in the open");
  await Deno.utime(path, atime ?? 0, mtime ?? 0);
  const user = await as({});
  assert.deepEqual(await user.paths("/?query=content:zebra%20type:txt%20open"), []);
  await user.finds("/?query=content:hippo", ["open.txt"]);
});

Deno.test("a secret that gets an open file's name is not shown by the open file's text", async () => {
  const user = await as({ rules: [deny("/secret")] });
  const body = "a public giraffe";
  await app.call("POST", "/api/resources/swap.txt", { token: admin, body });
  await user.finds("/?query=content:giraffe", ["swap.txt"]);
  // The two change places behind the server's back.
  await Deno.rename(join(app.root, "swap.txt"), join(app.root, "x"));
  await Deno.rename(join(app.root, "secret", "plan.txt"), join(app.root, "swap.txt"));
  await Deno.rename(join(app.root, "x"), join(app.root, "secret", "plan.txt"));
  const results = await user.results("/?query=content:giraffe");
  assert.deepEqual(results, [], "gone to where the user may not look");
  for (const { snippet } of await user.results("/?query=content:zebra%20content:secret")) {
    assert.ok(snippet, "only in its new place, where it may be read");
  }
});

Deno.test("names with quotes, newlines and SQL are found as what they are", async () => {
  const [hit] = await ofAdmin.results("/?query=content:%22odd%20name%22");
  assert.equal(hit?.path, odd);
  const hostile = [
    `"`,
    `' OR 1=1 --`,
    `zebra" OR "okapi`,
    `text:zebra`,
    `NEAR(zebra okapi)`,
    `zebra*)`,
    `^zebra`,
    `{text}:zebra`,
    `\0`,
  ];
  for (const text of hostile) {
    const query = new URLSearchParams({ query: `content:"${text}"`, contents: "true" });
    const answer = await ofAdmin.ask(`/?${query}`);
    assert.ok([200, 400].includes(answer.status), `${text}: ${answer.status}`);
    await answer.body?.cancel();
  }
});

Deno.test("markup in a text comes as plain text, in JSON that no browser takes for a page", async () => {
  const answer = await ofAdmin.ask("/home/al?query=content:onerror");
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  const [hit] = await answer.json();
  assert.deepEqual(hit.snippet, ["<img src=x ", "onerror", "=alert(1)> zebra </mark>"]);
});

Deno.test("how long others' hits take does not show", async () => {
  const al = await as({ scope: "/home/al" });
  await al.results("/?query=content:nothing");
  const took = async (query: string) => {
    const begun = performance.now();
    await al.results(query);
    return performance.now() - begun;
  };
  for (const word of ["okapi", "nothing"]) {
    assert.ok(await took(`/?query=content:${word}`) >= 45, word);
  }
});

Deno.test("the index is for its own account alone, and no user reaches it", async () => {
  const { token } = await as({});
  for (const method of ["GET", "POST"]) {
    await assertRefused(await app.call(method, "/api/contents", { token }), 403, "forbidden");
  }
  const file = join(app.cubby.config.cacheDir, "contents.db");
  assert.equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
});
