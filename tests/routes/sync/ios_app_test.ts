/** Nextcloud for iOS: its calls, and what it reads of the answers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { blackPng } from "../../support/data/pictures.ts";
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

const app = await startApp({
  config: { syncClients: true },
  tree: {
    "anna b": { "note.md": "# Note", Photos: { "IMG_1.heic": "x", "IMG_1.mov": "film" } },
  },
});
Deno.test.afterAll(app.close);
await Deno.writeFile(join(app.root, "anna b/Photos/sea.png"), blackPng(40, 30));
const user = "anna b";
const { token: session } = await app.addUser(user, { scope: user });
const agent = { "user-agent": "Mozilla/5.0 (iOS) Nextcloud-iOS/7.2.0" };
const anyone = replayOf(app, agent);
const { password, told } = await signInByBrowser(app, anyone, session, "query");
const headers = {
  ...agent,
  authorization: basic(user, password),
  "ocs-apirequest": "true",
  "x-nc-account": `${user} http://cubby.test`,
};
/** It asks for JSON of OCS by this header alone. */
const asOcs = replayOf(app, { ...headers, accept: "application/json" });
const replay = replayOf(app, {
  ...headers,
  accept: "application/xml",
  "content-type": "application/xml",
});
const upload = replayOf(app, {
  ...headers,
  accept: "application/json",
  "content-type": "application/octet-stream",
});
const dav = "/remote.php/dav";
const files = `${dav}/files/anna%20b`;

/** What it asks of each entry, of searches and of the trash as well. */
const listed = [
  ...["d:displayname", "nc:share-download-limits", "d:getlastmodified", "d:getetag"],
  ...["d:getcontenttype", "d:resourcetype", "d:quota-available-bytes", "d:quota-used-bytes"],
  ...["d:getcontentlength", "oc:permissions", "oc:id", "oc:fileid", "oc:size", "oc:favorite"],
  ...["oc:share-types", "oc:owner-id", "oc:owner-display-name", "oc:comments-unread"],
  ...["oc:checksums", "oc:downloadURL", "oc:data-fingerprint", "nc:creation_time"],
  ...["nc:upload_time", "nc:is-encrypted", "nc:has-preview", "nc:mount-type"],
  ...["nc:rich-workspace", "nc:note", "nc:lock", "nc:lock-owner", "nc:lock-owner-editor"],
  ...["nc:lock-owner-displayname", "nc:lock-owner-type", "nc:lock-time", "nc:lock-timeout"],
  ...["nc:system-tags", "nc:file-metadata-size", "nc:file-metadata-gps"],
  ...["nc:metadata-photos-exif", "nc:metadata-photos-gps", "nc:metadata-photos-place"],
  ...["nc:metadata-photos-original_date_time", "nc:metadata-photos-size"],
  ...["nc:metadata-files-live-photo", "nc:hidden", "ocs:share-permissions"],
  "ocm:share-permissions",
];

const list = (path: string, reads?: (answer: AppAnswer) => void) => ({
  does: "list a folder",
  method: "PROPFIND",
  path: `${files}${path}`,
  headers: { depth: "1" },
  body: propfindFor(listed),
  status: 207,
  reads,
});
const read = (path: string, reads?: (answer: AppAnswer) => void) => ({
  ...list(path, reads),
  does: "read one entry",
  headers: { depth: "0" },
});

