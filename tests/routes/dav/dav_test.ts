import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic, davClient, hrefsOf, wanting } from "../../support/clients/dav.ts";
import { plantMany } from "../../support/disks/files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { webdav: true },
  tree: { "a.txt": "one", folder: { "b.txt": "two" }, kept: { "c.txt": "C" } },
});
Deno.test.afterAll(app.close);

const dav = davClient(app);
const read = (path: string) => Deno.readTextFile(join(app.root, path));
const odd = "#%?日本 `.txt";

async function namesIn(path: string): Promise<string[]> {
  const answer = await dav("PROPFIND", path, { headers: { depth: "1" } });
  assert.equal(answer.status, 207);
  return hrefsOf(await answer.text());
}

Deno.test("without --webdav nothing is at /dav, whoever asks", async () => {
  await using off = await startApp({ tree: { "a.txt": "one" } });
  const dav = davClient(off);
  await assertStatus(await dav("GET", "/a.txt"), 404);
  await assertStatus(await dav("PUT", "/new.txt", { body: "x" }), 404);
  await assertRefused(await dav("PROPFIND", "/"), 405, "method_not_allowed");
  const options = await off.call("OPTIONS", "/");
  assert.equal(options.headers.get("dav"), null);
});

Deno.test("a request without a name and a password is asked for them", async () => {
  for (const authorization of [null, "Bearer abc", "Basic !!!", "Basic YWRtaW4="]) {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    const answer = await app.call("PROPFIND", "/dav/", { headers: { depth: "0", ...headers } });
    assert.equal(answer.headers.get("www-authenticate"), 'Basic realm="Cubby", charset="UTF-8"');
    await assertRefused(answer, 401, "not_signed_in");
  }
});

Deno.test("a name and password beyond ASCII sign in, as UTF-8", async () => {
  await app.addUser("zoë");
  await assertStatus(
    await davClient(app, "zoë")("PROPFIND", "/", { headers: { depth: "0" } }),
    207,
  );
});

Deno.test("OPTIONS tells the methods and the class to anyone, at / as well", async () => {
  for (const path of ["/dav", "/dav/", "/dav/a.txt", "/"]) {
    const answer = await app.call("OPTIONS", path);
    assert.match(answer.headers.get("dav") ?? "", /^1/, path);
    assert.equal(answer.headers.get("ms-author-via"), "DAV");
  }
  assert.match((await dav("OPTIONS", "/")).headers.get("allow") ?? "", /PROPFIND/);
  await assertRefused(await dav("PATCH", "/a.txt"), 405, "method_not_allowed");
});

Deno.test("GET answers with ranges and conditions, HEAD with the same headers", async () => {
  const whole = await dav("GET", "/a.txt");
  assert.equal(await whole.text(), "one");
  const etag = whole.headers.get("etag") ?? "";
  const part = await dav("GET", "/a.txt", { headers: { range: "bytes=2-2" } });
  assert.deepEqual([part.status, await part.text()], [206, "e"]);
  const same = await dav("GET", "/a.txt", { headers: { "if-none-match": etag } });
  assert.equal(same.status, 304);
  const head = await dav("HEAD", "/a.txt");
  assert.deepEqual([head.status, head.headers.get("content-length")], [200, "3"]);
  assert.match(await (await dav("GET", "/folder/")).text(), /network drive/);
  await assertRefused(await dav("GET", "/none"), 404, "not_found");
});

Deno.test("PUT refuses a folder, a missing folder, a part, and a file that is another", async () => {
  await assertStatus(await dav("PUT", "/folder", { body: "x" }), 405);
  await assertStatus(await dav("PUT", "/new/", { body: "x" }), 405);
  await assertStatus(await dav("PUT", "/none/new.txt", { body: "x" }), 409);
  const part = { "content-range": "bytes 0-0/3" };
  await assertRefused(
    await dav("PUT", "/a.txt", { body: "x", headers: part }),
    400,
    "invalid_option",
  );
  for (const [name, value] of [["if-match", '"other"'], ["if-none-match", "*"]] as const) {
    await assertStatus(await dav("PUT", "/a.txt", { body: "x", headers: { [name]: value } }), 412);
  }
  await assertStatus(await dav("PUT", "/n.txt", { body: "x", headers: { "if-match": "*" } }), 412);
  assert.equal(await read("a.txt"), "one");
});

