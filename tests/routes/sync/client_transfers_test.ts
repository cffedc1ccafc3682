import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isTemporaryName } from "../../../lib/server/core/access/names.ts";
import { startApp } from "../../support/server/app.ts";
import { davClient } from "../../support/clients/dav.ts";
import { deny } from "../../support/data/rules.ts";
import { propertyIn, propfind, responsesIn } from "./client_answers.ts";

const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: { "a.txt": "one", box: { "b.txt": "two" }, home: { closed: {} } },
});
Deno.test.afterAll(app.close);

const files = "/remote.php/dav/files/admin";
const client = davClient(app, "admin", files);
const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

async function assertError(answer: Response, status: number, exception: string): Promise<string> {
  const body = await answer.text();
  assert.equal(answer.status, status, body);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/xml/);
  assert.match(body, /<d:error xmlns:d="DAV:" xmlns:s="http:\/\/sabredav.org\/ns">/);
  assert.equal(/<s:exception>(.*)<\/s:exception>/.exec(body)?.[1], exception, body);
  assert.match(body, /<s:message>Cannot [^<]+<\/s:message>/);
  return body;
}

Deno.test("errors have the names by which clients decide whether they try again", async () => {
  const ruled = await app.addUser("ruled", { scope: "/home", rules: [deny("/closed")] });
  const by = davClient(app, "ruled", `/remote.php/dav/files/${ruled.user.username}`);
  const forbidden = "Sabre\\DAV\\Exception\\Forbidden";
  await assertError(await by("PUT", "/closed/x.txt", { body: "x" }), 403, forbidden);
  await assertError(await by("MKCOL", "/closed/new"), 403, forbidden);
  const notFound = "Sabre\\DAV\\Exception\\NotFound";
  await assertError(await client("GET", "/none"), 404, notFound);
  await assertError(await client("PROPFIND", "/none", { headers: { depth: "0" } }), 404, notFound);
  const conflict = "Sabre\\DAV\\Exception\\Conflict";
  await assertError(await client("PUT", "/none/x.txt", { body: "x" }), 409, conflict);
  const taken = await client("MKCOL", "/box");
  await assertError(taken, 405, "Sabre\\DAV\\Exception\\MethodNotAllowed");
  const post = await client("POST", "/box", { body: "x" });
  await assertError(post, 405, "Sabre\\DAV\\Exception\\MethodNotAllowed");
  assert.match(post.headers.get("allow") ?? "", /SEARCH/);
  const invalid = "OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath";
  await assertError(await client("PUT", `/${"n".repeat(300)}`, { body: "x" }), 400, invalid);
  await assertError(await client("PUT", "/a%2fb.txt", { body: "x" }), 400, invalid);
  const headers = { "if-match": '"other"' };
  const failed = await client("PUT", "/a.txt", { body: "x", headers });
  await assertError(failed, 412, "Sabre\\DAV\\Exception\\PreconditionFailed");
  const deep = await client("PROPFIND", "/", { headers: { depth: "infinity" } });
  assert.match(await assertError(deep, 403, forbidden), /<d:propfind-finite-depth>/);
  const anonymous = await app.call("PROPFIND", `${files}/`, { headers: { depth: "0" } });
  await assertError(anonymous, 401, "Sabre\\DAV\\Exception\\NotAuthenticated");
  assert.match(anonymous.headers.get("www-authenticate") ?? "", /^Basic /);
  assert.equal(await Deno.readTextFile(join(app.root, "a.txt")), "one");
});

Deno.test("a file whose checksum does not match is refused, and leaves nothing", async () => {
  const bad = "Sabre\\DAV\\Exception\\BadRequest";
  const put = async (path: string, checksum: string, body = "hello") =>
    await client("PUT", path, { body, headers: { "oc-checksum": checksum } });
  for (const checksum of [`SHA1:${sha1("other")}`, "MD5:00", "SHA256:", "ADLER32:00000001"]) {
    await assertError(await put("/sum.txt", checksum), 400, bad);
    assert.equal((await client("GET", "/sum.txt")).status, 404);
    await assertError(await put("/a.txt", checksum), 400, bad);
  }
  assert.equal(await Deno.readTextFile(join(app.root, "a.txt")), "one");
  const names = [...Deno.readDirSync(app.root)].map(({ name }) => name);
  assert.deepEqual(names.filter(isTemporaryName), []);
});

