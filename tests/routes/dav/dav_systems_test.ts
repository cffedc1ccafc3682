/** What Finder and the Explorer send, in their order, as their users open, save and rename files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic, davClient, hrefsOf, wanting } from "../../support/clients/dav.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { webdav: true },
  tree: { "a.txt": "one", folder: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const dav = davClient(app);

const lockInfo = (owner: string) =>
  '<?xml version="1.0" encoding="utf-8"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>' +
  `</D:lockscope><D:locktype><D:write/></D:locktype><D:owner>${owner}</D:owner></D:lockinfo>`;

/** Locks a path as a system does, and gives the token with its angle brackets. */
async function lock(path: string, owner: string, timeout: string): Promise<string> {
  const headers = { depth: "0", timeout, "content-type": "text/xml" };
  const answer = await dav("LOCK", path, { headers, body: lockInfo(owner) });
  const xml = await answer.text();
  assert.ok(answer.status === 200 || answer.status === 201, xml);
  const token = answer.headers.get("lock-token") ?? "";
  assert.ok(xml.includes(token.slice(1, -1)), "clients read the token in either place");
  return token;
}

Deno.test("Finder opens a folder, and asks for what only it knows", async () => {
  const asked = wanting(
    ...["getlastmodified", "getcontentlength", "creationdate", "resourcetype", "displayname"],
    ...["quota-available-bytes", "quota-used-bytes"],
  );
  const headers = { depth: "0", "user-agent": "WebDAVFS/3.0.0 (03008000) Darwin/23.0.0" };
  const root = await dav("PROPFIND", "/", { headers, body: asked });
  assert.equal(root.status, 207);
  assert.match(await root.text(), /quota-available-bytes>\d+</);
  for (
    const name of [
      ...[
        "._.",
        ".hidden",
        ".DS_Store",
        ".metadata_never_index",
        ".Spotlight-V100",
        ".ql_disablethumbnails",
      ],
      ...["Contents", "._a.txt", "folder/._b.txt", ".ql_disablecache", "mach_kernel"],
    ]
  ) {
    await assertStatus(await dav("PROPFIND", `/${name}`, { headers, body: asked }), 404, name);
  }
});

Deno.test("Finder saves a file with its companion, under locks that it refreshes", async () => {
  const owner = "<D:href>http://www.apple.com/webdav_fs/</D:href>";
  for (const path of ["/folder/report%20%C3%A4.txt", "/folder/._report%20%C3%A4.txt"]) {
    await assertStatus(await dav("PUT", path, { body: "" }), 201, path);
    const token = await lock(path, owner, "Second-600");
    const stream = new Blob(["content of ", path]).stream();
    const put = await dav("PUT", path, {
      headers: {
        "x-expected-entity-length": String(11 + path.length),
        if: `(${token})`,
        "content-type": "text/plain",
      },
      body: stream,
    });
    assert.ok(put.status === 204 || put.status === 201, `${path}: ${put.status}`);
    await put.body?.cancel();
    const refreshed = await dav("LOCK", path, {
      headers: { if: `(${token})`, timeout: "Second-600" },
    });
    assert.equal(refreshed.status, 200);
    assert.match(await refreshed.text(), /Second-600/);
    const headers = { "lock-token": token };
    await assertStatus(await dav("UNLOCK", path, { headers }), 204, path);
    const got = await dav("GET", path);
    assert.equal(await got.text(), `content of ${path}`);
  }
  const listed = await dav("PROPFIND", "/folder/", { headers: { depth: "1" } });
  assert.equal(
    hrefsOf(await listed.text()).filter((href) => href.includes("report")).length,
    2,
  );
  await assertStatus(await dav("DELETE", "/folder/._report%20%C3%A4.txt"), 204);
});

Deno.test("who is shown no hidden files saves by Finder all the same", async () => {
  const { user } = await app.addUser("fay", { scope: "/folder", hideDotfiles: true });
  const fay = davClient(app, user.username);
  await assertStatus(await fay("PUT", "/note.txt", { body: "note" }), 201);
  // The companion is as good as not there: Finder does without, and the file is saved.
  const companion = await fay("PUT", "/._note.txt", { body: "x" });
  assert.ok(companion.status < 500, String(companion.status));
  await companion.body?.cancel();
  const listed = await fay("PROPFIND", "/", { headers: { depth: "1" } });
  const hrefs = hrefsOf(await listed.text());
  assert.ok(hrefs.includes("/dav/note.txt") && !hrefs.some((href) => href.includes("._")));
});