Deno.test("iOS signs in by the browser, and decodes capabilities and the account", async () => {
  assert.deepEqual([told.server, told.loginName], ["http://cubby.test", user]);
  await asOcs(
    {
      does: "decode the capabilities, of which a wrong type loses all",
      method: "GET",
      path: "/ocs/v1.php/cloud/capabilities",
      status: 200,
      reads({ text }) {
        const { meta, data: { version, capabilities } } = JSON.parse(text).ocs;
        assert.equal(meta.statuscode, 100);
        for (const name of ["major", "minor", "micro"]) {
          assert.ok(Number.isInteger(version[name]), name);
        }
        assert.equal(typeof version.string, "string");
        const { files, theming, files_sharing } = capabilities;
        for (const name of ["undelete", "versioning", "bigfilechunking"]) {
          assert.equal(typeof files[name], "boolean", name);
        }
        for (const name of ["color", "name", "slogan", "url", "logo", "background"]) {
          assert.equal(typeof theming[name], "string", name);
        }
        assert.equal(typeof theming["background-plain"], "boolean");
        assert.equal(typeof theming["background-default"], "boolean");
        assert.equal(typeof files_sharing.public.enabled, "boolean");
        assert.equal(typeof files_sharing.api_enabled, "boolean");
      },
    },
    {
      does: "read the account",
      method: "GET",
      path: "/ocs/v2.php/cloud/user",
      status: 200,
      reads({ text }) {
        const { id, quota, enabled } = JSON.parse(text).ocs.data;
        assert.deepEqual([id, enabled], [user, true]);
        assert.ok(
          ["free", "used", "total", "quota"].every((name) => Number.isInteger(quota[name])),
        );
      },
    },
    {
      does: "read the account by its name",
      method: "GET",
      path: "/ocs/v2.php/cloud/users/anna%20b",
      status: 200,
    },
  );
});

Deno.test("what iOS asks of apps that are not here ends the matter, by one answer", async () => {
  for (
    const path of [
      ...["notifications/api/v2/notifications", "user_status/api/v1/user_status"],
      ...["activity/api/v2/activity/all?limit=200&object_id=1&previews=true", "external/api/v1"],
      ...["files/api/v1/directEditing", "end_to_end_encryption/api/v1/public-key"],
      ...["recommendations/api/v1/recommendations", "terms_of_service/terms"],
      ...["dashboard/api/v1/widgets", "files_downloadlimit/api/v1/x/limit"],
    ]
  ) {
    await asOcs({
      does: "ask an app",
      method: "GET",
      path: `/ocs/v2.php/apps/${path}`,
      status: 404,
      reads: ({ text }) => assert.equal(JSON.parse(text).ocs.meta.statuscode, 998),
    });
  }
  await asOcs(
    { does: "search", method: "GET", path: "/ocs/v2.php/search/providers", status: 404 },
    { does: "show a user", method: "GET", path: "/ocs/v2.php/hovercard/v1/anna%20b", status: 404 },
    { does: "a picture", method: "GET", path: "/index.php/avatar/anna%20b/128", status: 404 },
    {
      does: "look for a wipe",
      method: "POST",
      path: "/index.php/core/wipe/check",
      body: "token=x",
      status: 404,
    },
    {
      does: "register for pushed news",
      method: "POST",
      path: "/ocs/v2.php/apps/notifications/api/v2/push",
      status: 404,
    },
    { does: "list tags", method: "PROPFIND", path: `${dav}/systemtags/`, status: 404 },
  );
});

Deno.test("iOS lists folders with their quota, and finds the first by its address", async () => {
  await replay(
    list("", (answer) => {
      const [root] = entriesIn(answer);
      assert.equal(root?.href, `${files}/`);
      assert.match(root?.get("d:quota-available-bytes") ?? "", /^\d+$/);
      assert.match(root?.get("d:quota-used-bytes") ?? "", /^\d+$/);
      for (const entry of entriesIn(answer)) assertShown(entry);
      const photos = entryNamed(answer, "/Photos/");
      assert.ok(photos.isFolder);
      const note = entryNamed(answer, "/note.md");
      assert.equal(note.get("oc:favorite"), "0");
      assert.equal(note.get("nc:hidden"), "false");
      assert.equal(note.get("nc:is-encrypted"), "0");
      assert.equal(note.get("nc:has-preview"), "false");
      for (const name of ["nc:metadata-photos-size", "nc:metadata-files-live-photo", "nc:note"]) {
        assert.equal(note.get(name), undefined, name);
      }
    }),
    list("/Photos"),
    { ...read("/gone"), status: 404 },
    {
      ...read("/note.md"),
      does: "look whether a file is there",
      body: propfindFor(["d:getetag", "oc:fileid", "oc:id"]),
    },
  );
});

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

const compare = (how: string, name: string, text: string) =>
  `<d:${how}><d:prop><${name}/></d:prop><d:literal>${text}</d:literal></d:${how}>`;

