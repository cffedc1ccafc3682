import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { viewerOf } from "../../../lib/server/core/access/viewer.ts";
import { identified } from "../../../lib/server/features/dav/id_lookups.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { davClient } from "../../support/clients/dav.ts";
import { deny } from "../../support/data/rules.ts";
import { blackPng, quarters } from "../../support/data/pictures.ts";
import { propertyIn, propfind, responsesIn } from "./client_answers.ts";

const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: {
    home: {
      "notes.txt": "notes",
      "IMG_1.jpg": "not a picture",
      Photos: { "sea.png": "x", "100%.jpg": "x", "film.mp4": "film", deep: { "old.jpg": "old" } },
      closed: { "secret.jpg": "secret" },
    },
    "outside.jpg": "outside",
  },
});
Deno.test.afterAll(app.close);
await Deno.writeFile(join(app.root, "home/Photos/sea.png"), blackPng(40, 30));
const at = (path: string, seconds: number) =>
  Deno.utime(join(app.root, "home", path), seconds, seconds);
await at("Photos/deep/old.jpg", 1e9);
await at("Photos/sea.png", 1_700_000_000);
await at("Photos/film.mp4", 1_700_000_100);

const { token, user } = await app.addUser("phone", { scope: "/home", rules: [deny("/closed")] });
const files = `/remote.php/dav/files/${user.username}`;
const client = davClient(app, user.username, files);
const top = davClient(app, user.username, "/remote.php/dav");

const like = (name: string, text: string) =>
  `<d:like><d:prop><d:${name}/></d:prop><d:literal>${text}</d:literal></d:like>`;
const media = `<d:or>${like("getcontenttype", "image/%")}${
  like("getcontenttype", "video/%")
}</d:or>`;
const time = (how: string, text: string) =>
  `<d:${how}><d:prop><d:getlastmodified/></d:prop><d:literal>${text}</d:literal></d:${how}>`;
const latest =
  "<d:orderby><d:order><d:prop><d:getlastmodified/></d:prop><d:descending/></d:order>" +
  "</d:orderby>";

function searchBody(
  where: string,
  { scope = "/files/phone", rest = "", props = "<oc:fileid/>" } = {},
) {
  return `<?xml version="1.0"?><d:searchrequest xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" ` +
    `xmlns:nc="http://nextcloud.org/ns"><d:basicsearch><d:select><d:prop>${props}</d:prop>` +
    `</d:select><d:from><d:scope><d:href>${scope}</d:href><d:depth>infinity</d:depth></d:scope>` +
    `</d:from><d:where>${where}</d:where>${rest}</d:basicsearch></d:searchrequest>`;
}

async function search(where: string, options: Parameters<typeof searchBody>[1] = {}) {
  const answer = await top("SEARCH", "/", { body: searchBody(where, options) });
  const xml = await answer.text();
  assert.equal(answer.status, 207, xml);
  return [...responsesIn(xml).keys()].map((href) => href.slice(files.length));
}

Deno.test("SEARCH refuses what it cannot read, and other users' files", async () => {
  const ask = async (body: string) => {
    const answer = await top("SEARCH", "/", { body });
    return [answer.status, await answer.text()] as const;
  };
  for (
    const body of [
      "",
      "<a/>",
      '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>',
      searchBody("<d:contains>x</d:contains>"),
      searchBody(like("getetag", "%")),
      searchBody(time("like", "2020-01-01")),
      searchBody(time("gt", "soon")),
      searchBody("<d:not/>"),
      searchBody(`<d:and>${like("displayname", "a").repeat(300)}</d:and>`),
      searchBody(media, {
        rest: "<d:orderby><d:order><d:prop><d:x/></d:prop></d:order></d:orderby>",
      }),
    ]
  ) {
    const [status, xml] = await ask(body);
    assert.equal(status, 400, xml);
    assert.match(xml, /BadRequest/);
  }
  for (const scope of ["/files/admin", "/files/nobody", "/calendars/phone", "/files/phone/none"]) {
    const [status, xml] = await ask(searchBody(media, { scope }));
    assert.equal(status, 404, xml);
  }
  for (const scope of ["/files/phone/../admin", "/files/phone/%2e%2e/x", "/files/phone/closed"]) {
    const [status, xml] = await ask(searchBody(media, { scope }));
    assert.ok([400, 403].includes(status), `${scope}: ${xml}`);
  }
});