Deno.test("a checksum that matches is kept, and told with the file and in listings", async () => {
  for (
    const [name, checksum] of [
      ["sha1.txt", `SHA1:${sha1("hello")}`],
      ["sha256.txt", `SHA256:${createHash("sha256").update("hello").digest("hex")}`],
      ["md5.txt", `md5:${createHash("md5").update("hello").digest("hex").toUpperCase()}`],
    ] as const
  ) {
    const headers = { "oc-checksum": checksum };
    const put = await client("PUT", `/${name}`, { body: "hello", headers });
    assert.equal(put.status, 201, await put.text());
    const [type = "", sum = ""] = checksum.split(":");
    const kept = `${type.toUpperCase()}:${sum.toLowerCase()}`;
    const got = await client("GET", `/${name}`);
    assert.equal(got.headers.get("oc-checksum"), kept);
    assert.equal(got.headers.get("oc-etag"), got.headers.get("etag"));
    assert.equal(got.headers.get("oc-fileid"), put.headers.get("oc-fileid"));
    assert.equal(await got.text(), "hello");
    const listed = await client("PROPFIND", `/${name}`, {
      headers: { depth: "0" },
      body: propfind("oc:checksums"),
    });
    const [xml = ""] = [...responsesIn(await listed.text()).values()];
    assert.equal(propertyIn(xml, "oc:checksums"), `<oc:checksum>${kept}</oc:checksum>`);
    const again = await client("PUT", `/${name}`, { body: "other" });
    assert.equal(again.status, 204);
    assert.equal((await client("HEAD", `/${name}`)).headers.get("oc-checksum"), null);
  }
  for (const checksum of ["ADLER32:062c0215", "CRC32C:12", "nonsense"]) {
    const headers = { "oc-checksum": checksum };
    const put = await client("PUT", "/adler.txt", { body: "hello", headers });
    assert.ok(put.ok, `${checksum}: ${await put.text()}`);
  }
});

Deno.test("a large body is hashed as it comes", async () => {
  const bytes = new Uint8Array(3_000_000).map((_, at) => at % 251);
  const sum = createHash("sha1").update(bytes).digest("hex");
  const headers = { "oc-checksum": `SHA1:${sum}`, "oc-total-length": String(bytes.length) };
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 100_000) {
          controller.enqueue(bytes.slice(at, at + 100_000));
        }
        controller.close();
      },
    });
  const put = await client("PUT", "/large.bin", { body: body(), headers });
  assert.equal(put.status, 201, await put.text());
  const wrong = { ...headers, "oc-total-length": "2999999" };
  assert.equal((await client("PUT", "/large2.bin", { body: body(), headers: wrong })).status, 400);
  const adler = { "oc-checksum": "ADLER32:12345678" };
  assert.equal((await client("PUT", "/large3.bin", { body: body(), headers: adler })).status, 400);
});

Deno.test("what is written, made, moved and copied is answered with its id and ETag", async () => {
  const headers = { "x-oc-mtime": "1000000000" };
  const put = await client("PUT", "/new.txt", { body: "new", headers });
  assert.equal(put.status, 201);
  assert.equal(put.headers.get("x-oc-mtime"), "accepted");
  assert.equal(put.headers.get("oc-etag"), put.headers.get("etag"));
  const id = put.headers.get("oc-fileid");
  assert.match(id ?? "", /^\d{8,16}occubby$/);
  assert.equal((await Deno.stat(join(app.root, "new.txt"))).mtime?.getTime(), 1e12);
  const again = await client("PUT", "/new.txt", { body: "newer" });
  assert.notEqual(again.headers.get("etag"), put.headers.get("etag"));
  const made = await client("MKCOL", "/made");
  assert.match(made.headers.get("oc-fileid") ?? "", /^\d{8,16}occubby$/);
  const to = (path: string) => ({ headers: { destination: files + path } });
  const moved = await client("MOVE", "/new.txt", to("/made/moved.txt"));
  assert.equal(moved.headers.get("oc-fileid"), again.headers.get("oc-fileid"));
  const copied = await client("COPY", "/made/moved.txt", to("/made/copy.txt"));
  assert.match(copied.headers.get("oc-fileid") ?? "", /^\d{8,16}occubby$/);
  assert.notEqual(copied.headers.get("oc-fileid"), moved.headers.get("oc-fileid"));
  assert.equal(
    (await davClient(app)("HEAD", "/a.txt")).headers.get("oc-fileid"),
    null,
    "only here",
  );
});