Deno.test("PUT writes a file under any name, and keeps the former one as a version", async () => {
  const path = `/${encodeURIComponent(odd)}`;
  const made = await dav("PUT", path, { body: "first", headers: { "x-oc-mtime": "1000000000" } });
  assert.deepEqual([made.status, made.headers.get("x-oc-mtime")], [201, "accepted"]);
  assert.equal(await read(odd), "first");
  const { mtime } = await Deno.stat(join(app.root, odd));
  assert.equal(mtime?.getTime(), 1e12);

  const headers = { "if-match": made.headers.get("etag") ?? "" };
  await assertStatus(await dav("PUT", path, { body: "second", headers }), 204);
  assert.equal(await read(odd), "second");
  assert.ok((await namesIn("/")).includes(`/dav${path}`));
  const token = await app.tokenOf("admin");
  const versions = await app.call("GET", `/api/trash?versions=${path}`, { token });
  assert.equal((await versions.json()).items.length, 1);
});

Deno.test("PUT refuses a body that is shorter than Finder has announced", async () => {
  const body = new Blob(["abc"]).stream();
  const headers = { "x-expected-entity-length": "9" };
  await assertRefused(await dav("PUT", "/finder.txt", { body, headers }), 400, "invalid_body");
  await assertStatus(await dav("PROPFIND", "/finder.txt", { headers: { depth: "0" } }), 404);
});

Deno.test("MKCOL makes one folder, and none on the way or in place of another", async () => {
  await assertStatus(await dav("MKCOL", "/none/deep"), 409);
  await assertStatus(await dav("MKCOL", "/a.txt"), 405);
  await assertStatus(await dav("MKCOL", "/made", { body: "<x/>" }), 415);
  await assertStatus(await dav("MKCOL", "/made/"), 201);
  await assertStatus(await dav("MKCOL", "/made/"), 405);
});

Deno.test("DELETE takes a folder whole or not at all, to the trash where deletions go there", async () => {
  await assertStatus(await dav("PUT", "/gone.txt", { body: "x" }), 201);
  const other = { "if-match": '"other"' };
  await assertStatus(await dav("DELETE", "/gone.txt", { headers: other }), 412);
  await assertStatus(await dav("DELETE", "/gone.txt"), 204);
  await assertStatus(await dav("DELETE", "/gone.txt"), 404);
  await assertStatus(await dav("DELETE", "/"), 403);
  await assertStatus(await dav("MKCOL", "/deep"), 201);
  await assertStatus(await dav("PUT", "/deep/in.txt", { body: "in" }), 201);
  for (const depth of ["0", "1", "2", "", "Infinity, 0"]) {
    const shallow = await dav("DELETE", "/deep", { headers: { depth } });
    const message = await assertRefused(shallow, 400, "invalid_option", depth);
    assert.match(message, /^Cannot delete "\/deep": expected the depth infinity/);
  }
  assert.equal(await read("deep/in.txt"), "in");
  await assertStatus(await dav("DELETE", "/deep/in.txt", { headers: { depth: "0" } }), 204);
  await assertStatus(await dav("DELETE", "/deep/", { headers: { depth: " Infinity" } }), 204);

  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, trash: { ...settings.trash, byDefault: true } });
  await assertStatus(await dav("PUT", "/kept.txt", { body: "x" }), 201);
  await assertStatus(await dav("DELETE", "/kept.txt"), 204);
  const token = await app.tokenOf("admin");
  const { items } = await (await app.call("GET", "/api/trash", { token })).json();
  assert.deepEqual(items.map(({ name }: { name: string }) => name), ["kept.txt"]);
  await app.cubby.settings.update(settings);
});

Deno.test("COPY and MOVE refuse a taken name, themselves, and a missing folder", async () => {
  const to = (destination: string, more = {}) => ({ headers: { destination, ...more } });
  await assertStatus(await dav("COPY", "/folder"), 400);
  await assertStatus(await dav("COPY", "/a.txt", to("/dav/kept/c.txt", { overwrite: "F" })), 412);
  await assertStatus(await dav("COPY", "/a.txt", to("/dav/none/c.txt")), 409);
  await assertStatus(await dav("MOVE", "/a.txt", to("/dav/x", { depth: "0" })), 400);
  for (const method of ["COPY", "MOVE"]) {
    for (const inside of ["/dav/folder", "/dav/folder/in", "/dav/"]) {
      await assertStatus(await dav(method, "/folder", to(inside)), 403, `${method} ${inside}`);
    }
    await assertStatus(await dav(method, "/folder/b.txt", to("/dav/folder")), 403, method);
  }
  assert.equal(await read("folder/b.txt"), "two");
});