Deno.test("media come by when they were taken, and by their change where that is not known", async () => {
  const trip = join(app.root, "home/trip");
  await Deno.mkdir(trip);
  /** Hours after the file before: a camera's clock with its zone, and files that were copied later. */
  const photos = [
    ["copied.jpg", "2019:07:01 10:00:00", "+00:00", 1_600_000_300],
    ["zone.jpg", "2019:07:01 10:30:00", "+02:00", 1_600_000_200],
    ["new.jpg", "2022:01:01 00:00:00", undefined, 1_600_000_000],
  ] as const;
  for (const [name, DateTimeOriginal, OffsetTimeOriginal, seconds] of photos) {
    const IFD2 = { DateTimeOriginal, ...OffsetTimeOriginal && { OffsetTimeOriginal } };
    await Deno.writeFile(
      join(trip, name),
      await quarters(8, 8).jpeg().withExif({ IFD2 }).toBuffer(),
    );
    await at(`trip/${name}`, seconds);
  }
  await Deno.writeTextFile(join(trip, "film.mp4"), "no film");
  await at("trip/film.mp4", 1_600_000_100);
  const property = "<d:prop><nc:metadata-photos-original_date_time/></d:prop>";
  const rest = `<d:orderby><d:order>${property}<d:descending/></d:order></d:orderby>`;
  const scope = "/files/phone/trip";
  assert.deepEqual(await search(media, { scope, rest }), [
    ...["/trip/new.jpg", "/trip/film.mp4", "/trip/copied.jpg", "/trip/zone.jpg"],
  ]);
  const seconds = (text: string) => String(Date.parse(text) / 1000);
  const where = `<d:and>${media}<d:gt>${property}<d:literal>${
    seconds("2019-07-01T09:00:00Z")
  }</d:literal></d:gt><d:lt>${property}<d:literal>${
    seconds("2021-01-01T00:00:00Z")
  }</d:literal></d:lt></d:and>`;
  assert.deepEqual(await search(where, { scope, rest }), ["/trip/film.mp4", "/trip/copied.jpg"]);
  await Deno.remove(trip, { recursive: true });
});

Deno.test("media come by type and time, the latest first, without what a rule closes", async () => {
  const all = await search(media, { rest: latest });
  assert.deepEqual(all.toSorted(), [
    "/IMG_1.jpg",
    "/Photos/100%25.jpg",
    "/Photos/deep/old.jpg",
    "/Photos/film.mp4",
    "/Photos/sea.png",
  ]);
  assert.equal(all.at(-1), "/Photos/deep/old.jpg");
  const between = `<d:and>${media}${time("lt", "2023-11-15T00:00:00+00:00")}${
    time("gt", "2001-01-01T00:00:00Z")
  }</d:and>`;
  assert.deepEqual(await search(between, { rest: latest }), [
    "/Photos/film.mp4",
    "/Photos/sea.png",
    "/Photos/deep/old.jpg",
  ]);
  const limits = (count: number, first = 0) =>
    `<d:limit><d:nresults>${count}</d:nresults><ns:firstresult xmlns:ns="https://github.com/` +
    `icewind1991/SearchDAV/ns">${first}</ns:firstresult></d:limit>`;
  assert.deepEqual(await search(between, { rest: latest + limits(1) }), ["/Photos/film.mp4"]);
  assert.deepEqual(await search(between, { rest: latest + limits(1, 1) }), ["/Photos/sea.png"]);
  assert.deepEqual(await search(between, { rest: latest + limits(5, 3) }), []);
  assert.deepEqual(await search(between, { scope: "/files/phone/Photos/deep" }), [
    "/Photos/deep/old.jpg",
  ]);
  const scope = `/remote.php/dav${files.slice("/remote.php/dav".length)}/Photos/deep/`;
  assert.deepEqual(await search(media, { scope }), ["/Photos/deep/old.jpg"]);
});

