/** The page of a document in the office server, and what it may load from there. */
import assert from "node:assert/strict";
import { startEditorHost } from "../../support/office/editor_host.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { startApp } from "../../support/server/app.ts";

const office = startEditorHost();
const publicUrl = "https://office.example/some/path";
const tree = { docs: { "letter.odt": "a letter", "page.txt": "text" }, "top.docx": "a plan" };
const app = await startApp({ config: { office: { url: office.url, publicUrl } }, tree });
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
const token = await app.tokenOf("admin");

const cookieOf = (token: string) => ({ cookie: `auth=${token}` });

async function policyOf(path: string, signedIn = true): Promise<string> {
  const answer = await app.call("GET", path, { headers: signedIn ? cookieOf(token) : {} });
  await assertStatus(answer, 200, path);
  return answer.headers.get("content-security-policy") ?? "";
}

Deno.test("only the page of a document may frame the office server, and that origin alone", async () => {
  const policy = await policyOf("/office/docs/letter.odt");
  assert.match(policy, /; frame-src https:\/\/office\.example(;|$)/);
  assert.match(policy, /; form-action https:\/\/office\.example(;|$)/);
  assert.doesNotMatch(policy, /unsafe-inline/);
  assert.match(policy, /; connect-src 'self'(;|$)/);
  for (const path of ["/files/", "/files/docs/letter.odt", "/settings/profile", "/recent"]) {
    const plain = await policyOf(path);
    assert.doesNotMatch(plain, /office\.example/, path);
    assert.match(plain, /form-action 'self'/, path);
  }
});

Deno.test("the same for a shared document", async () => {
  const made = await app.call("POST", "/api/share/docs", { token, json: { password: "" } });
  const { hash } = await made.json();
  const policy = await policyOf(`/share/${hash}/letter.odt?office`, false);
  assert.match(policy, /; frame-src https:\/\/office\.example; connect-src 'self';/);
  assert.match(policy, /; form-action https:\/\/office\.example(;|$)/);
  for (const path of ["letter.odt", "?office", "page.txt?office"]) {
    assert.doesNotMatch(await policyOf(`/share/${hash}/${path}`, false), /office\.example/, path);
  }
});

Deno.test("the page needs a session, and a document", async () => {
  const to = async (path: string, headers = {}) => {
    const answer = await app.call("GET", path, { headers });
    await assertStatus(answer, 302, path);
    return answer.headers.get("location");
  };
  assert.equal(await to("/office/top.docx"), "/login?redirect=%2Foffice%2Ftop.docx");
  const cookie = cookieOf(token);
  assert.equal(await to("/office/docs/", cookie), "/files/docs/");
  assert.equal(await to("/office/docs/page.txt", cookie), "/files/docs/page.txt");
  assert.equal(await to("/office/none%20such.odt", cookie), "/files/none%20such.odt");
});

Deno.test("without an office server the page leads to the files", async () => {
  await using plain = await startApp({ tree, inProcess: true });
  const headers = cookieOf(await plain.tokenOf("admin"));
  const answer = await plain.call("GET", "/office/top.docx", { headers });
  await assertStatus(answer, 302);
  assert.equal(answer.headers.get("location"), "/files/top.docx");
});

Deno.test("administrators test the connection to the office server", async () => {
  const { token: other } = await app.addUser("ada");
  await assertRefused(
    await app.call("POST", "/api/check/office", { token: other }),
    403,
    "forbidden",
  );
  const check = async () => await (await app.call("POST", "/api/check/office", { token })).json();
  assert.deepEqual(await check(), {
    ...{ reason: "", address: office.url, callback: "http://cubby.test" },
    ...{ edits: 6, views: 6, isSigning: false },
  });
});

Deno.test("the test tells why there is no connection", async () => {
  const url = "http://127.0.0.1:9";
  await using away = await startApp({
    config: { office: { url, publicUrl: url } },
    inProcess: true,
  });
  const token = await away.tokenOf("admin");
  const found = await (await away.call("POST", "/api/check/office", { token })).json();
  assert.match(found.reason, /^Cannot reach the office server at http:\/\/127\.0\.0\.1:9: /);
  await using none = await startApp({ inProcess: true });
  const admin = await none.tokenOf("admin");
  const answer = await none.call("POST", "/api/check/office", { token: admin });
  await assertRefused(answer, 501, "not_supported");
});
