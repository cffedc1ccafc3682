/** Many small files in one request, as clients of Nextcloud send them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { userPassword } from "../../support/server/app_parts.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { syncClients: true },
  tree: { anna: { "old.txt": "old", folder: {} } },
});
Deno.test.afterAll(app.close);
await app.addUser("anna", { scope: "anna" });

const boundary = "boundary_of_a_test";

interface Sent {
  path: string;
  content: string;
  headers?: Record<string, string>;
}

const md5 = (text: string) => createHash("md5").update(text).digest("hex");

function partOf({ path, content, headers = {} }: Sent): string {
  const all = {
    "X-File-Path": path,
    "X-File-MD5": md5(content),
    "Content-Length": String(new TextEncoder().encode(content).length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `--${boundary}\r\n${lines.join("")}\r\n${content}\r\n`;
}

const bodyOf = (...files: Sent[]) => files.map(partOf).join("") + `--${boundary}--\r\n`;

function send(body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  return app.call("POST", "/remote.php/dav/bulk", {
    body,
    headers: {
      authorization: basic("anna", userPassword),
      "content-type": `multipart/related; boundary=${boundary}`,
      ...headers,
    },
  });
}

const read = (path: string) => Deno.readTextFile(join(app.root, "anna", path));
const isThere = (path: string) =>
  Deno.lstat(join(app.root, "anna", path)).then(() => true, () => false);

Deno.test("without --sync-clients there is no upload of many", async () => {
  await using off = await startApp({ config: { webdav: true } });
  const headers = { authorization: basic("admin", off.admin.password) };
  await assertStatus(await off.call("POST", "/remote.php/dav/bulk", { headers }), 404);
});

Deno.test("a request without a sign-in, without rights, or of another kind is refused", async () => {
  const body = bodyOf({ path: "/no.txt", content: "no" });
  await assertStatus(await send(body, { authorization: "" }), 401);
  await app.addUser("reader", { scope: "anna", perm: { create: false, modify: false } });
  await assertStatus(await send(body, { authorization: basic("reader", userPassword) }), 403);
  await assertStatus(await send(body, { "content-type": "multipart/form-data; boundary=x" }), 415);
  await assertStatus(await send(body, { "content-type": "multipart/related" }), 400);
  await assertStatus(await app.call("GET", "/remote.php/dav/bulk"), 401);
  assert.equal(await isThere("no.txt"), false);
});

Deno.test("a malformed request is refused, and what came before is whole", async () => {
  const good = partOf({ path: "/good.txt", content: "good" });
  const end = `--${boundary}--\r\n`;
  const long = partOf({ path: "/a.txt", content: "abcdef", headers: { "Content-Length": "3" } });
  const bad = {
    "": "nothing",
    [good]: "no end",
    [good.replaceAll("\r\n", "\n") + end]: "no CRLF",
    [good + `--${boundary}\nX-File-Path: /a.txt\n\n${end}`]: "no CRLF in a part",
    [`--other\r\n${good}`]: "another boundary",
    [good + long + end]: "a part over its length",
    [good + partOf({ path: "/a.txt", content: "abc", headers: { "Content-Length": "99999" } })]:
      "a part under its length",
    [good + partOf({ path: "/a.txt", content: "abc", headers: { "Content-Length": "-1" } }) + end]:
      "a negative length",
    [good + good + end]: "a path twice",
    [good + `--${boundary}\r\nContent-Length: 0\r\n\r\n\r\n${end}`]: "no path",
    [good + `--${boundary}\r\nX-File-Path: /a.txt\r\n\r\n\r\n${end}`]: "no length",
    [good + `--${boundary}\r\nno header\r\n\r\n\r\n${end}`]: "no header",
    [good + `--${boundary}\r\nX-File-Path: /${"a".repeat(20_000)}\r\n\r\n\r\n${end}`]:
      "a long line",
    [good + `--${boundary}\r\n${"X-A: b\r\n".repeat(100)}`]: "no end of the headers",
  };
  for (const [body, told] of Object.entries(bad)) {
    await assertStatus(await send(body), 400, told);
    assert.equal(await isThere("a.txt"), false, told);
  }
  assert.equal(await read("good.txt"), "good");
  const many = Array.from({ length: 257 }, (_, index) => ({ path: `/many/${index}`, content: "" }));
  await assertStatus(await send(bodyOf(...many)), 400);
});

Deno.test("the last line of a request needs no line end", async () => {
  const body = partOf({ path: "/ended.txt", content: "ended" });
  const answer = await send(`${body}--${boundary}--`);
  assert.equal((await answer.json())["/ended.txt"]?.error, false);
  assert.equal(await read("ended.txt"), "ended");
  for (const end of [`--${boundary}-`, `--${boundary}`, "", "--"]) {
    await assertStatus(await send(body + end), 400, end);
  }
});

Deno.test("clients write names as they are, and no name costs the other files", async () => {
  const names = [
    "line\nfeed",
    "return\rhere",
    "line\u2028end",
    "space ",
    " before",
    "a: b",
    "tab\t",
  ];
  const files = names.map((name) => ({ path: `/folder/${name}`, content: name }));
  const answers = await (await send(bodyOf(...files))).json();
  for (const { path, content } of files) {
    assert.equal(answers[path]?.error, false, JSON.stringify(answers));
    assert.equal(await read(path), content);
    await Deno.remove(join(app.root, "anna", path));
  }
});

Deno.test("a user who may change files, and make none, changes them in one request", async () => {
  await app.addUser("editor", { scope: "anna", perm: { create: false } });
  await Deno.writeTextFile(join(app.root, "anna", "edited.txt"), "before");
  const body = bodyOf(
    { path: "/edited.txt", content: "after" },
    { path: "/made.txt", content: "made" },
  );
  const answer = await send(body, { authorization: basic("editor", userPassword) });
  const { "/edited.txt": edited, "/made.txt": made } = await answer.json();
  assert.deepEqual([edited.error, made.error], [false, true]);
  assert.equal(await read("edited.txt"), "after");
  assert.equal(await isThere("made.txt"), false);
});

Deno.test("each file has its own answer: refusals of some keep none of the others", async () => {
  const answer = await send(bodyOf(
    { path: "/fine ü.txt", content: "fine ü", headers: { "X-File-Mtime": "1000000000" } },
    { path: "/none/new.txt", content: "no folder" },
    { path: "/folder", content: "a folder" },
    { path: "/folder/", content: "a folder's path" },
    { path: "/../escape.txt", content: "outside" },
    { path: "/damaged.txt", content: "damaged", headers: { "X-File-MD5": md5("other") } },
    { path: "/old.txt", content: "lost", headers: { "If-Match": '"other"' } },
    { path: "/folder/empty", content: "" },
  ));
  assert.equal(answer.status, 200);
  const files = await answer.json();
  const errors = Object.entries(files).filter(([, file]) => (file as { error: boolean }).error);
  assert.deepEqual(errors.map(([path]) => path).sort(), [
    "/../escape.txt",
    "/damaged.txt",
    "/folder",
    "/folder/",
    "/none/new.txt",
    "/old.txt",
  ]);
  assert.ok(errors.every(([, file]) => /^Cannot /.test((file as { message: string }).message)));
  const fine = files["/fine ü.txt"];
  assert.equal(fine.error, false);
  assert.match(fine.fileid, /^\d+/);
  assert.equal(fine["OC-FileID"], fine.fileid);
  assert.match(fine.permissions, /W/);
  assert.equal(fine["X-OC-MTime"], "accepted");
  assert.equal(await read("fine ü.txt"), "fine ü");
  assert.equal(await read("old.txt"), "old");
  const { mtime } = await Deno.stat(join(app.root, "anna/fine ü.txt"));
  assert.equal(mtime?.getTime(), 1e12);
  assert.deepEqual([await isThere("damaged.txt"), await isThere("none")], [false, false]);
  const listed = await app.call(
    "PROPFIND",
    `/remote.php/dav/files/anna/${encodeURI("fine ü.txt")}`,
    {
      headers: { authorization: basic("anna", userPassword), depth: "0" },
    },
  );
  assert.ok((await listed.text()).includes(fine.etag));
});

Deno.test("a file is replaced under its ETag, and large ones are among small ones", async () => {
  const large = "large ".repeat(200_000);
  const first = await (await send(bodyOf(
    { path: "/a/../b.txt", content: "escape" },
    { path: "/one.txt", content: "one" },
    { path: "/large.txt", content: large },
    { path: "/two.txt", content: "two" },
  ))).json();
  const { etag } = first["/one.txt"];
  assert.deepEqual([await read("one.txt"), await read("two.txt")], ["one", "two"]);
  assert.equal(await read("large.txt"), large);
  const again = await (await send(bodyOf(
    { path: "/one.txt", content: "new", headers: { "If-Match": `"${etag}"` } },
    { path: "/large.txt", content: `${large}x`, headers: { "X-File-MD5": md5("other") } },
    { path: "/last.txt", content: "last" },
  ))).json();
  assert.deepEqual(
    [again["/one.txt"].error, again["/large.txt"].error, again["/last.txt"].error],
    [false, true, false],
  );
  assert.equal(await read("one.txt"), "new");
  assert.equal(await read("large.txt"), large);
  assert.deepEqual(
    [...Deno.readDirSync(join(app.root, "anna"))].filter(({ name }) => name.startsWith(".")),
    [],
  );
});

Deno.test("a request that is cut off keeps the files that came as a whole", async () => {
  const text = partOf({ path: "/came.txt", content: "came" }) +
    partOf({ path: "/cut.txt", content: "cut off" }).slice(0, -6);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.error(new Error("cut"));
    },
  });
  await assertStatus(await send(body), 400);
  assert.equal(await isThere("cut.txt"), false);
});
