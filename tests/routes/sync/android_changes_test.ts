/** Nextcloud for Android: what it uploads and changes. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type AppAnswer, entriesIn, propfindFor } from "./app_calls.ts";
import { app, dav, exists, files, photo, read, replay, session } from "./android_app.ts";

Deno.test("Android uploads a photo by itself: its folders, the file, and a look at it", async () => {
  const folder = "/InstantUpload/2024/05";
  const make = (path: string, status: number) => ({
    does: "make a folder",
    method: "MKCOL",
    path: `${files}${path}`,
    status,
  });
  const put = {
    does: "upload a photo",
    method: "PUT",
    path: `${files}${folder}/IMG_1.jpg`,
    headers: {
      "oc-total-length": String(photo.length),
      "x-oc-mtime": "1714972089",
      "x-oc-ctime": "1714972000",
      "content-type": "image/jpeg",
    },
    body: photo,
    status: 201,
    reads({ headers }: AppAnswer) {
      assert.match(headers.get("etag") ?? "", /^"[^"]+"$/);
      assert.equal(headers.get("x-oc-mtime"), "accepted");
      assert.equal(headers.get("x-oc-ctime"), "accepted");
    },
  };
  await replay(
    exists(folder, 404),
    // It makes the parents one by one after 409.
    make(`${folder}/`, 409),
    make("/InstantUpload/", 201),
    make("/InstantUpload/2024/", 201),
    { ...make(`${folder}/`, 201), reads: ({ headers }) => assert.ok(headers.get("oc-fileid")) },
    make(`${folder}/`, 405),
    exists(`${folder}/IMG_1.jpg`, 404),
    put,
    read(`${folder}/IMG_1.jpg`, (answer) => {
      const [entry] = entriesIn(answer);
      assert.equal(entry?.get("d:getlastmodified"), "Mon, 06 May 2024 05:08:09 GMT");
      assert.equal(entry?.get("nc:creation_time"), "1714972000");
      assert.match(entry?.get("nc:upload_time") ?? "", /^\d+$/);
    }),
    exists(`${folder}/IMG_1.jpg`, 200),
    {
      ...put,
      does: "replace what it knows",
      headers: { ...put.headers, "if-match": '"another"' },
      status: 412,
      reads: undefined,
    },
  );
  assert.deepEqual(await Deno.readFile(join(app.root, "anna", folder, "IMG_1.jpg")), photo);
});

Deno.test("Android uploads a large file in chunks, and goes on after a break", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(2_500_000).subarray(0, 65_536));
  const file = new Uint8Array(2_500_000);
  for (let at = 0; at < file.length; at += bytes.length) {
    file.set(bytes.subarray(0, Math.min(bytes.length, file.length - at)), at);
  }
  const size = 1_024_000;
  const uploads = `${dav}/uploads/anna/${createHash("md5").update(file).digest("hex")}`;
  const destination = `http://cubby.test${files}/video%20%231.mp4`;
  const begin = {
    does: "begin, again after a break",
    method: "MKCOL",
    path: uploads,
    headers: { destination },
  };
  let come: string[] = [];
  const look = {
    does: "see what has come",
    method: "PROPFIND",
    path: uploads,
    headers: { depth: "1" },
    body: propfindFor(["d:getcontenttype", "d:resourcetype", "d:getcontentlength"]),
    status: 207,
    reads(answer: AppAnswer) {
      const [itself, ...chunks] = entriesIn(answer);
      assert.ok(itself?.isFolder);
      come = chunks.map(({ href, get }) => {
        assert.ok(!get("d:resourcetype"));
        return `${href.slice(uploads.length + 1)} ${get("d:getcontentlength")}`;
      });
    },
  };
  const send = (id: number) => ({
    does: "send a chunk",
    method: "PUT",
    path: `${uploads}/${String(id).padStart(6, "0")}`,
    headers: { destination, "content-type": "video/mp4" },
    body: file.slice((id - 1) * size, id * size),
    status: 201,
  });
  await replay({ ...begin, status: 201 }, look, send(1));
  await replay({ ...begin, status: 405 }, look);
  assert.deepEqual(come, [`000001 ${size}`]);
  await replay(
    send(2),
    send(3),
    {
      does: "put them together",
      method: "MOVE",
      path: `${uploads}/.file`,
      headers: {
        destination,
        overwrite: "T",
        "x-oc-mtime": "1714972089",
        "x-oc-ctime": "1714972000",
      },
      status: 201,
      reads: ({ headers }) => assert.match(headers.get("oc-fileid") ?? "", /^\d{8,}/),
    },
    read("/video%20%231.mp4", (answer) => {
      const [entry] = entriesIn(answer);
      assert.equal(entry?.get("d:getcontentlength"), String(file.length));
      assert.equal(entry?.get("nc:creation_time"), "1714972000");
    }),
  );
  assert.deepEqual(await Deno.readFile(join(app.root, "anna/video #1.mp4")), file);
});

Deno.test("Android renames, moves, copies, downloads and deletes", async () => {
  await Deno.mkdir(join(app.root, "anna/work"));
  await Deno.writeTextFile(join(app.root, "anna/work/a b.txt"), "text");
  const transfer = (method: string, from: string, to: string, more: object) => ({
    does: "move or copy",
    method,
    path: `${files}${from}`,
    headers: { destination: `http://cubby.test${files}${to}`, overwrite: "T", ...more },
    status: 201,
  });
  const from = "/work/a%20b.txt";
  await replay(
    exists("/work/c.txt", 404),
    transfer("MOVE", from, "/work/c.txt", {}),
    transfer("COPY", "/work/c.txt", "/work/d.txt", { overwrite: "F" }),
    { ...transfer("COPY", "/work/c.txt", "/work/d.txt", { overwrite: "F" }), status: 412 },
    transfer("MOVE", "/work/", "/docs/work/", { overwrite: "F" }),
    {
      does: "download",
      method: "GET",
      path: `${files}/docs/work/c.txt`,
      status: 200,
      reads({ text, headers }) {
        assert.equal(text, "text");
        assert.match(headers.get("etag") ?? "", /^"/);
        assert.equal(headers.get("content-length"), "4");
      },
    },
    { does: "delete", method: "DELETE", path: `${files}/docs/work/`, status: 204 },
    { does: "delete again", method: "DELETE", path: `${files}/docs/work/`, status: 404 },
  );
});

Deno.test("Android lists the trash and the versions of a file, and restores from them", async () => {
  const asUser = { token: session };
  const saved = await app.call("PUT", "/api/resources/note.md", { ...asUser, body: "# Second" });
  assert.ok(saved.ok, await saved.text());
  await Deno.writeTextFile(join(app.root, "anna/gone.txt"), "gone");
  const thrown = await app.call("DELETE", "/api/resources/gone.txt?trash=true", asUser);
  assert.ok(thrown.ok, await thrown.text());
  let id = "";
  await replay(read("/note.md", (answer) => {
    id = entriesIn(answer)[0]?.get("oc:fileid") ?? "";
  }));
  const [versions, trash] = await replay({
    does: "list the versions",
    method: "PROPFIND",
    path: `${dav}/versions/anna/versions/${id}`,
    headers: { depth: "1" },
    body: propfindFor([
      ...["d:getcontenttype", "d:resourcetype", "d:getcontentlength", "d:getlastmodified"],
      ...["d:creationdate", "oc:id", "oc:size"],
    ]),
    status: 207,
  }, {
    does: "list the trash",
    method: "PROPFIND",
    path: `${dav}/trashbin/anna/trash/`,
    headers: { depth: "1" },
    body: propfindFor([
      ...["d:resourcetype", "d:getcontenttype", "d:getcontentlength", "oc:size", "oc:id"],
      ...["nc:trashbin-filename", "nc:trashbin-original-location", "nc:trashbin-deletion-time"],
    ]),
    status: 207,
  });
  const [, version] = entriesIn(versions as AppAnswer);
  assert.equal(version?.get("d:getcontentlength"), "6");
  const [, thrownAway] = entriesIn(trash as AppAnswer);
  assert.equal(thrownAway?.get("nc:trashbin-filename"), "gone.txt");
  assert.equal(thrownAway?.get("nc:trashbin-original-location"), "gone.txt");
  assert.match(thrownAway?.get("nc:trashbin-deletion-time") ?? "", /^\d+$/);
  await replay(
    {
      does: "restore a version",
      method: "MOVE",
      path: version?.href ?? "",
      headers: {
        destination: `http://cubby.test${dav}/versions/anna/restore/${id}`,
        overwrite: "T",
      },
      status: 201,
    },
    {
      does: "restore a deleted file",
      method: "MOVE",
      path: thrownAway?.href ?? "",
      headers: {
        destination: `http://cubby.test${dav}/trashbin/anna/restore/gone.txt`,
        overwrite: "T",
      },
      status: 201,
    },
    { does: "empty the trash", method: "DELETE", path: `${dav}/trashbin/anna/trash`, status: 204 },
  );
  assert.equal(await Deno.readTextFile(join(app.root, "anna/note.md")), "# Note");
  assert.equal(await Deno.readTextFile(join(app.root, "anna/gone.txt")), "gone");
});
