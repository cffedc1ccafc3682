/** Whom clients may give what, and what they see of the shares of others. */
import assert from "node:assert/strict";
import { admin } from "../../support/server/app_parts.ts";
import { basic } from "../../support/clients/dav.ts";
import { ocs, type OcsAnswer } from "../../support/clients/ocs.ts";
import { assertStatus } from "../../support/server/refused.ts";
import {
  api,
  app,
  assertRefused,
  day,
  listed,
  post,
  put,
  sharer,
  shares,
  team,
} from "./ocs_sharer.ts";

Deno.test("a user gets the right that the dialog gives, and no more", async () => {
  const { by, user } = await sharer("vic");
  const made = await post(by, {
    ...{ path: "/docs", shareType: "0", shareWith: "bob", permissions: "17" },
    expireDate: day,
  });
  assert.equal(made.meta.statuscode, 200, made.meta.message);
  const share = made.data;
  assert.deepEqual(
    [share.share_type, share.share_with, share.permissions, share.url],
    [0, "bob", 1, undefined],
  );
  assert.equal(share.expiration, `${day} 00:00:00`);
  const audienceNow = async () => {
    const parts = await Array.fromAsync(app.cubby.shares.parts({ userId: user.id }));
    return Object.values(parts.flat()[0]?.terms?.audience?.rights ?? {});
  };
  assertRefused(
    await post(by, { path: "/docs", shareType: "0", shareWith: "bob" }),
    403,
    /you already do/,
  );
  for (
    const [fields, bits, right] of [
      [{ permissions: "3" }, 15, "edit"],
      [{ permissions: "15", attributes: "[]" }, 15, "edit"],
      // "Allow editing" switched off again.
      [{ permissions: "13" }, 5, "upload"],
      [{ permissions: "1", hideDownload: "true" }, 1, "view"],
      [{ permissions: "1" }, 1, "view"],
      [
        { permissions: "1", attributes: '[{"scope":"permissions","key":"download","value":true}]' },
        1,
        "download",
      ],
      [{ permissions: "31" }, 15, "edit"],
      [{ permissions: "9" }, 1, "download"],
    ] as const
  ) {
    const { meta, data } = await put(by, share.id, { ...fields });
    assert.equal(meta.statuscode, 200, meta.message);
    assert.deepEqual([data.permissions, data.id], [bits, share.id]);
    assert.equal(data.attributes === null, right !== "view");
    assert.deepEqual(await audienceNow(), [right]);
  }
  const file = await post(by, {
    path: "/a.txt",
    shareType: "0",
    shareWith: "bob",
    permissions: "31",
  });
  assert.equal(file.data.permissions, 3);
  const shared = await app.call("GET", "/api/shared", {
    token: await app.tokenOf("bob"),
  });
  assert.ok((await shared.json()).some((each: { owner: string }) => each.owner === "vic"));
});

Deno.test("a right that the app password lacks is not given to others", async () => {
  const { user } = await app.addUser("wes");
  const draft = { name: "app", write: false, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, null);
  const by = basic("wes", secret);
  const bob = { path: "/docs", shareType: "0", shareWith: "bob" };
  assertRefused(await post(by, { ...bob, permissions: "15" }), 403, /right "edit"/);
  assertRefused(await post(by, { ...bob, permissions: "5" }), 403, /right "upload"/);
  const { data } = await post(by, { ...bob, permissions: "1" });
  assertRefused(await put(by, data.id, { permissions: "3" }), 403, /right "edit"/);
  assert.equal((await ocs(app, "GET", `${shares}/${data.id}`, by)).data[0].permissions, 1);
});

Deno.test("shares of others are neither listed nor found, and theirs are not told from none", async () => {
  const { by, token } = await sharer("yan");
  const { by: other, user: zed } = await sharer("zed");
  const json = { audience: ["yan"] };
  await assertStatus(
    await app.call("POST", "/api/share/docs", {
      token: await app.tokenOf("zed"),
      json,
    }),
    200,
  );
  const { data: link } = await post(other, { path: "/docs", shareType: "3" });
  const administrator = basic("admin", admin.password);
  for (const asker of [by, administrator]) {
    for (const { id } of await listed(other, "/docs")) {
      const none = await ocs(app, "GET", `${shares}/7`, asker);
      for (
        const answer of [
          await ocs(app, "GET", `${shares}/${id}`, asker),
          await put(asker, id, { permissions: "3" }),
          await ocs(app, "DELETE", `${shares}/${id}`, asker),
        ]
      ) {
        assertRefused(answer, 404);
        assert.equal(answer.meta.message, none.meta.message);
      }
    }
    assert.deepEqual(await listed(asker, "/docs"), []);
    const all = await ocs(app, "GET", `${shares}?reshares=true`, asker);
    assert.ok(all.data.every((each: { uid_owner: string }) => each.uid_owner !== "zed"));
    for (
      const path of [
        `${shares}?shared_with_me=true`,
        `${shares}/pending`,
        `v2.php/${api}/remote_shares`,
        `v2.php/${api}/remote_shares/pending`,
      ]
    ) {
      assert.deepEqual((await ocs(app, "GET", path, asker)).data, []);
    }
  }
  for (const id of ["0", "-1", "1.5", "1e3", "x", "99999999999", "%00", "..%2f1", link.token]) {
    assertRefused(await ocs(app, "GET", `${shares}/${id}`, by), 404);
  }
  assert.equal(
    (await Array.fromAsync(app.cubby.shares.parts({ userId: zed.id }))).flat().length,
    2,
  );
  await assertStatus(await app.call("DELETE", `/api/share/${link.token}`, { token }), 403);
});

