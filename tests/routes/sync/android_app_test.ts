/** Nextcloud for Android: its calls, and what it reads of the answers. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { quarters } from "../../support/data/pictures.ts";
import {
  type AppAnswer,
  assertShown,
  entriesIn,
  entryNamed,
  prop,
  propfindFor,
  replayOf,
  signInByBrowser,
} from "./app_calls.ts";

const photo = new Uint8Array(
  await quarters(60, 40).jpeg().withExif({
    IFD2: { DateTimeOriginal: "2024:05:06 07:08:09", OffsetTimeOriginal: "+02:00" },
    IFD3: {
      GPSLatitudeRef: "N",
      GPSLatitude: "48/1 30/1 0/1",
      GPSLongitudeRef: "E",
      GPSLongitude: "9/1 0/1 0/1",
    },
  }).toBuffer(),
);
const app = await startApp({
  config: { syncClients: true },
  tree: { anna: { "note.md": "# Note", Photos: { "sea.jpg": photo }, docs: { deep: {} } } },
});
Deno.test.afterAll(app.close);
const { token: session } = await app.addUser("anna", { scope: "anna" });
const agent = { "user-agent": "Mozilla/5.0 (Android) Nextcloud-android/3.31.0" };
const ocs = { ...agent, "ocs-apirequest": "true" };
const anyone = replayOf(app, agent);
const { password, told } = await signInByBrowser(app, anyone, session, "body");
const replay = replayOf(app, { ...agent, authorization: basic("anna", password) });
const asOcs = replayOf(app, { ...ocs, authorization: basic("anna", password) });
const dav = "/remote.php/dav";
const files = `${dav}/files/anna`;

/** What it asks of the entries of a folder. */
const listed = [
  ...["d:displayname", "d:getcontenttype", "d:resourcetype", "d:getcontentlength"],
  ...["d:getlastmodified", "d:creationdate", "d:getetag", "oc:permissions", "oc:fileid", "oc:id"],
  ...["oc:size", "oc:favorite", "nc:is-encrypted", "nc:mount-type", "oc:owner-id"],
  ...["oc:owner-display-name", "oc:comments-unread", "nc:has-preview", "nc:note", "nc:sharees"],
  ...["nc:rich-workspace", "nc:creation_time", "nc:upload_time", "nc:lock", "nc:lock-owner-type"],
  ...["nc:lock-owner", "nc:lock-owner-displayname", "nc:lock-owner-editor", "nc:lock-time"],
  ...["nc:lock-timeout", "nc:lock-token", "nc:system-tags", "nc:system-tags-color"],
  ...["nc:file-metadata-size", "nc:file-metadata-gps", "nc:metadata-photos-size"],
  ...["nc:metadata-photos-gps", "nc:metadata-files-live-photo", "nc:hidden"],
  "nc:share-download-limits",
];

/** It parses these as numbers, and fails on any other text. */
function assertNumbers(entry: ReturnType<typeof entryNamed>): void {
  for (const name of ["oc:fileid", "oc:size", "oc:comments-unread", "nc:lock"]) {
    assert.match(entry.get(name) ?? "", /^\d+$/, name);
  }
}

const list = (path: string, reads?: (answer: AppAnswer) => void) => ({
  does: "list a folder",
  method: "PROPFIND",
  path: `${files}${path}`,
  headers: { depth: "1", "content-type": "text/xml; charset=UTF-8" },
  body: propfindFor(listed),
  status: 207,
  reads,
});
const read = (path: string, reads?: (answer: AppAnswer) => void) => ({
  ...list(path, reads),
  does: "read one entry",
  headers: { depth: "0", "content-type": "text/xml; charset=UTF-8" },
});
const exists = (path: string, status: number) => ({
  does: "look whether an entry is there",
  method: "HEAD",
  path: `${files}${path}`,
  status,
});