Deno.test("names are found by a pattern, in any case; what a rule closes is not", async () => {
  assert.deepEqual(await search(like("displayname", "%SEA%")), ["/Photos/sea.png"]);
  assert.deepEqual(await search(like("displayname", "img_1%")), ["/IMG_1.jpg"]);
  assert.deepEqual(await search(like("displayname", "100%")), ["/Photos/100%25.jpg"]);
  assert.deepEqual(await search(like("displayname", "sea")), []);
  assert.deepEqual(await search(like("displayname", "%secret%")), []);
  assert.deepEqual(await search(like("displayname", "%outside%")), []);
  const folders = `<d:and><d:is-collection/>${like("displayname", "%dee%")}</d:and>`;
  assert.deepEqual(await search(folders), ["/Photos/deep/"]);
  const none = `<d:and><d:not><d:is-collection/></d:not>${like("displayname", "%p%")}</d:and>`;
  assert.ok(!(await search(none)).includes("/Photos/"));
});

async function propertiesOf(path: string, ...names: string[]): Promise<string> {
  const headers = { depth: "0" };
  const answer = await client("PROPFIND", path, { headers, body: propfind(...names) });
  return [...responsesIn(await answer.text()).values()][0] ?? "";
}

async function idOf(path: string): Promise<string> {
  return propertyIn(await propertiesOf(path, "oc:fileid"), "oc:fileid") ?? "";
}

Deno.test("an id leads to its file within the scope, also when no listing has told it", async () => {
  const id = await idOf("/Photos/sea.png");
  const byId = (id: string) =>
    `<d:eq><d:prop><oc:fileid/></d:prop><d:literal>${id}</d:literal></d:eq>`;
  assert.deepEqual(await search(byId(id)), ["/Photos/sea.png"]);
  const admin = davClient(app, "admin", "/remote.php/dav/files/admin");
  const headers = { depth: "0" };
  const body = propfind("oc:fileid");
  const theirs = async (path: string) => {
    const xml = await (await admin("PROPFIND", path, { headers, body })).text();
    return propertyIn([...responsesIn(xml).values()][0] ?? "", "oc:fileid") ?? "";
  };
  assert.deepEqual(await search(byId(await theirs("/outside.jpg"))), []);
  assert.deepEqual(await search(byId(await theirs("/home/closed/secret.jpg"))), []);
  assert.deepEqual(await search(byId("12345")), []);
});

Deno.test("an id that no listing has told is found by a walk, once in a while", async () => {
  const walker = await app.addUser("walker", { scope: "/home", rules: [deny("/closed")] });
  const by = davClient(app, "walker", "/remote.php/dav");
  const { fileIds, gate } = app.cubby;
  const access = gate.enter(viewerOf({ ...walker.user, rules: [] }, []));
  const idAt = async (path: string) => {
    const entry = access.stat(parsePath(path).path);
    const [id = ""] = await fileIds?.idsOf([identified(access, entry)]) ?? [];
    return id;
  };
  await Deno.writeTextFile(join(app.root, "home/Photos/deep/unlisted.txt"), "unlisted");
  const ask = async (id: string) => {
    const where = `<d:eq><d:prop><oc:fileid/></d:prop><d:literal>${id}</d:literal></d:eq>`;
    const answer = await by("SEARCH", "/", { body: searchBody(where, { scope: "/files/walker" }) });
    const xml = await answer.text();
    assert.equal(answer.status, 207, xml);
    return [...responsesIn(xml).keys()];
  };
  const prefix = "/remote.php/dav/files/walker";
  assert.deepEqual(await ask(await idAt("/Photos/deep/unlisted.txt")), [
    `${prefix}/Photos/deep/unlisted.txt`,
  ]);
  assert.deepEqual(await ask(await idAt("/closed/secret.jpg")), [], "a rule closes it");
  await Deno.writeTextFile(join(app.root, "home/later.txt"), "later");
  assert.deepEqual(await ask(await idAt("/later.txt")), [], "no walk begins at once again");
});

function filterBody(rules: string): string {
  return `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:fileid/>` +
    `<oc:favorite/></d:prop><oc:filter-rules>${rules}</oc:filter-rules></oc:filter-files>`;
}

