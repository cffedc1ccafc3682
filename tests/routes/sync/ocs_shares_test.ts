import assert from "node:assert/strict";
import { admin } from "../../support/server/app_parts.ts";
import { shareNumber } from "../../../lib/server/features/links/shares/share_records.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { ocs } from "../../support/clients/ocs.ts";
import { assertStatus } from "../../support/server/refused.ts";
import {
  api,
  app,
  assertRefused,
  bobby,
  day,
  listed,
  post,
  put,
  sharer,
  shares,
  team,
} from "./ocs_sharer.ts";

Deno.test("a call about shares without --sync-clients is not there", async () => {
  await using off = await startApp({});
  const headers = { "ocs-apirequest": "true", authorization: basic("admin", admin.password) };
  for (const path of ["shares", "sharees"]) {
    await assertStatus(await off.call("GET", `/ocs/v2.php/${api}/${path}`, { headers }), 404);
  }
});

Deno.test("who may not share finds sharing switched off, and each call refused", async () => {
  const { user } = await app.addUser("noa", { perm: { share: false } });
  const { secret } = await app.cubby.apiTokens.create(
    user.id,
    { name: "x", write: true, share: true, expires: null },
    null,
  );
  const { user: ola } = await app.addUser("ola");
  const reading = await app.cubby.apiTokens.create(
    ola.id,
    { name: "x", write: true, share: false, expires: null },
    null,
  );
  for (const by of [basic("noa", secret), basic("ola", reading.secret)]) {
    const { data } = await ocs(app, "GET", "v2.php/cloud/capabilities", by);
    assert.equal(data.capabilities.files_sharing.api_enabled, false);
    for (
      const answer of [
        await post(by, { path: "/a.txt", shareType: "3" }),
        await ocs(app, "GET", shares, by),
        await ocs(app, "GET", `${shares}?path=/a.txt`, by),
        await ocs(app, "GET", `${shares}/1`, by),
        await put(by, "1", { permissions: "1" }),
        await ocs(app, "DELETE", `${shares}/1`, by),
        await ocs(app, "GET", `v2.php/${api}/sharees?search=bo`, by),
      ]
    ) assertRefused(answer, 403, /permission "share" is missing/);
  }
  const { by } = await sharer("pia");
  const { data } = await ocs(app, "GET", "v2.php/cloud/capabilities", by);
  const { files_sharing: told } = data.capabilities;
  assert.deepEqual([told.api_enabled, told.public.enabled, told.public.upload], [
    true,
    true,
    true,
  ]);
  assert.deepEqual([told.resharing, told.default_permissions], [false, 17]);
});

Deno.test("a call about shares needs a sign-in and the header that no site can send", async () => {
  const { by, token } = await sharer("quin");
  for (
    const [method, path] of [["GET", ""], ["POST", ""], ["PUT", "/1"], ["DELETE", "/1"]] as const
  ) {
    const at = `/ocs/v2.php/${api}/shares${path}`;
    const none = await ocs(app, method, `${shares}${path}`, "", { token });
    assert.deepEqual([none.status, none.meta.statuscode], [401, 997]);
    await assertStatus(await app.call(method, at, { headers: { authorization: by } }), 412);
  }
});