Deno.test("Android signs in by the browser, and reads capabilities and the account", async () => {
  assert.deepEqual([told.server, told.loginName], ["http://cubby.test", "anna"]);
  await anyone(
    { does: "look for another server's doors", method: "GET", path: "/index.php/204", status: 204 },
    { does: "see that a password is wanted", method: "HEAD", path: `${dav}`, status: 401 },
  );
  await asOcs(
    {
      does: "read the capabilities",
      method: "GET",
      path: "/ocs/v2.php/cloud/capabilities?format=json",
      status: 200,
      reads({ text }) {
        const { version, capabilities } = JSON.parse(text).ocs.data;
        assert.deepEqual(Object.keys(version).filter((name) => name.length === 5), [
          "major",
          "minor",
          "micro",
        ]);
        assert.equal(capabilities.files.bigfilechunking, true);
        assert.equal(typeof capabilities.core.pollinterval, "number");
        for (
          const absent of ["activity", "notifications", "user_status", "end-to-end-encryption"]
        ) {
          assert.ok(!(absent in capabilities), absent);
        }
      },
    },
    {
      does: "read the account",
      method: "GET",
      path: "/ocs/v2.php/cloud/user?format=json",
      status: 200,
      reads({ text }) {
        const { id, "display-name": name, quota } = JSON.parse(text).ocs.data;
        assert.deepEqual([id, name], ["anna", "anna"]);
        for (const part of ["free", "used", "total", "relative", "quota"]) {
          assert.equal(typeof quota[part], "number", part);
        }
      },
    },
    {
      does: "read the account by its name",
      method: "GET",
      path: "/ocs/v2.php/cloud/users/anna?format=json",
      status: 200,
    },
  );
});

Deno.test("what Android asks of apps that are not here ends the matter, by one answer", async () => {
  const absent = [
    "/ocs/v2.php/apps/notifications/api/v2/notifications?format=json",
    "/ocs/v2.php/apps/activity/api/v2/activity?format=json",
    "/ocs/v2.php/apps/user_status/api/v1/user_status?format=json",
    "/ocs/v2.php/apps/user_status/api/v1/predefined_statuses?format=json",
    "/ocs/v2.php/apps/external/api/v1?format=json",
    "/ocs/v2.php/apps/files/api/v1/directEditing?format=json",
    "/ocs/v2.php/apps/dashboard/api/v1/widgets?format=json",
    "/ocs/v2.php/apps/recommendations/api/v1/recommendations?format=json",
    "/ocs/v2.php/apps/end_to_end_encryption/api/v1/public-key?format=json",
    "/ocs/v2.php/apps/terms_of_service/terms?format=json",
    "/ocs/v2.php/apps/text/workspace/direct?format=json",
    "/ocs/v2.php/hovercard/v1/anna?format=json",
    "/ocs/v2.php/search/providers?format=json",
    "/ocs/v2.php/core/getapppassword-onetime?format=json",
    "/ocs/v2.php/taskprocessing/tasktypes?format=json",
  ];
  for (const path of absent) {
    await asOcs({
      does: "ask an app",
      method: "GET",
      path,
      status: 404,
      reads({ text }) {
        const { meta, data } = JSON.parse(text).ocs;
        assert.deepEqual([meta.statuscode, data], [998, []]);
      },
    });
  }
  await replay(
    {
      does: "show the user's picture",
      method: "GET",
      path: "/index.php/avatar/anna/96",
      status: 404,
    },
    {
      does: "look for a wipe",
      method: "POST",
      path: "/index.php/core/wipe/check",
      body: "token=x",
      status: 404,
    },
    {
      does: "list group folders",
      method: "GET",
      path: "/index.php/apps/groupfolders/folders",
      status: 404,
    },
    { does: "list tags", method: "PROPFIND", path: `${dav}/systemtags/`, status: 404 },
    { does: "list comments", method: "PROPFIND", path: `${dav}/comments/files/1`, status: 404 },
    { does: "list albums", method: "PROPFIND", path: `${dav}/photos/anna/albums/`, status: 404 },
    {
      does: "register for pushed news",
      method: "POST",
      path: "/ocs/v2.php/apps/notifications/api/v2/push?format=json",
      headers: { "ocs-apirequest": "true" },
      status: 404,
    },
  );
});