Deno.test("iOS lists media by a window of time, favourites, and files by name and id", async () => {
  const namespaces = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" ' +
    'xmlns:nc="http://nextcloud.org/ns"';
  const search = (where: string, rest: string, reads: (answer: AppAnswer) => void) => ({
    does: "search",
    method: "SEARCH",
    path: dav,
    body: `<?xml version="1.0"?>\n<d:searchrequest ${namespaces}>\n<d:basicsearch>\n<d:select>\n` +
      `${prop(listed)}\n</d:select>\n<d:from>\n<d:scope>\n<d:href>/files/anna b</d:href>\n` +
      `<d:depth>infinity</d:depth>\n</d:scope>\n</d:from>\n${rest}<d:where>${where}</d:where>\n` +
      "<d:limit>\n<d:nresults>300</d:nresults>\n</d:limit>\n</d:basicsearch>\n</d:searchrequest>",
    status: 207,
    reads,
  });
  const media = `<d:or>${compare("like", "d:getcontenttype", "image/%")}${
    compare("like", "d:getcontenttype", "video/%")
  }</d:or>`;
  const within = (date: string, from: string, to: string) =>
    `<d:and>${media}<d:or><d:and>${compare("lt", date, to)}${compare("gt", date, from)}` +
    "</d:and></d:or></d:and>";
  const byTime = (date: string) =>
    `<d:orderby>${
      [date, "d:displayname"].map((name) =>
        `<d:order><d:prop><${name}/></d:prop><d:descending/></d:order>`
      ).join("")
    }</d:orderby>`;
  const later = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, "+00:00");
  const [modified, taken] = ["d:getlastmodified", "nc:metadata-photos-original_date_time"];
  let id = "";
  const star = (value: number) => ({
    does: "star a file, or take the star away",
    method: "PROPPATCH",
    path: `${files}/Photos/sea.png`,
    body: `<?xml version="1.0"?><d:propertyupdate ${namespaces}><d:set><d:prop>` +
      `<oc:favorite>${value}</oc:favorite></d:prop></d:set></d:propertyupdate>`,
    status: 207,
  });
  const favorites = (reads: (answer: AppAnswer) => void) => ({
    does: "list favourites",
    method: "REPORT",
    path: files,
    body: `<?xml version="1.0"?><oc:filter-files ${namespaces}>${prop(listed)}<oc:filter-rules>` +
      "<oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>",
    status: 207,
    reads,
  });
  await replay(
    search(within(modified, "1970-01-01T00:00:00+00:00", later), byTime(modified), (answer) => {
      const sea = entryNamed(answer, "/Photos/sea.png");
      assertShown(sea);
      assert.ok(sea.href.startsWith(`${files}/`));
      id = sea.get("oc:fileid") ?? "";
      assert.ok(entryNamed(answer, "/IMG_1.mov"));
    }),
    search(within(taken, "0.0", "4102444800.0"), byTime(taken), (answer) => {
      assert.ok(entryNamed(answer, "/Photos/sea.png"));
    }),
    search(compare("like", "d:displayname", "%note%"), "", (answer) => {
      assert.deepEqual(entriesIn(answer).map(({ href }) => href), [`${files}/note.md`]);
    }),
  );
  await replay(
    search(compare("eq", "oc:fileid", id), "", (answer) => {
      assert.deepEqual(entriesIn(answer).map(({ href }) => href), [`${files}/Photos/sea.png`]);
    }),
    star(1),
    favorites((answer) => {
      assert.equal(entryNamed(answer, "/Photos/sea.png").get("oc:favorite"), "1");
    }),
    star(0),
    favorites((answer) => assert.deepEqual(entriesIn(answer), [])),
  );
  await asOcs({
    does: "show a thumbnail",
    method: "GET",
    path: `/index.php/core/preview?fileId=${id}&x=1024&y=1024&a=1&mode=cover&forceIcon=0` +
      "&mimeFallback=0&etag=abc",
    headers: { "if-none-match": '"another"' },
    status: 200,
    reads({ headers, bytes }) {
      assert.match(headers.get("content-type") ?? "", /^image\//);
      assert.match(headers.get("etag") ?? "", /^"/);
      assert.ok(bytes.length > 0);
    },
  });
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