Deno.test("the Explorer finds the drive, and probes for its own files", async () => {
  const options = await app.call("OPTIONS", "/");
  assert.equal(options.headers.get("ms-author-via"), "DAV");
  assert.match(options.headers.get("dav") ?? "", /\b1\b.*\b2\b/);
  const headers = {
    depth: "0",
    translate: "f",
    "user-agent": "Microsoft-WebDAV-MiniRedir/10.0.19045",
    "content-length": "0",
  };
  await assertStatus(await dav("PROPFIND", "/", { headers }), 207);
  for (
    const name of [
      ...["Desktop.ini", "desktop.ini", "AutoRun.inf", "Thumbs.db", "folder.jpg", "folder.gif"],
      ...["folder/desktop.ini", "~$a.txt", "a.txt:Zone.Identifier"],
    ]
  ) {
    const path = `/${name.split("/").map(encodeURIComponent).join("/")}`;
    await assertStatus(await dav("PROPFIND", path, { headers }), 404, name);
  }
});

Deno.test("the Explorer copies a file to the drive with its times and attributes", async () => {
  const path = "/folder/Budget%202026.txt";
  const headers = { translate: "f", "user-agent": "Microsoft-WebDAV-MiniRedir/10.0.19045" };
  await assertStatus(await dav("PUT", path, { headers, body: "" }), 201);
  const token = await lock(path, "<D:href>DESKTOP\\anna</D:href>", "Second-3600");
  await assertStatus(await dav("HEAD", path, { headers }), 200);
  const held = { ...headers, if: `(${token})` };
  await assertStatus(await dav("PUT", path, { headers: held, body: "figures" }), 204);
  const time = "Sun, 09 Sep 2001 01:46:40 GMT";
  const wanted = ["Win32CreationTime", "Win32LastAccessTime", "Win32LastModifiedTime"]
    .map((name) => `<Z:${name}>${time}</Z:${name}>`).join("");
  const body = '<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" ' +
    'xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop>' + wanted +
    "<Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>";
  const patched = await dav("PROPPATCH", path, { headers: held, body });
  const xml = await patched.text();
  assert.equal(patched.status, 207, xml);
  assert.doesNotMatch(xml, /HTTP\/1\.1 [345]/);
  for (const name of ["Win32CreationTime", "Win32LastModifiedTime", "Win32FileAttributes"]) {
    assert.ok(xml.includes(name), name);
  }
  await assertStatus(
    await dav("UNLOCK", path, { headers: { ...headers, "lock-token": token } }),
    204,
  );
  const told = await dav("PROPFIND", path, { headers: { ...headers, depth: "0" } });
  assert.match(await told.text(), /getlastmodified>Sun, 09 Sep 2001 01:46:40 GMT</);
  const { mtime } = await Deno.stat(join(app.root, "folder/Budget 2026.txt"));
  assert.equal(mtime?.getTime(), 1e12);

  // A rename, with the whole address, as the Explorer writes it.
  const destination = "http://cubby.test/dav/folder/Budget%202027.txt";
  const moving = { ...headers, destination, overwrite: "F" };
  await assertStatus(await dav("MOVE", path, { headers: moving }), 201);
  await assertStatus(await dav("HEAD", "/folder/Budget%202027.txt"), 200);
});

Deno.test("without Depth a file is told, and a folder not: it would be all below it", async () => {
  const requests: Record<string, string>[] = [{}, { depth: "infinity" }, { depth: "Infinity" }];
  for (const headers of requests) {
    const file = await dav("PROPFIND", "/a.txt", { headers });
    assert.equal(file.status, 207);
    assert.deepEqual(hrefsOf(await file.text()), ["/dav/a.txt"]);
    const folder = await dav("PROPFIND", "/folder/", { headers });
    assert.equal(folder.status, 403);
    assert.match(await folder.text(), /propfind-finite-depth/);
  }
});

const odd = "#%?日本 `.txt";
const escaped = encodeURIComponent(odd);

Deno.test("Word saves a document: a lock, a temporary file, and three renames", async () => {
  const headers = { translate: "f", "user-agent": "Microsoft-WebDAV-MiniRedir/10.0.19045" };
  const [document, owner] = [`/folder/${escaped}`, `/folder/~$${escaped}`];
  const [temporary, former] = ["/folder/A1B2C3D4.tmp", "/folder/E5F60718.tmp"];
  await assertStatus(await dav("PUT", document, { headers, body: "first" }), 201);
  // While it is open, Word keeps a small file that names who has it.
  await assertStatus(await dav("PUT", owner, { headers, body: "" }), 201);
  const ownerToken = await lock(owner, "<D:href>DESKTOP\\anna</D:href>", "Second-3600");
  const ownerHeld = { ...headers, if: `(${ownerToken})` };
  await assertStatus(await dav("PUT", owner, { headers: ownerHeld, body: "anna" }), 204);

  await assertStatus(await dav("PUT", temporary, { headers, body: "" }), 201);
  const token = await lock(temporary, "<D:href>DESKTOP\\anna</D:href>", "Second-3600");
  const held = { ...headers, if: `(${token})` };
  await assertStatus(await dav("PUT", temporary, { headers: held, body: "second" }), 204);
  const unlock = { ...headers, "lock-token": token };
  await assertStatus(await dav("UNLOCK", temporary, { headers: unlock }), 204);
  const move = async (from: string, to: string) => {
    const destination = `http://cubby.test/dav${to}`;
    const moving = { ...headers, destination, overwrite: "F" };
    await assertStatus(await dav("MOVE", from, { headers: moving }), 201, `${from} ${to}`);
  };
  await move(document, former);
  await move(temporary, document);
  await assertStatus(await dav("DELETE", former, { headers }), 204);
  await assertStatus(await dav("DELETE", owner, { headers }), 423);
  await assertStatus(await dav("DELETE", owner, { headers: ownerHeld }), 204);
  assert.equal(await Deno.readTextFile(join(app.root, "folder", odd)), "second");
  const left = [...Deno.readDirSync(join(app.root, "folder"))].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => /tmp|~/.test(name)), []);
  assert.deepEqual(await app.cubby.locks?.all(), []);
  await assertStatus(await dav("DELETE", document), 204);
});