Deno.test("REPORT gives favourites and files by id, and refuses other reports", async () => {
  for (const path of ["/notes.txt", "/Photos/deep/old.jpg"]) {
    const answer = await app.call("PUT", `/api/favorites${path}`, { token, json: {} });
    assert.ok(answer.ok, await answer.text());
  }
  const report = async (rules: string, path = "/") => {
    const answer = await client("REPORT", path, { body: filterBody(rules) });
    const xml = await answer.text();
    assert.equal(answer.status, 207, xml);
    return [...responsesIn(xml)].map((
      [href, xml],
    ) => [href.slice(files.length), propertyIn(xml, "oc:favorite")]);
  };
  assert.deepEqual(await report("<oc:favorite>1</oc:favorite>"), [
    ["/notes.txt", "1"],
    ["/Photos/deep/old.jpg", "1"],
  ]);
  assert.deepEqual(await report("<oc:favorite>1</oc:favorite>", "/Photos"), [
    ["/Photos/deep/old.jpg", "1"],
  ]);
  const id = await idOf("/IMG_1.jpg");
  assert.deepEqual(await report(`<oc:fileid>${id}</oc:fileid>`), [["/IMG_1.jpg", "0"]]);
  const favorite = "<d:eq><d:prop><oc:favorite/></d:prop><d:literal>yes</d:literal></d:eq>";
  assert.deepEqual(await search(favorite), ["/notes.txt", "/Photos/deep/old.jpg"]);
  for (
    const body of [
      '<d:sync-collection xmlns:d="DAV:"><d:sync-token/><d:prop/></d:sync-collection>',
      filterBody("<oc:systemtag>1</oc:systemtag>"),
      filterBody(""),
    ]
  ) {
    const answer = await client("REPORT", "/", { body });
    const xml = await answer.text();
    assert.equal(answer.status, 403, xml);
    assert.match(xml, /<d:supported-report\/?>/);
  }
  assert.equal((await client("REPORT", "/", { body: "<a" })).status, 400);
  assert.equal((await davClient(app)("REPORT", "/", { body: filterBody("") })).status, 405);
});

Deno.test("previews come by id and by path, within the scope and the rules", async () => {
  const id = await idOf("/Photos/sea.png");
  const get = async (address: string) => {
    const answer = await davClient(app, user.username, "/index.php")("GET", address);
    const bytes = await answer.bytes();
    return [answer.status, answer.headers.get("content-type"), bytes.length > 0] as const;
  };
  const picture = [200, "image/jpeg", true] as const;
  assert.deepEqual(await get(`/core/preview?fileId=${id}&x=256&y=256&a=1&forceIcon=0`), picture);
  assert.deepEqual(await get("/core/preview.png?file=%2FPhotos%2Fsea.png&x=1024&y=1024"), picture);
  assert.deepEqual(await get("/apps/files/api/v1/thumbnail/64/64/Photos/sea.png"), picture);
  for (
    const address of [
      "/core/preview?fileId=12345&x=64&y=64",
      "/core/preview?fileId=../a&x=64&y=64",
      "/core/preview?x=64&y=64",
      "/core/preview.png?file=/notes.txt&x=64&y=64",
      "/core/preview.png?file=/none.png&x=64&y=64",
      "/apps/files/api/v1/thumbnail/64/64/none.png",
    ]
  ) {
    assert.equal((await get(address))[0], 404, address);
  }
  for (
    const address of [
      "/core/preview.png?file=/closed/secret.jpg&x=64&y=64",
      "/apps/files/api/v1/thumbnail/64/64/closed/secret.jpg",
    ]
  ) {
    assert.equal((await get(address))[0], 403, address);
  }
  for (
    const address of [
      "/core/preview.png?file=/../outside.jpg&x=64&y=64",
      "/core/preview.png?file=/Photos/sea.png&x=0&y=64",
      "/core/preview.png?file=/Photos/sea.png&x=-1&y=64",
      "/core/preview.png?file=/Photos/sea.png&x=999999&y=64",
      "/apps/files/api/v1/thumbnail/64/64/%2e%2e%2foutside.jpg",
    ]
  ) {
    assert.equal((await get(address))[0], 400, address);
  }
  const anonymous = await app.call("GET", `/index.php/core/preview?fileId=${id}&x=64&y=64`);
  assert.equal(anonymous.status, 401);
  const cookie = await app.call("GET", `/index.php/core/preview?fileId=${id}&x=64&y=64`, {
    headers: { cookie: `auth=${token}` },
  });
  assert.equal(cookie.status, 401, "the cookie of the pages counts for nothing");
});