Deno.test("Android lists folders, and looks whether one has changed", async () => {
  let etag = "";
  await replay(
    list("/", (answer) => {
      const [root, ...below] = entriesIn(answer);
      assert.equal(root?.href, `${files}/`);
      assert.ok(below.length >= 3);
      for (const entry of entriesIn(answer)) {
        assertShown(entry);
        assertNumbers(entry);
        // It shows the name at the end of the address.
        assert.ok(entry.href.startsWith(`${files}/`));
      }
      const note = entryNamed(answer, "/note.md");
      assert.equal(note.get("d:getcontentlength"), "6");
      assert.equal(note.get("nc:is-encrypted"), "0");
      assert.equal(note.get("oc:owner-id"), "anna");
      assert.match(note.get("oc:permissions") ?? "", /^R?GDNVW$/);
      assert.equal(note.get("nc:note"), undefined, "no share has a note");
      assert.equal(note.get("nc:file-metadata-gps"), undefined);
      assert.equal(note.get("nc:system-tags"), undefined);
      etag = entryNamed(answer, "/docs/").get("d:getetag") ?? "";
    }),
    list("/Photos/"),
    {
      ...read("/docs/", (answer) => {
        assert.equal(entriesIn(answer)[0]?.get("d:getetag"), etag);
      }),
      does: "look whether a folder has changed",
      body: propfindFor(["d:getetag"]),
    },
    { ...list("/gone/"), status: 404 },
  );
});

Deno.test("Android sees the size, the place and the time of photos that were read", async () => {
  const path = "/Photos/sea.jpg";
  const asked = {
    ...read(path),
    body: propfindFor([...listed, "nc:metadata-photos-original_date_time"]),
  };
  const token = session;
  const facts = await app.call("GET", `/api/media${path}`, { token });
  assert.equal(facts.status, 200, await facts.text());
  const [answer, whole] = await replay(asked, { ...list("/Photos/"), body: asked.body });
  for (
    const entry of [entryNamed(answer as AppAnswer, path), entryNamed(whole as AppAnswer, path)]
  ) {
    assert.equal(entry.get("nc:metadata-photos-size"), "<width>60</width><height>40</height>");
    assert.equal(
      entry.get("nc:metadata-photos-gps"),
      "<latitude>48.5</latitude><longitude>9</longitude>",
    );
    const taken = Date.parse("2024-05-06T07:08:09+02:00") / 1000;
    assert.equal(entry.get("nc:metadata-photos-original_date_time"), String(taken));
    assert.equal(entry.get("nc:has-preview"), "true");
  }
});

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

