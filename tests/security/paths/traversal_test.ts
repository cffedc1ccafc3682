import assert from "node:assert/strict";
import { join } from "node:path";
import { manyFilesBody, receivedCodes } from "../../support/data/many_files.ts";
import { startApp } from "../../support/server/app.ts";
import { requestHead, sendRaw } from "../../support/clients/raw_http.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { home: { "own.txt": "own" }, other: { "secret.txt": "SECRET" }, "secret.txt": "SECRET" },
});
const outside = join(app.root, "..", "secret.txt");
Deno.writeTextFileSync(outside, "SECRET");
const listener = app.listen();
Deno.test.afterAll(app.close);

const { token } = await app.addUser("bea", { scope: "/home" });

/** What is sent after a call's name, and the status it has to get. */
const attacks: [string, number][] = [
  ["/%2e%2e%2fsecret.txt", 400],
  ["/..%2fsecret.txt", 400],
  ["/%2e%2e%2fother%2fsecret.txt", 400],
  ["/own.txt%2f..%2f..%2fsecret.txt", 400],
  ["/%2fetc%2fpasswd", 400],
  ["/own.txt%00", 400],
  ["/%00", 400],
  ["/..%00/secret.txt", 400],
  ["/%ff", 400],
  ["/%c0%ae%c0%ae/secret.txt", 400],
  ["/%c0%af..%c0%afsecret.txt", 400],
  ["/%", 400],
  ["/%zz", 400],
  ["/%u002e%u002e/secret.txt", 400],
  ["/%ed%a0%80", 400],
  ["/%252e%252e%252fsecret.txt", 404],
  ["/%252e%252e/secret.txt", 404],
  ["/..%5csecret.txt", 404],
  ["/..%5c..%5csecret.txt", 404],
  ["/..../secret.txt", 404],
  ["/..;/secret.txt", 404],
  ["//etc/passwd", 404],
  ["/C:%5csecret.txt", 404],
];

/** Dot segments that the URL itself resolves: they end at another address, or at none. */
const resolved = [
  "/../secret.txt",
  "/../../secret.txt",
  "/%2e%2e/secret.txt",
  "/.%2E/%2e./secret.txt",
  "/own.txt/../../secret.txt",
  "/../resources/../raw/../../../secret.txt",
];

/** Method, call, and what comes behind the path. */
const calls: [string, string, string][] = [
  ["GET", "resources", ""],
  ["GET", "resources", "?checksum=md5"],
  ["HEAD", "resources", ""],
  ["PUT", "resources", ""],
  ["DELETE", "resources", ""],
  ["GET", "raw", ""],
  ["GET", "raw", "?algo=tar"],
  ["GET", "raw", "?files=own.txt"],
  ["HEAD", "raw", ""],
  ["GET", "usage", ""],
  ["GET", "search", "?query=secret"],
  ["GET", "subtitle", ""],
  ["GET", "archive", ""],
  ["GET", "preview/thumb", ""],
  ["HEAD", "preview/big", ""],
];

/** Sent as bytes: `fetch` would mend the path before it leaves. */
function send(method: string, path: string) {
  const headers = { "x-auth": token, "connection": "close", "content-length": 0 };
  return sendRaw(listener, requestHead(method, path, headers));
}

function assertUntouched(): void {
  for (const path of [outside, join(app.root, "secret.txt"), join(app.root, "other/secret.txt")]) {
    assert.equal(Deno.readTextFileSync(path), "SECRET");
  }
  assert.deepEqual([...Deno.readDirSync(join(app.root, "home"))].map(({ name }) => name), [
    "own.txt",
  ]);
}

for (const [method, call, rest] of calls) {
  Deno.test(`no path leaves the scope: ${method} ${call}${rest}`, async () => {
    for (const [path, status] of attacks) {
      const answer = await send(method, `/api/${call}${path}${rest}`);
      assert.equal(answer.status, status, `${path} ${answer.body}`);
      assert.doesNotMatch(answer.body, /SECRET|root:/, path);
    }
    assertUntouched();
  });
}

Deno.test("no path leaves the scope: POST makes no file or folder outside", async () => {
  for (const [path, status] of attacks.filter(([, status]) => status === 400)) {
    for (const end of ["", "/", "?override=true"]) {
      const answer = await send("POST", `/api/resources${path}${end}`);
      assert.equal(answer.status, status, `${path}${end} ${answer.body}`);
    }
  }
  assertUntouched();
});

Deno.test("no path leaves the scope: neither that of many files nor one in their list", async () => {
  for (const [path, status] of attacks.filter(([, status]) => status === 400)) {
    const answer = await send("POST", `/api/uploads${path}`);
    assert.equal(answer.status, status, `${path} ${answer.body}`);
  }
  const paths = [
    ...["../secret.txt", "/../secret.txt", "a/../../secret.txt", "..", ".", "", "/", "own.txt/.."],
    ...["./../other/secret.txt", "a\0.txt", "\0", "../home/own.txt"],
  ];
  const body = manyFilesBody(paths.map((path) => ({ path, text: "out", override: true })));
  const answer = await app.call("POST", "/api/uploads/", { token, body });
  const codes = await receivedCodes(answer);
  const refusals = ["invalid_path", "is_folder", "forbidden"];
  for (const [index, code] of codes.entries()) {
    assert.ok(refusals.includes(code), `${paths[index]}`);
  }
  assert.equal(codes.length, paths.length);
  assert.equal(Deno.readTextFileSync(join(app.root, "home/own.txt")), "own");
  assertUntouched();
});

Deno.test("dot segments are resolved before the call is chosen, and reach nothing", async () => {
  for (const [method, call, rest] of [...calls, ["POST", "resources", ""]]) {
    for (const path of resolved) {
      const answer = await send(method ?? "", `/api/${call}${path}${rest}`);
      assert.ok(answer.status >= 300 && answer.status < 500, `${path} ${answer.status}`);
      assert.doesNotMatch(answer.body, /SECRET/, path);
    }
  }
  assertUntouched();
});

Deno.test("a name with backslashes or escapes of escapes is a name like any other", async () => {
  for (const name of ["..%5csecret.txt", "%252e%252e%252fsecret.txt"]) {
    const made = await send("POST", `/api/resources/${name}`);
    assert.equal(made.status, 200, made.body);
    assert.equal((await send("GET", `/api/raw/${name}`)).status, 200);
    assert.equal((await send("DELETE", `/api/resources/${name}`)).status, 200);
  }
  assertUntouched();
});

Deno.test("a ticket is for no path that climbs or can't be read", async () => {
  const climbing = ["/../other", "..", "/own.txt/../../x", "/\u0000", "/a/./b"];
  for (const path of climbing) {
    const answer = await app.call("POST", "/api/ticket", { token, json: { path, use: "raw" } });
    await assertStatus(answer, 400, path);
  }
});

Deno.test("a session's id in a path reaches no other record", async () => {
  for (const sid of ["..%2f..%2fusers", "%00", "%ff", "*", "a%2fb"]) {
    const answer = await send("DELETE", `/api/sessions/${sid}`);
    assert.ok([400, 404].includes(answer.status), `${sid} ${answer.status}`);
  }
  const still = await app.call("GET", "/api/sessions", { token });
  assert.equal((await still.json()).length, 1);
});
