/** Nextcloud for Android: what it reads, finds and shows. */
import assert from "node:assert/strict";
import {
  type AppAnswer,
  assertShown,
  entriesIn,
  entryNamed,
  prop,
  propfindFor,
} from "./app_calls.ts";
import {
  anyone,
  app,
  asOcs,
  dav,
  files,
  list,
  listed,
  read,
  replay,
  session,
  told,
} from "./android_app.ts";

/** It parses these as numbers, and fails on any other text. */
function assertNumbers(entry: ReturnType<typeof entryNamed>): void {
  for (const name of ["oc:fileid", "oc:size", "oc:comments-unread", "nc:lock"]) {
    assert.match(entry.get(name) ?? "", /^\d+$/, name);
  }
}

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