Deno.test("bad fields are refused with a sentence, in both versions", async () => {
  const { by } = await sharer("rob");
  const link = { path: "/a.txt", shareType: "3" };
  const user = { path: "/docs", shareType: "0", shareWith: "bob" };
  const bad: [Record<string, string>, number][] = [
    [{}, 400],
    [{ path: "/a.txt" }, 400],
    [{ ...link, shareType: "4", shareWith: "a@example.com" }, 400],
    [{ ...link, shareType: "6", shareWith: "bob@example.com" }, 400],
    [{ ...link, shareType: "x" }, 400],
    [{ ...link, path: "/none.txt" }, 404],
    [{ ...link, path: "/../../etc/passwd" }, 400],
    [{ ...link, path: "/a\0.txt" }, 400],
    [{ ...link, path: "/docs/../a.txt" }, 400],
    [{ ...link, permissions: "31", hideDownload: "true" }, 400],
    [{ ...link, permissions: "4" }, 400],
    [{ ...link, permissions: "0" }, 400],
    [{ ...link, permissions: "32" }, 400],
    [{ ...link, permissions: "-1" }, 400],
    [{ ...link, permissions: "1e1" }, 400],
    [{ ...link, publicUpload: "true" }, 400],
    [{ ...link, publicUpload: "perhaps" }, 400],
    [{ ...link, password: "x".repeat(73) }, 400],
    [{ ...link, expireDate: "2020-01-01" }, 400],
    [{ ...link, expireDate: "tomorrow" }, 400],
    [{ ...link, expireDate: "2031-02-30" }, 400],
    [{ ...link, expireDate: "2031-13-01" }, 400],
    [{ ...link, expireDate: "0031-05-01" }, 400],
    [{ ...link, expireDate: "99999-05-01" }, 400],
    [{ ...link, label: "Holiday" }, 400],
    [{ ...link, note: "Look" }, 400],
    [{ ...link, attributes: "{" }, 400],
    [{ ...link, attributes: '{"a":1}' }, 400],
    [{ ...link, attributes: "[".repeat(5000) }, 400],
    [{ ...link, hideDownload: "maybe" }, 400],
    [{ ...user, shareWith: "" }, 400],
    [{ ...user, shareWith: "nobody" }, 400],
    [{ ...user, shareWith: "@team" }, 400],
    [{ ...user, shareType: "1", shareWith: "bob" }, 400],
    [{ ...user, permissions: "3", hideDownload: "true" }, 400],
  ];
  for (const [fields, code] of bad) {
    assertRefused(await post(by, fields), code);
    const first = await post(by, fields, `v1.php/${api}/shares`);
    assert.deepEqual([first.status, first.meta.statuscode], [200, code], JSON.stringify(fields));
  }
  assert.deepEqual(await listed(by, "/a.txt"), []);
  assert.deepEqual(await listed(by, "/docs"), []);
  for (
    const [type, body, code] of [
      ["application/json", "{", 400],
      ["application/json", "[]", 400],
      ["application/json", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`, 400],
      ["application/json", `{"path":[${"1,".repeat(2000)}1]}`, 400],
      ["text/xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 415],
      ["multipart/form-data; boundary=x", "--x--", 415],
      ["application/x-www-form-urlencoded", "a=".padEnd(200_000, "x"), 413],
      ["application/x-www-form-urlencoded", "%ff%fe=%c3%28&path=%ff&shareType=3", 404],
    ] as const
  ) {
    const headers = { "content-type": type };
    assertRefused(await ocs(app, "POST", shares, by, { headers, body }), code);
  }
});

Deno.test("the desktop app makes a link, protects it, and ends it", async () => {
  const { by, user } = await sharer("sue");
  const made = await post(
    by,
    { path: "/docs", shareType: "3" },
    `v1.php/${api}/shares?format=json`,
  );
  assert.deepEqual([made.status, made.meta.statuscode, made.meta.status], [200, 100, "ok"]);
  const link = made.data;
  const [share] = (await Array.fromAsync(app.cubby.shares.parts({ userId: user.id }))).flat();
  assert.match(link.id, /^\d{1,10}$/);
  assert.ok(Number(link.id) < 2 ** 31, "phones keep it in 31 bits");
  assert.deepEqual(
    [link.share_type, link.permissions, link.token, link.path, link.item_type],
    [3, 1, share?.hash, "/docs", "folder"],
  );
  assert.equal(link.url, `http://cubby.test/share/${share?.hash}`);
  assert.deepEqual([link.uid_owner, link.displayname_owner], ["sue", "sue"]);
  assert.deepEqual([link.password, link.share_with, link.expiration], [null, null, null]);
  assert.ok(Math.abs(link.stime - Date.now() / 1000) < 60);
  await assertStatus(await app.call("GET", new URL(link.url).pathname), 200);
  assert.deepEqual(await listed(by, "/docs"), [link]);
  assert.deepEqual(await listed(by, "/docs/"), [link]);

  const open = await put(by, link.id, { expireDate: day });
  assert.equal(open.data.expiration, `${day} 00:00:00`);
  const locked = await put(by, link.id, { password: "correct horse" });
  assert.ok(typeof locked.data.share_with === "string" && locked.data.password);
  assert.equal(locked.data.expiration, `${day} 00:00:00`);
  assert.ok(!JSON.stringify(locked.data).includes("$2"), "no hash of the password");
  const page = `/api/public/share/${link.token}`;
  await assertStatus(await app.call("GET", page), 401);
  const right = { "x-share-password": encodeURIComponent("correct horse") };
  await assertStatus(await app.call("GET", page, { headers: right }), 200);

  const hidden = await put(by, link.id, { hideDownload: "true" });
  assert.equal(hidden.data.hide_download, 1);
  const shown = await put(by, link.id, { hideDownload: "false", expireDate: "" });
  assert.deepEqual([shown.data.hide_download, shown.data.expiration], [0, null]);
  const given: [fields: Record<string, string>, permissions: number][] = [
    [{ permissions: "15" }, 15],
    [{ expireDate: "" }, 15],
    [{ publicUpload: "false" }, 1],
    [{ permissions: "5" }, 5],
    [{ publicUpload: "true" }, 15],
    [{ permissions: "1", publicUpload: "true" }, 15],
    [{ permissions: "17" }, 1],
  ];
  for (const [fields, permissions] of given) {
    const { data } = await put(by, link.id, fields);
    assert.equal(data.permissions, permissions, JSON.stringify(fields));
  }
  const gone = await ocs(app, "DELETE", `${shares}/${link.id}`, by);
  assert.deepEqual([gone.status, gone.meta.statuscode, gone.data], [200, 200, []]);
  assertRefused(await ocs(app, "GET", `${shares}/${link.id}`, by), 404);
  assertRefused(await ocs(app, "DELETE", `${shares}/${link.id}`, by), 404);
  await assertStatus(await app.call("GET", page), 404);
});

Deno.test("what a phone sends back as it was stays, to the second", async () => {
  const { by, user } = await sharer("tom");
  const draft = { password: "correct horse", seconds: 100_000 };
  const target = { userId: user.id, path: "/a.txt" as never, place: "/a.txt" as never };
  const { hash } = await app.cubby.shares.create(target, draft);
  const before = await app.cubby.shares.get(hash);
  const [link] = await listed(by, "/a.txt");
  const same = await put(by, link.id, {
    ...{ permissions: "1", password: link.password, expireDate: link.expiration },
    ...{ note: "", label: "", hideDownload: "false", attributes: "null" },
  });
  assert.equal(same.meta.statuscode, 200, same.meta.message);
  assert.deepEqual(await app.cubby.shares.get(before.hash), before);
  assert.ok(await app.cubby.shares.isOpenedBy(before, "correct horse"));
  const json = { password: "", expireDate: day, permissions: "1", hideDownload: "false" };
  const changed = await ocs(app, "PUT", `${shares}/${link.id}`, by, {
    headers: { "content-type": "application/json; charset=UTF-8" },
    body: JSON.stringify(json),
  });
  assert.deepEqual([changed.data.password, changed.data.expiration], [null, `${day} 00:00:00`]);
  const after = await app.cubby.shares.get(before.hash);
  assert.equal(after.expire, Date.parse(`${day}T23:59:59Z`) / 1000);
});

Deno.test("a phone app that reads XML finds the share that it has made", async () => {
  const { by } = await sharer("uma");
  const headers = { "ocs-apirequest": "true", authorization: by, accept: "*/*" };
  const call = async (method: string, path: string, body?: BodyInit) => {
    const answer = await app.call(method, `/ocs/${path}`, { headers, body });
    assert.match(answer.headers.get("content-type") ?? "", /^application\/xml/);
    return await answer.text();
  };
  const form = new URLSearchParams({ path: "/日本 #%?", shareType: "3", permissions: "17" });
  const made = await call("POST", shares, form);
  assert.match(made, /<statuscode>200<\/statuscode>.*<data><id>\d+<\/id>.*<url>http:/s);
  const id = /<id>(\d+)<\/id>/.exec(made)?.[1];
  const info = await call("GET", `${shares}/${id}?include_tags=true`);
  assert.match(info, /<data><element><id>\d+<\/id>.*<share_type>3<\/share_type>/s);
  assert.match(info, /<path>\/日本 #%\?<\/path>/);
  assert.match(
    info,
    /<item_source>[1-9]\d*<\/item_source>.*<expiration\/>|<expiration\/>.*<item_source>/s,
  );
  const query = "path=%2F&reshares=true&subfiles=true";
  assert.ok((await call("GET", `${shares}?${query}`)).includes(`<element><id>${id}</id>`));
});

Deno.test("a share with several is one of each, changed and ended by itself", async () => {
  const { by, token, user } = await sharer("xia", { groups: [team.id] });
  const audience = [{ name: "bob", may: "edit" }, "bobby", "@team"];
  const made = await app.call("POST", "/api/share/docs", {
    token,
    json: { audience, anyone: true },
  });
  const { hash } = await made.json();
  const all = await listed(by, "/docs");
  const named = (type: number, name: string | null) =>
    all.find((each: { share_type: number; share_with: string }) =>
      each.share_type === type && each.share_with === name
    );
  assert.equal(all.length, 4);
  const [bob, bobbyShare, group, link] = [
    ...[named(0, "bob"), named(0, "bobby"), named(1, "team"), named(3, null)],
  ];
  assert.deepEqual([bob.permissions, bobbyShare.permissions, group.permissions], [15, 1, 1]);
  assert.equal(new Set(all.map(({ id }: { id: string }) => id)).size, 4);
  for (const [name, value] of [["expireDate", day], ["password", "correct horse"]] as const) {
    for (const { id } of [bob, link]) {
      assertRefused(await put(by, id, { [name]: value }), 403, /for others as well/);
    }
  }
  assert.equal((await put(by, bobbyShare.id, { permissions: "5" })).data.permissions, 5);
  assert.equal((await ocs(app, "DELETE", `${shares}/${bob.id}`, by)).status, 200);
  assert.equal((await ocs(app, "DELETE", `${shares}/${link.id}`, by)).status, 200);
  const { terms } = await app.cubby.shares.get(hash);
  assert.deepEqual(terms?.audience, {
    users: [bobby.user.id],
    groups: [team.id],
    rights: { [`user ${bobby.user.id}`]: "upload" },
  });
  assert.ok(!terms?.anyone);
  assertRefused(await ocs(app, "GET", `${shares}/${link.id}`, by), 404);
  const ends = [bobbyShare.id, group.id].map((id) => ocs(app, "DELETE", `${shares}/${id}`, by));
  for (const { status } of await Promise.all(ends)) assert.equal(status, 200);
  const left = (await Array.fromAsync(app.cubby.shares.parts({ userId: user.id }))).flat();
  assert.ok(left.every((share) => share.terms?.audience?.users.length === 0), "open to nobody");
});

Deno.test("a share keeps its number when its entry gets another name", async () => {
  await using own = await startApp({
    config: { syncClients: true },
    tree: { "a.txt": "one", docs: {} },
  });
  const by = basic("admin", admin.password);
  const body = new URLSearchParams({ path: "/a.txt", shareType: "3" });
  const { data: made } = await ocs(own, "POST", shares, by, { body });
  const headers = { authorization: by, destination: "/remote.php/dav/files/admin/docs/b.txt" };
  await assertStatus(await own.call("MOVE", "/remote.php/dav/files/admin/a.txt", { headers }), 201);
  const { data: [moved] } = await ocs(own, "GET", `${shares}/${made.id}`, by);
  assert.deepEqual([moved.path, moved.id, moved.item_source], [
    "/docs/b.txt",
    made.id,
    made.item_source,
  ]);
  const { data } = await ocs(own, "GET", `${shares}?path=/docs&subfiles=true`, by);
  assert.deepEqual(data, [moved]);
  const file = await ocs(own, "GET", `${shares}?path=/docs/b.txt&subfiles=true`, by);
  assertRefused(file, 400);
});

Deno.test("two shares that have one number by chance are neither shown nor changed", async () => {
  const { by, user } = await sharer("gil");
  const seen = new Map<number, string>();
  let twins: string[] = [];
  for (let count = 0; twins.length === 0; count++) {
    const hash = `h${count}`;
    const number = shareNumber({ hash }, "link");
    const other = seen.get(number);
    if (other) twins = [other, hash];
    seen.set(number, hash);
  }
  for (const [at, hash] of twins.entries()) {
    const path = parsePath(at === 0 ? "/a.txt" : "/docs/b.txt").path;
    const share = { hash, userId: user.id, path, place: path, expire: 0, passwordHash: null };
    await app.cubby.shares.adopt(share);
  }
  const id = String(shareNumber({ hash: twins[0] ?? "" }, "link"));
  assertRefused(await ocs(app, "GET", `${shares}/${id}`, by), 409);
  assertRefused(await put(by, id, { password: "correct horse" }), 409);
  assertRefused(await ocs(app, "DELETE", `${shares}/${id}`, by), 409);
  for (const hash of twins) assert.equal((await app.cubby.shares.get(hash)).passwordHash, null);
});

Deno.test("an answer has a thousand shares at most, however many there are", async () => {
  const { by, user } = await sharer("hal");
  const path = parsePath("/docs/deep/e.txt").path;
  const target = { userId: user.id, path, place: path };
  const make = () => app.cubby.shares.create(target, { password: "", seconds: 0 });
  for (let count = 0; count < 1_010; count++) await make();
  for (const query of ["", "?path=/docs/deep/e.txt", "?path=/docs/deep&subfiles=true"]) {
    const { data } = await ocs(app, "GET", `${shares}${query}`, by);
    assert.equal(data.length, 1_000, query);
  }
});

Deno.test("what listings tell of a share is what the calls say", async () => {
  const { by, user } = await sharer("eli", { groups: [team.id] });
  for (const [type, name] of [["0", "bob"], ["1", "team"]] as const) {
    const made = await post(by, { path: "/docs/b.txt", shareType: type, shareWith: name });
    assert.equal(made.meta.statuscode, 200, made.meta.message);
  }
  await post(by, { path: "/docs/b.txt", shareType: "3" });
  const body = '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" ' +
    'xmlns:nc="http://nextcloud.org/ns"><d:prop><oc:share-types/><oc:owner-id/>' +
    "<oc:permissions/><oc:fileid/>" +
    '<share-permissions xmlns="http://open-collaboration-services.org/ns"/>' +
    "</d:prop></d:propfind>";
  const propertiesOf = async (path: string, authorization: string) => {
    const headers = { authorization, depth: "0" };
    const at = `/remote.php/dav/files/eli/${path}`;
    return await (await app.call("PROPFIND", at, { headers, body })).text();
  };
  const xml = await propertiesOf("docs/b.txt", by);
  const [entry, ...others] = await listed(by, "/docs/b.txt");
  const types = [entry, ...others].map((each: { share_type: number }) => each.share_type).sort();
  for (const type of types) assert.ok(xml.includes(`<oc:share-type>${type}</oc:share-type>`));
  assert.deepEqual(types, [0, 1, 3]);
  assert.ok(xml.includes(`<oc:owner-id>${entry.uid_owner}</oc:owner-id>`));
  assert.ok(xml.includes(`<oc:fileid>${entry.item_source}</oc:fileid>`));
  assert.match(xml, /<oc:permissions>R.*<x1:share-permissions>19</s);
  assert.match(await propertiesOf("docs", by), /<x1:share-permissions>31</);
  for (const [share, bits] of [[true, 17], [false, 1]] as const) {
    const draft = { name: "app", write: false, share, expires: null };
    const { secret } = await app.cubby.apiTokens.create(user.id, draft, null);
    const told = await propertiesOf("docs/b.txt", basic("eli", secret));
    assert.ok(told.includes(`<x1:share-permissions>${bits}<`));
    assert.equal(told.includes("<oc:share-type>"), share, "as on the pages");
  }
});
