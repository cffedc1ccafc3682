/** What Finder and the Explorer send, in their order, as their users open, save and rename files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { davClient, hrefsOf, wanting } from "../../support/clients/dav.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { webdav: true },
  tree: { "a.txt": "one", folder: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);
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
