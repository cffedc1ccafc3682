import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "a.txt": "one" } });
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

/** Names that are legal on this disk, and that something on the way may stumble over. */
const odd = [
  'say "cheese".txt',
  "it's.txt",
  "two\nlines.txt",
  "a\r\nSet-Cookie: auth=stolen\r\n.txt",
  "tab\there.txt",
  "bell\x07\x1b[31m.txt",
  "😀 family 👨‍👩‍👧.txt",
  "\u202Etxt.exe",
  "\u0627\u0644\u0639\u0631\u0628\u064a\u0629.txt",
  "back\\slash.txt",
  "#%?日本 `.txt",
  "100%.txt",
  "%2e%2e%2f",
  "%41",
  "..hidden",
  "...",
  " leading and trailing ",
  "semi;colon,comma=equals&and+plus.txt",
  "<b onmouseover=alert(1)>.html",
  "-rf",
  "~",
  "$(reboot)",
  "CON",
  "caf\u00e9.txt",
  "cafe\u0301.txt",
  "\ufeffbom.txt",
  "{braces} [brackets] *star*.txt",
  "con:stream",
];

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(join(app.root, folder))].map(({ name }) => name);
}

Deno.test("a name of 300 characters is refused and makes nothing", async () => {
  const long = "n".repeat(300);
  const wide = "日".repeat(100);
  for (const name of [long, wide]) {
    for (const [method, path] of [["POST", name], ["POST", `${name}/`], ["POST", `${name}/x`]]) {
      const answer = await app.call(method ?? "", `/api/resources/${path}`, { token, body: "x" });
      await assertRefused(answer, 400, "invalid_name", `${method} ${path}`);
    }
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await app.call(method, `/api/resources/${name}`, { token });
      assert.ok([400, 404].includes(answer.status), `${method} ${answer.status}`);
      await answer.body?.cancel();
    }
    const raw = await app.call("GET", `/api/raw/${name}`, { token });
    assert.ok([400, 404].includes(raw.status), `${raw.status}`);
    await raw.body?.cancel();
  }
  assert.deepEqual(namesIn("/"), ["a.txt"]);
});

Deno.test("a path of thousands of missing folders is refused, and keeps nobody waiting", async () => {
  for (const depth of [258, 3_900]) {
    const path = `deep/${"d/".repeat(depth)}f.txt`;
    for (const [method, call] of [["POST", "resources"], ["POST", "tus"]] as const) {
      const headers = { "upload-length": "1" };
      const answer = await app.call(method, `/api/${call}/${path}`, { token, headers, body: "x" });
      await assertRefused(answer, 400, "invalid_path", `${call} ${depth}`);
    }
    const made = await app.call("POST", `/api/resources/${path}/`, { token });
    await assertRefused(made, 400, "invalid_path", String(depth));
    const to = `?action=copy&destination=/${path}`;
    const copied = await app.call("PATCH", `/api/resources/a.txt${to}`, { token });
    await assertRefused(copied, 400, "invalid_path", String(depth));
  }
  assert.deepEqual(namesIn("/"), ["a.txt"]);
  const fine = await app.call("POST", `/api/resources/deep/${"d/".repeat(200)}`, { token });
  await assertStatus(fine, 200);
  await Deno.remove(join(app.root, "deep"), { recursive: true });
});

Deno.test("a name with a NUL or half a character is refused", async () => {
  for (const name of ["a%00b", "%ed%a0%80", "%f0%9f"]) {
    const answer = await app.call("POST", `/api/resources/${name}`, { token, body: "x" });
    await assertRefused(answer, 400, "invalid_path", name);
  }
});

Deno.test("no name splits a header or ends its value", async () => {
  const name = 'a"; filename="b.html\r\nX-Injected: yes\r\n\r\n<script>.txt';
  const path = encodeURIComponent(name);
  await assertStatus(await app.call("POST", `/api/resources/${path}`, { token, body: "x" }), 200);
  const answer = await fetch(`${url}/api/raw/${path}`, { headers: { "x-auth": token } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("x-injected"), null);
  const disposition = answer.headers.get("content-disposition") ?? "";
  assert.match(disposition, /^attachment; filename="[^"]*"; filename\*=UTF-8''[^"; ]+$/);
  assert.equal(await answer.text(), "x");
  await assertStatus(await app.call("DELETE", `/api/resources/${path}`, { token }), 200);
});

Deno.test("a refusal quotes a name without becoming a page", async () => {
  const path = encodeURIComponent("<img src=x onerror=alert(1)>");
  for (const accept of ["text/html", "*/*", "application/json"]) {
    const answer = await app.call("GET", `/api/raw/${path}`, { token, headers: { accept } });
    assert.equal(answer.status, 404);
    assert.match(answer.headers.get("content-type") ?? "", /^(text\/plain|application\/json)/);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    await answer.body?.cancel();
  }
});

for (const [index, name] of odd.entries()) {
  Deno.test(`the name ${JSON.stringify(name)} comes back as it went`, async () => {
    const folder = `/odd ${index}`;
    const path = `/odd%20${index}/${encodeURIComponent(name)}`;
    const made = await app.call("POST", `/api/resources${path}`, { token, body: name });
    await assertStatus(made, 200);
    assert.deepEqual(namesIn(folder), [name]);

    const listing = await app.call("GET", `/api/resources/odd%20${index}`, { token });
    const { items }: Resource = await listing.json();
    assert.deepEqual(items?.map((item) => [item.name, item.path]), [[name, `${folder}/${name}`]]);

    const described = await app.call("GET", `/api/resources${path}`, { token });
    assert.equal((await described.json()).name, name);

    const raw = await fetch(`${url}/api/raw${path}`, { headers: { "x-auth": token } });
    assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(await raw.bytes()), name);
    const [, extended] = /filename\*=UTF-8''(\S+)$/
      .exec(raw.headers.get("content-disposition") ?? "") ?? [];
    assert.equal(decodeURIComponent(extended ?? ""), name);

    const json = { path: `${folder}/${name}`, use: "raw" };
    const ticket = await (await app.call("POST", "/api/ticket", { token, json })).text();
    await assertStatus(await app.call("GET", `/api/raw${path}?auth=${ticket}`), 200);

    await assertStatus(await app.call("DELETE", `/api/resources${path}`, { token }), 200);
    assert.deepEqual(namesIn(folder), []);
  });
}