Deno.test("an app password for one folder shares below it, and knows of nothing else", async () => {
  const { by, user } = await sharer("abe");
  const draft = { name: "app", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, "/docs" as never);
  const bound = basic("abe", secret);
  const outside = [
    (await post(by, { path: "/a.txt", shareType: "3" })).data,
    (await post(by, { path: "/other/f.txt", shareType: "0", shareWith: "bobby" })).data,
    (await post(by, { path: "/", shareType: "3" })).data,
  ];
  const inside = (await post(bound, { path: "/deep/e.txt", shareType: "3" })).data;
  assert.equal(inside.path, "/deep/e.txt");
  const top = (await post(bound, { path: "/", shareType: "3" })).data;
  assert.deepEqual([top.path, top.item_type], ["/", "folder"]);
  const { path } = await app.cubby.shares.get(inside.token);
  assert.equal(path, "/docs/deep/e.txt");
  await assertStatus(await app.call("GET", `/api/public/dl/${inside.token}`), 200);
  for (const asked of ["/a.txt", "/docs", "/../a.txt", "/other/f.txt"]) {
    const { status } = await post(bound, { path: asked, shareType: "3" });
    assert.ok([400, 404].includes(status), asked);
  }
  for (const { id } of outside) {
    assertRefused(await ocs(app, "GET", `${shares}/${id}`, bound), 404);
    assertRefused(await put(bound, id, { password: "correct horse" }), 404);
    assertRefused(await ocs(app, "DELETE", `${shares}/${id}`, bound), 404);
  }
  const { data } = await ocs(app, "GET", shares, bound);
  assert.deepEqual(
    new Set(data.map((each: { id: string }) => each.id)),
    new Set([inside.id, top.id]),
  );
  assert.equal((await ocs(app, "GET", shares, by)).data.length, 5);
  const { data: found } = await ocs(app, "GET", `v2.php/${api}/sharees?search=bobby`, bound);
  assert.deepEqual(found.exact.users, [], "names of shares outside of the folder stay unknown");
  assert.equal(
    (await ocs(app, "GET", `v2.php/${api}/sharees?search=bobby`, by)).data.exact.users.length,
    1,
  );
});

Deno.test("a rule that denies an entry ends what clients see of its shares", async () => {
  const { by, user } = await sharer("ben");
  const { data } = await post(by, { path: "/docs/b.txt", shareType: "3" });
  const rules = [{ regex: false, allow: false, path: "/docs/b.txt", regexp: { raw: "" } }];
  await app.cubby.users.update(user.id, { rules } as never);
  assertRefused(await post(by, { path: "/docs/b.txt", shareType: "3" }), 403);
  for (const path of [`${shares}/${data.id}`, `${shares}?path=/docs/b.txt`]) {
    const { status } = await ocs(app, "GET", path, by);
    assert.ok([403, 404].includes(status), path);
  }
  assert.deepEqual((await ocs(app, "GET", shares, by)).data, []);
  assertRefused(await put(by, data.id, { password: "correct horse" }), 404);
});

Deno.test("suggestions are those of the pages, and as few", async () => {
  const { by } = await sharer("cem", { groups: [team.id] });
  const find = async (search: string, more = "") => {
    const query = `search=${
      encodeURIComponent(search)
    }&itemType=file&page=1&perPage=50&lookup=false`;
    const { meta, data } = await ocs(app, "GET", `v2.php/${api}/sharees?${query}${more}`, by);
    assert.equal(meta.statuscode, 200);
    for (const kind of ["remotes", "remote_groups", "emails", "rooms", "circles"]) {
      assert.deepEqual([data[kind], data.exact[kind]], [[], []], "clients read each list");
    }
    const namesIn = (list: { label: string }[]) => list.map(({ label }) => label);
    return [data.exact.users, data.users, data.exact.groups, data.groups].map(namesIn);
  };
  assert.deepEqual(await find("bob"), [[], [], [], []], "names of users are not suggested");
  assert.deepEqual(await find("te"), [[], [], [], ["team"]]);
  assert.deepEqual(await find("team"), [[], [], ["team"], []]);
  assert.deepEqual(await find("b"), [[], [], [], []]);
  await post(by, { path: "/a.txt", shareType: "0", shareWith: "bob" });
  assert.deepEqual(await find("bo"), [[], ["bob"], [], []], "of one's own shares they are");
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, suggestNames: true });
  try {
    assert.deepEqual(await find("BOB"), [["bob"], ["bobby"], [], []]);
    assert.deepEqual(await find("bob", "&page=2"), [["bob"], ["bobby"], [], []]);
  } finally {
    await app.cubby.settings.update(settings);
  }
  const paged = await ocs(app, "GET", `v2.php/${api}/sharees?search=bob&page=2&perPage=1`, by);
  assert.deepEqual(paged.data.exact.users, []);
  assertRefused(await ocs(app, "GET", `v2.php/${api}/sharees?search=bob&page=x`, by), 400);
  const { data } = await ocs(app, "GET", `v2.php/${api}/sharees_recommended?itemType=file`, by);
  assert.deepEqual([data.users, data.exact.users], [[], []]);
});

Deno.test("names cannot be guessed one by one (CWE-204)", async () => {
  const { by } = await sharer("dov");
  let last: OcsAnswer | null = null;
  for (let count = 0; count < 25 && last?.status !== 429; count++) {
    last = await post(by, { path: "/a.txt", shareType: "0", shareWith: `guess${count}` });
  }
  assert.equal(last?.status, 429);
  assert.notEqual(last?.headers.get("retry-after"), null);
  for (let count = 0; count < 70; count++) {
    last = await ocs(app, "GET", `v2.php/${api}/sharees?search=gu${count}`, by);
    if (last.status === 429) break;
  }
  assert.equal(last?.status, 429);
});
