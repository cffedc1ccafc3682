/** ownCloud's apps for Android and iOS: what they ask otherwise than Nextcloud's. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp, userPassword } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import {
  type AppAnswer,
  assertShown,
  entriesIn,
  entryNamed,
  propfindFor,
  replayOf,
} from "./app_calls.ts";

const app = await startApp({
  config: { syncClients: true },
  tree: { anna: { "note.md": "# Note", docs: {} } },
});
Deno.test.afterAll(app.close);
await app.addUser("anna", { scope: "anna" });
const agent = { "user-agent": "Mozilla/5.0 (Android) ownCloud-android/4.6.0" };
const replay = replayOf(app, { ...agent, authorization: basic("anna", userPassword) });
const dav = "/remote.php/dav";
const files = `${dav}/files/anna`;

const listed = [
  ...["d:displayname", "d:getcontenttype", "d:resourcetype", "d:getcontentlength"],
  ...["d:getlastmodified", "d:creationdate", "d:getetag", "oc:permissions", "oc:id", "oc:size"],
  ...["oc:privatelink", "oc:share-types"],
];
const find = (path: string, depth: string, reads?: (answer: AppAnswer) => void) => ({
  does: "list a folder, or look whether an entry is there",
  method: "PROPFIND",
  path,
  headers: { depth, "content-type": "application/xml; charset=utf-8" },
  body: propfindFor(listed),
  status: 207,
  reads,
});

Deno.test("ownCloud's apps find out how to sign in, and read the account", async () => {
  await replayOf(app, agent)(
    { does: "look for a server", method: "GET", path: "/status.php", status: 200 },
    {
      does: "look for OpenID Connect",
      method: "GET",
      path: "/.well-known/openid-configuration",
      status: 404,
    },
    {
      does: "look for a directory of servers",
      method: "GET",
      path: "/.well-known/webfinger",
      status: 404,
    },
    {
      ...find(`${dav}/files`, "0"),
      does: "see how to sign in",
      status: 401,
      reads: ({ headers }) => assert.match(headers.get("www-authenticate") ?? "", /^Basic/),
    },
  );
  await replay(
    find(files, "0"),
    {
      does: "read the capabilities",
      method: "GET",
      path: "/ocs/v2.php/cloud/capabilities?format=json",
      headers: { "ocs-apirequest": "true" },
      status: 200,
      reads({ text }) {
        const { capabilities } = JSON.parse(text).ocs.data;
        assert.equal(capabilities.dav.reports, undefined, "so they search by themselves");
        assert.equal(capabilities.files.tus_support, undefined);
        assert.equal(capabilities.spaces, undefined);
      },
    },
    {
      does: "read the account",
      method: "GET",
      path: "/ocs/v2.php/cloud/user?format=json",
      headers: { "ocs-apirequest": "true" },
      status: 200,
    },
    {
      does: "read the quota",
      method: "PROPFIND",
      path: files,
      headers: { depth: "0" },
      body: propfindFor(["d:quota-used-bytes", "d:quota-available-bytes"]),
      status: 207,
      reads(answer) {
        assert.match(entriesIn(answer)[0]?.get("d:quota-available-bytes") ?? "", /^\d+$/);
      },
    },
    { does: "show a picture", method: "GET", path: "/index.php/avatar/anna/64", status: 404 },
    { does: "show a picture", method: "GET", path: `${dav}/avatars/anna/64.png`, status: 404 },
  );
});

Deno.test("ownCloud's apps list, upload a file, and star it", async () => {
  await replay(
    find(`${files}/`, "1", (answer) => {
      for (const entry of entriesIn(answer)) assertShown(entry);
      assert.equal(entryNamed(answer, "/note.md").get("oc:privatelink"), undefined);
    }),
    { ...find(`${files}/docs/new.txt`, "0"), status: 404 },
    {
      does: "upload a file",
      method: "PUT",
      path: `${files}/docs/new.txt`,
      headers: { "oc-total-length": "3", "x-oc-mtime": "1714972089" },
      body: "new",
      status: 201,
      reads: ({ headers }) => assert.match(headers.get("oc-etag") ?? "", /^"/),
    },
    {
      does: "star it",
      method: "PROPPATCH",
      path: `${files}/docs/new.txt`,
      body: '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>' +
        '<favorite xmlns="http://owncloud.org/ns">1</favorite></D:prop></D:set></D:propertyupdate>',
      status: 207,
    },
    {
      does: "list favourites",
      method: "REPORT",
      path: files,
      body: '<oc:filter-files xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns"><oc:filter-rules>' +
        "<oc:favorite>1</oc:favorite></oc:filter-rules><D:prop><D:getetag/></D:prop>" +
        "</oc:filter-files>",
      status: 207,
      reads: (answer) => assert.equal(entriesIn(answer)[0]?.href, `${files}/docs/new.txt`),
    },
    {
      does: "search by a report that is not announced",
      method: "REPORT",
      path: files,
      body: '<oc:search-files xmlns:oc="http://owncloud.org/ns"><oc:search><oc:pattern>a' +
        "</oc:pattern></oc:search></oc:search-files>",
      status: 403,
      reads: ({ text }) => assert.match(text, /<d:supported-report\b/),
    },
  );
});

Deno.test("ownCloud's app for Android sends an empty chunk after the last one", async () => {
  const uploads = `${dav}/uploads/anna/4711`;
  const bytes = crypto.getRandomValues(new Uint8Array(3000));
  const put = (index: number) => ({
    does: "send a chunk",
    method: "PUT",
    path: `${uploads}/${index}`,
    headers: { "content-type": "video/mp4" },
    body: bytes.slice(index * 1500, (index + 1) * 1500),
    status: 201,
  });
  await replay(
    { does: "begin", method: "MKCOL", path: uploads, status: 201 },
    put(0),
    put(1),
    put(2),
    {
      does: "put them together",
      method: "MOVE",
      path: `${uploads}/.file`,
      headers: {
        destination: `http://cubby.test${files}/docs/film.mp4`,
        "x-oc-mtime": "1714972089",
        "oc-total-length": "3000",
      },
      status: 201,
    },
  );
  assert.deepEqual(await Deno.readFile(join(app.root, "anna/docs/film.mp4")), bytes);
});