Deno.test("an Office program that opens by address locks, reads, saves and unlocks in place", async () => {
  const path = `/folder/office%20${escaped}`;
  const headers = { "user-agent": "Microsoft Office Word 2014", "x-office-version": "16.0.10730" };
  await assertStatus(await dav("PUT", path, { body: "first" }), 201);
  for (const parent of ["/", "/folder/", "/folder"]) {
    await assertStatus(await dav("OPTIONS", parent, { headers }), 200, parent);
  }
  await assertStatus(await dav("HEAD", path, { headers }), 200);
  const token = await lock(path, "<D:href>anna</D:href>", "Second-3600");
  const held = { ...headers, if: `(${token})` };
  for (const body of ["", "second", "third"]) {
    await assertStatus(await dav("PUT", path, { headers: held, body }), 204);
    const refreshed = await dav("LOCK", path, { headers: { ...held, timeout: "Second-3600" } });
    await assertStatus(refreshed, 200);
  }
  // Another program, and the browser, meanwhile.
  await assertStatus(await dav("PUT", path, { body: "other" }), 423);
  const session = await app.tokenOf("admin");
  const saved = await app.call("PUT", `/api/resources${path}`, { token: session, body: "page" });
  await assertStatus(saved, 423);
  await assertStatus(await dav("UNLOCK", path, { headers: { "lock-token": token } }), 204);
  assert.equal(await (await dav("GET", path)).text(), "third");
  await assertStatus(await dav("DELETE", path), 204);
});

Deno.test("GNOME and KDE look at each parent, read ranges, and move a locked folder", async () => {
  const path = `/folder/${escaped}`;
  const put = await dav("PUT", path, { headers: { "if-none-match": "*" }, body: "0123456789" });
  await assertStatus(put, 201);
  const exists = await dav("PUT", path, { headers: { "if-none-match": "*" }, body: "x" });
  await assertStatus(exists, 412);
  const asked = wanting("resourcetype", "getcontentlength", "getetag", "getlastmodified");
  for (const parent of ["/", "/folder", "/folder/", path]) {
    const answer = await dav("PROPFIND", parent, { headers: { depth: "0" }, body: asked });
    assert.equal(answer.status, 207, parent);
    const [href = ""] = hrefsOf(await answer.text());
    // A collection ends with a slash, whichever way it was asked for.
    assert.equal(href, parent === path ? `/dav${path}` : `/dav${parent}`.replace(/\/*$/, "/"));
  }
  for (
    const [range, status, text] of [
      ["bytes=0-3", 206, "0123"],
      ["bytes=8-", 206, "89"],
      ["bytes=-2", 206, "89"],
      ["bytes=20-", 416, null],
    ] as const
  ) {
    const authorization = basic(app.admin.username, app.admin.password);
    const answer = await fetch(`${url}/dav${path}`, { headers: { authorization, range } });
    const body = await answer.text();
    assert.equal(answer.status, status, range);
    if (text !== null) assert.equal(body, text, range);
  }

  await assertStatus(await dav("MKCOL", "/box"), 201);
  await assertStatus(await dav("PUT", "/box/in.txt", { body: "in" }), 201);
  const token = await lock("/box/in.txt", "<D:href>kio</D:href>", "Infinite");
  const headers = { destination: "http://anna@cubby.test/dav/moved%20box", overwrite: "F" };
  await assertStatus(await dav("MOVE", "/box", { headers }), 423);
  const held = { ...headers, if: `<http://cubby.test/dav/box/in.txt> (${token})` };
  await assertStatus(await dav("MOVE", "/box", { headers: held }), 201);
  assert.deepEqual(await app.cubby.locks?.all(), [], "a lock does not move (RFC 4918, 7.5)");
  await assertStatus(await dav("PUT", "/moved%20box/in.txt", { body: "free" }), 204);
  for (const gone of ["/moved%20box", path]) await assertStatus(await dav("DELETE", gone), 204);
});