Deno.test("a body over the quota is refused before its first byte", async () => {
  const { user } = await app.addUser("tight", { scope: "/home", quota: { bytes: 1000 } });
  const by = davClient(app, "tight", `/remote.php/dav/files/${user.username}`);
  let isRead = false;
  const body = new ReadableStream({
    pull(controller) {
      isRead = true;
      controller.enqueue(new Uint8Array(2000));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const put = await by("PUT", "/big.bin", { body, headers: { "oc-total-length": "2000" } });
  await assertError(put, 507, "Sabre\\DAV\\Exception\\InsufficientStorage");
  assert.equal(isRead, false);
});

Deno.test("a time that clients of Nextcloud refuse is told as the next one that they take", async () => {
  const times = { epoch: [0, 1], "1960": [-3e8, 1], far: [7e9, 2 ** 32 - 2], usual: [1e9, 1e9] };
  for (const [name, [time = 0, told = 0]] of Object.entries(times)) {
    const file = join(app.root, "box", name);
    await Deno.writeTextFile(file, name);
    const { success } = await new Deno.Command("touch", { args: ["-d", `@${time}`, file] })
      .output();
    assert.ok(success);
    const date = new Date(told * 1000).toUTCString();
    const body = propfind("d:getlastmodified");
    const found = await client("PROPFIND", `/box/${name}`, { headers: { depth: "0" }, body });
    const [entry = ""] = responsesIn(await found.text()).values();
    assert.equal(propertyIn(entry, "d:getlastmodified"), date);
    const got = await client("GET", `/box/${name}`);
    assert.equal(await got.text(), name);
    assert.equal(got.headers.get("last-modified"), date);
    assert.equal((await Deno.stat(file)).mtime?.getTime(), time * 1000);
    await Deno.remove(file);
  }
});

Deno.test("a desktop client that moves to a name taken meanwhile replaces nothing", async () => {
  await Deno.mkdir(join(app.root, "renamed/mine"), { recursive: true });
  await Deno.mkdir(join(app.root, "renamed/theirs"));
  await Deno.writeTextFile(join(app.root, "renamed/theirs/precious.txt"), "precious");
  for (const name of ["a", "b"]) await Deno.writeTextFile(join(app.root, "renamed", name), name);
  const move = (from: string, to: string, more: Record<string, string> = {}, by = client) =>
    by("MOVE", `/renamed/${from}`, { headers: { destination: `${files}/renamed/${to}`, ...more } });
  const failed = "Sabre\\DAV\\Exception\\PreconditionFailed";
  await assertError(await move("mine", "theirs"), 412, failed);
  await assertError(await move("a", "theirs"), 412, failed);
  await assertError(await move("a", "b"), 412, failed);
  const precious = join(app.root, "renamed/theirs/precious.txt");
  assert.equal(await Deno.readTextFile(precious), "precious");
  assert.equal(await Deno.readTextFile(join(app.root, "renamed/b")), "b");
  assert.equal((await move("a", "b", { overwrite: "T" })).status, 204);
  assert.equal((await move("b", "free")).status, 201);
  const drive = davClient(app, "admin", "/dav");
  assert.equal((await move("mine", "theirs", {}, drive)).status, 204);
});