/** A search, as it builds one: `has-preview` has the namespace of ownCloud in it. */
function searchFor(where: string, rest = ""): string {
  const names = [
    ...["oc:has-preview", "d:getcontenttype", "d:resourcetype", "d:getcontentlength"],
    ...["d:getlastmodified", "d:getetag", "oc:id", "oc:fileid", "oc:favorite", "oc:permissions"],
    ...["oc:owner-id", "oc:owner-display-name", "oc:comments-unread", "oc:share-types"],
    ...["nc:mount-type", "nc:note", "nc:sharees", "ocs:share-attributes", "nc:hidden"],
    ...["nc:rich-workspace", "nc:system-tags", "nc:creation_time", "nc:upload_time"],
    ...["nc:metadata-files-live-photo", "nc:metadata-photos-size", "nc:metadata-photos-gps"],
    ...["nc:lock", "nc:lock-time", "nc:lock-timeout", "d:quota-used-bytes"],
  ];
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?><d:searchrequest xmlns:d="DAV:" ` +
    `xmlns:oc="http://nextcloud.com/ns"><d:basicsearch><d:select>${prop(names)}</d:select>` +
    "<d:from><d:scope><d:href>/files/anna</d:href><d:depth>infinity</d:depth></d:scope></d:from>" +
    `<d:where>${where}</d:where>${rest}</d:basicsearch></d:searchrequest>`;
}

const compare = (how: string, name: string, text: string) =>
  `<d:${how}>${prop([name])}<d:literal>${text}</d:literal></d:${how}>`;
const latest = `<d:orderby><d:order>${
  prop(["d:getlastmodified"])
}<d:descending/></d:order></d:orderby>`;
const search = (body: string, reads: (answer: AppAnswer) => void) => [
  {
    does: "look whether it can search",
    method: "OPTIONS",
    path: dav,
    status: 200,
    reads: ({ headers }: AppAnswer) => assert.match(headers.get("allow") ?? "", /\bSEARCH\b/),
  },
  {
    does: "search",
    method: "SEARCH",
    path: dav,
    headers: { "content-type": "text/xml" },
    body,
    status: 207,
    reads,
  },
];

Deno.test("Android lists media, favourites, and what was changed lately", async () => {
  const media = `<d:or>${compare("like", "d:getcontenttype", "image/%")}${
    compare("like", "d:getcontenttype", "video/%")
  }</d:or>`;
  const end = Math.floor(Date.now() / 1000) + 60;
  const gallery = `<d:and>${compare("lt", "d:getlastmodified", String(end))}${
    compare("gt", "d:getlastmodified", "0")
  }${media}</d:and>`;
  const limit = "<d:limit><d:nresults>150</d:nresults></d:limit>";
  const star = (body: string) => ({
    does: "star a file, or take the star away",
    method: "PROPPATCH",
    path: `${files}/Photos/sea.jpg`,
    body: `<?xml version="1.0" encoding="UTF-8"?><D:propertyupdate xmlns:D="DAV:">${body}` +
      "</D:propertyupdate>",
    status: 207,
  });
  const favorite = (text: string) =>
    `<oc:favorite xmlns:oc="http://owncloud.org/ns">${text}</oc:favorite>`;
  const starred = searchFor(compare("eq", "oc:favorite", "yes"), "<d:orderby/>");
  await replay(
    ...search(searchFor(gallery, latest + limit), (answer) => {
      const sea = entryNamed(answer, "/Photos/sea.jpg");
      assertShown(sea);
      assert.equal(sea.get("d:getcontenttype"), "image/jpeg");
      assert.ok(sea.href.startsWith(`${files}/`));
    }),
    star(`<D:set><D:prop>${favorite("1")}</D:prop></D:set>`),
    ...search(starred, (answer) => {
      assert.deepEqual(entriesIn(answer).map(({ href }) => href), [`${files}/Photos/sea.jpg`]);
      assert.equal(entriesIn(answer)[0]?.get("oc:favorite"), "1");
    }),
    star(`<D:remove><D:prop>${favorite("")}</D:prop></D:remove>`),
    ...search(starred, (answer) => assert.deepEqual(entriesIn(answer), [])),
    ...search(
      searchFor(compare("gt", "d:getlastmodified", "2001-01-01T00:00:00Z"), latest),
      (answer) => assert.ok(entryNamed(answer, "/note.md")),
    ),
    ...search(
      searchFor(compare("like", "d:displayname", "%NOTE%"), "<d:orderby/>"),
      (answer) => assert.equal(entriesIn(answer).length, 1),
    ),
  );
});

Deno.test("Android shows thumbnails by the id of a file, and by its path", async () => {
  let id = "";
  await replay(read("/Photos/sea.jpg", (answer) => {
    id = entriesIn(answer)[0]?.get("oc:fileid") ?? "";
  }));
  const picture = ({ headers, bytes }: AppAnswer) => {
    assert.match(headers.get("content-type") ?? "", /^image\//);
    assert.ok(bytes.length > 0);
  };
  await replay(
    {
      does: "show a thumbnail",
      method: "GET",
      path: `/index.php/core/preview?fileId=${id}&x=512&y=512&a=1&mode=cover&forceIcon=0`,
      status: 200,
      reads: picture,
    },
    {
      does: "show a picture",
      method: "GET",
      path: "/index.php/apps/files/api/v1/thumbnail/512/512/Photos/sea.jpg",
      status: 200,
      reads: picture,
    },
    {
      does: "show a thumbnail of a text",
      method: "GET",
      path: "/index.php/core/preview?fileId=1&x=512&y=512&a=1&mode=cover&forceIcon=0",
      status: 404,
    },
    {
      does: "show a thumbnail of something deleted",
      method: "GET",
      path: `/index.php/apps/files_trashbin/preview?fileId=${id}&x=512&y=512`,
      status: 404,
    },
  );
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
