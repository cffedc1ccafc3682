/** Nextcloud for iOS: what it reads, finds and shows. */
import assert from "node:assert/strict";
import {
  type AppAnswer,
  assertShown,
  entriesIn,
  entryNamed,
  prop,
  propfindFor,
} from "./app_calls.ts";
import { asOcs, dav, files, list, listed, read, replay, told, user } from "./ios_app.ts";

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
