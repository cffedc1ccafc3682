/** Nextcloud for iOS: what it uploads and changes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { basic } from "../../support/clients/dav.ts";
import { type AppAnswer, entriesIn, entryNamed, propfindFor } from "./app_calls.ts";
import { app, dav, files, list, listed, read, replay, session, upload, user } from "./ios_app.ts";

Deno.test("iOS uploads a photo by itself: its folders, the file, and a look at it", async () => {
  const put = {
    does: "upload a photo",
    method: "PUT",
    path: `${files}/Upload/2024/05/IMG%20'2'.jpg`,
    headers: {
      "x-oc-ctime": "1714972000.5241",
      "x-oc-mtime": "1714972089.123",
      overwrite: "true",
    },
    body: "a photo",
    status: 201,
    reads({ headers }: AppAnswer) {
      assert.match(headers.get("oc-fileid") ?? "", /^\d{8,}/);
      assert.match(headers.get("oc-etag") ?? "", /^"[^"]+"$/);
      assert.ok(!Number.isNaN(Date.parse(headers.get("date") ?? new Date().toUTCString())));
    },
  };
  const make = (path: string, status: number) => ({
    does: "make a folder",
    method: "MKCOL",
    path: `${files}${path}`,
    status,
  });
  await upload({ ...put, status: 409, reads: undefined });
  await replay(make("/Upload", 201), make("/Upload", 405), make("/Upload/2024", 201));
  // Newer apps leave the folders to the server.
  await upload({ ...put, headers: { ...put.headers, "x-nc-webdav-auto-mkcol": "1" } });
  await upload({ ...put, status: 204 });
  await replay(read("/Upload/2024/05/IMG%20'2'.jpg", (answer) => {
    const [entry] = entriesIn(answer);
    assert.equal(entry?.get("d:getlastmodified"), "Mon, 06 May 2024 05:08:09 GMT");
    assert.equal(entry?.get("nc:creation_time"), "1714972000");
  }));
});

Deno.test("folders on the way of an upload are made under locks, rules and rights alone", async () => {
  const put = (path: string, headers: Record<string, string>, status: number) => ({
    does: "upload below folders that are not there",
    method: "PUT",
    path: `${files}${path}`,
    headers,
    body: "x",
    status,
  });
  const asks = { "x-nc-webdav-automkcol": "1" };
  await upload(
    put("/none/a/x.txt", {}, 409),
    put("/none/a/x.txt", { "x-nc-webdav-automkcol": "0" }, 409),
    put("/note.md/a/x.txt", asks, 409),
    put("/none/a/x.txt", {
      ...asks,
      "oc-checksum": "SHA1:0000000000000000000000000000000000000000",
    }, 400),
  );
  await assert.rejects(Deno.stat(join(app.root, user, "none")), "a failed upload leaves no folder");
  await Deno.mkdir(join(app.root, user, "held"));
  const admin = { authorization: basic(app.admin.username, app.admin.password), depth: "0" };
  const held = await app.call("LOCK", `${dav}/files/admin/${encodeURIComponent(user)}/held`, {
    headers: admin,
    body:
      '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype>' +
      "</lockinfo>",
  });
  assert.equal(held.status, 200, await held.text());
  await upload(put("/held/new/x.txt", asks, 423));
  await assert.rejects(Deno.stat(join(app.root, user, "held/new")));
});

Deno.test("iOS uploads a large file in chunks, and knows it by the headers of the MOVE", async () => {
  const uploads = `${dav}/uploads/anna%20b/6B29FC40-CA47-1067-B31D-00DD010662DA`;
  // It leaves signs alone that may stand in an address.
  const destination = `http://cubby.test${files}/film%20(1)!,%20it's;%20a=b.mov`;
  const more = { destination, "oc-total-length": "2500" };
  const bytes = crypto.getRandomValues(new Uint8Array(2500));
  await replay(
    {
      ...read(""),
      does: "look for an upload",
      path: uploads,
      headers: { depth: "0", ...more },
      status: 404,
    },
    { does: "begin it", method: "MKCOL", path: uploads, headers: more, status: 201 },
  );
  for (const [at, name] of [[0, "1"], [1000, "2"], [2000, "3"]] as const) {
    await upload({
      does: "send a chunk",
      method: "PUT",
      path: `${uploads}/${name}`,
      headers: more,
      body: bytes.slice(at, at + 1000),
      status: 201,
    });
  }
  await replay(
    { ...read(""), does: "go on after a break", path: uploads, headers: { depth: "0" } },
    {
      does: "put them together",
      method: "MOVE",
      path: `${uploads}/.file`,
      headers: {
        ...more,
        overwrite: "T",
        "x-oc-mtime": "1714972089.5",
        "x-oc-ctime": "1714972000.5",
      },
      status: 201,
      reads({ headers }) {
        assert.match(headers.get("oc-fileid") ?? "", /^\d{8,}/);
        assert.match(headers.get("oc-etag") ?? "", /^"[^"]+"$/);
      },
    },
  );
  assert.deepEqual(await Deno.readFile(join(app.root, user, "film (1)!, it's; a=b.mov")), bytes);
});

Deno.test("iOS links the two files of a live photo, and finds the link in listings", async () => {
  let id = "";
  await replay(
    read("/Photos/IMG_1.mov", (answer) => id = entriesIn(answer)[0]?.get("oc:fileid") ?? ""),
  );
  await replay(
    {
      does: "link a live photo",
      method: "PROPPATCH",
      path: `${files}/Photos/IMG_1.heic`,
      body: `<?xml version="1.0"?><d:propertyupdate xmlns:d="DAV:" ` +
        `xmlns:nc="http://nextcloud.org/ns"><d:set><d:prop><nc:metadata-files-live-photo>${id}` +
        "</nc:metadata-files-live-photo></d:prop></d:set></d:propertyupdate>",
      status: 207,
      reads: ({ text }) => assert.match(text, /200 OK/),
    },
    list("/Photos/", (answer) => {
      assert.equal(entryNamed(answer, "IMG_1.heic").get("nc:metadata-files-live-photo"), id);
      assert.equal(entryNamed(answer, "IMG_1.mov").get("nc:metadata-files-live-photo"), undefined);
    }),
  );
});

Deno.test("iOS renames, copies and deletes, and lists the trash", async () => {
  await Deno.writeTextFile(join(app.root, user, "a#b.txt"), "text");
  const transfer = (method: string, to: string, overwrite: string, status: number) => ({
    does: "move or copy",
    method,
    path: `${files}/${method === "MOVE" ? "a%23b.txt" : "c.txt"}`,
    headers: { destination: `http://cubby.test${files}/${to}`, overwrite },
    status,
  });
  await replay(
    transfer("MOVE", "c.txt", "F", 201),
    transfer("COPY", "d.txt", "F", 201),
    transfer("COPY", "d.txt", "F", 412),
    transfer("COPY", "d.txt", "T", 204),
    { does: "delete", method: "DELETE", path: `${files}/d.txt`, status: 204 },
  );
  const thrown = await app.call("DELETE", "/api/resources/c.txt?trash=true", { token: session });
  assert.ok(thrown.ok, await thrown.text());
  const trash = `${dav}/trashbin/anna%20b/trash/`;
  const [answer] = await replay({
    ...list(""),
    does: "list the trash",
    path: trash,
    body: propfindFor([
      ...listed,
      ...["nc:trashbin-filename", "nc:trashbin-original-location", "nc:trashbin-deletion-time"],
    ]),
    reads(answer) {
      const [first, entry] = entriesIn(answer);
      assert.ok(first?.isFolder, "the first one is passed over");
      assert.equal(entry?.get("nc:trashbin-filename"), "c.txt");
      assert.match(entry?.get("oc:fileid") ?? "", /^\d+$/);
      assert.equal(entry?.get("oc:size"), "4");
    },
  });
  const [, entry] = entriesIn(answer as AppAnswer);
  await replay(
    {
      does: "restore",
      method: "MOVE",
      path: entry?.href ?? "",
      headers: { destination: `http://cubby.test${dav}/trashbin/anna%20b/restore/c.txt` },
      status: 201,
    },
    { does: "empty the trash", method: "DELETE", path: trash, status: 204 },
  );
});