Deno.test("COPY and MOVE replace what is at the destination, and merge nothing", async () => {
  await assertStatus(await dav("MKCOL", "/box"), 201);
  await assertStatus(await dav("PUT", "/box/old.txt", { body: "old" }), 201);
  const destination = "http://cubby.test/dav/box/";
  await assertStatus(await dav("COPY", "/folder/", { headers: { destination } }), 204);
  assert.deepEqual(await namesIn("/box"), ["/dav/box/", "/dav/box/b.txt"]);
  await assertStatus(await dav("MOVE", "/box", { headers: { destination: "/dav/moved" } }), 201);
  const shallow = { destination: "/dav/shallow", depth: "0" };
  await assertStatus(await dav("COPY", "/moved", { headers: shallow }), 201);
  assert.deepEqual(await namesIn("/shallow"), ["/dav/shallow/"]);
  await assertStatus(
    await dav("MOVE", "/moved", { headers: { destination: "/dav/shallow" } }),
    204,
  );
  assert.deepEqual(await namesIn("/shallow/"), ["/dav/shallow/", "/dav/shallow/b.txt"]);
});

Deno.test("a transfer that fails puts back what it was to replace", async () => {
  await assertStatus(await dav("MKCOL", "/target"), 201);
  await assertStatus(await dav("PUT", "/target/mine.txt", { body: "mine" }), 201);
  await Deno.mkdir(join(app.root, "source"));
  await new Deno.Command("mkfifo", { args: [join(app.root, "source/pipe")] }).output();
  const headers = { destination: "/dav/target" };
  const answer = await dav("COPY", "/source/pipe", { headers });
  assert.ok(answer.status >= 400, `${answer.status}`);
  await answer.body?.cancel();
  assert.equal(await read("target/mine.txt"), "mine");
});

Deno.test("PROPFIND tells what is asked for, and what is not there", async () => {
  const headers = { depth: "0" };
  const body = wanting("getcontentlength", "resourcetype", "nothing", "quota-used-bytes");
  const file = await (await dav("PROPFIND", "/a.txt", { headers, body })).text();
  assert.match(file, /<D:getcontentlength>3<\/D:getcontentlength><D:resourcetype\/>/);
  assert.match(file, /<D:nothing\/><D:quota-used-bytes\/><\/D:prop><D:status>HTTP\/1.1 404/);
  const folder = await (await dav("PROPFIND", "/", { headers, body })).text();
  assert.match(folder, /<D:resourcetype><D:collection\/><\/D:resourcetype>/);
  assert.match(folder, /<D:quota-used-bytes>\d+<\/D:quota-used-bytes>/);
  const names = `<propfind xmlns="DAV:"><propname/></propfind>`;
  assert.match(
    await (await dav("PROPFIND", "/a.txt", { headers, body: names })).text(),
    /<D:getetag\/>/,
  );
  const all = await (await dav("PROPFIND", "/", { headers })).text();
  assert.doesNotMatch(all, /quota/);
});

Deno.test("PROPFIND refuses what it cannot read, and what is not there", async () => {
  const headers = { depth: "0" };
  for (const body of ["<a>", "<a/>", `<propfind xmlns="DAV:"/>`, new Uint8Array([60, 0xff])]) {
    await assertRefused(await dav("PROPFIND", "/", { headers, body }), 400, "invalid_body");
  }
  await assertRefused(
    await dav("PROPFIND", "/", { headers: { depth: "2" } }),
    400,
    "invalid_option",
  );
  await assertRefused(await dav("PROPFIND", "/none", { headers }), 404, "not_found");
});

Deno.test("a folder of many entries is told whole, in parts", async () => {
  await Deno.mkdir(join(app.root, "many"));
  await plantMany(join(app.root, "many"), 1500);
  assert.equal((await namesIn("/many")).length, 1501);
});

Deno.test("below a base URL, addresses have it", async () => {
  await using based = await startApp({
    config: { webdav: true, baseUrl: "/base" },
    tree: { "a.txt": "one" },
  });
  const headers = { authorization: basic(based.admin.username, based.admin.password), depth: "1" };
  const answer = await based.call("PROPFIND", "/base/dav/", { headers });
  assert.deepEqual(hrefsOf(await answer.text()), ["/base/dav/", "/base/dav/a.txt"]);
  const destination = "http://cubby.test/base/dav/b.txt";
  const copy = await based.call("COPY", "/base/dav/a.txt", {
    headers: { authorization: headers.authorization, destination },
  });
  assert.equal(copy.status, 201);
});
