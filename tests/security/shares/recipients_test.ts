// With two threads, too: shares and rights that end.
import assert from "node:assert/strict";
import { join } from "node:path";
import { areaOf, digestOf, reservations } from "../../../lib/server/features/quotas/area_usage.ts";
import { withoutWords } from "../../support/data/page_data.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { listed, sharedHomes } from "../../support/server/shared_homes.ts";

const app = await startApp({ tree: { outside: { "o.txt": "outside" } } });
Deno.test.afterAll(app.close);
const { person, owner, makeGroup, shareOf, outsiders, endings, inReadOnlyRoot } = sharedHomes(app);
const { groups } = app.cubby.users;
const type = "application/offset+octet-stream";

const uploader = ({ name }: { name: string }) => ({ audience: [{ name, may: "upload" }] });

function begin(at: string, token: string, name: string, length: number, body?: string) {
  const filename = new TextEncoder().encode(name).toBase64();
  const headers: Record<string, string> = {
    "upload-length": String(length),
    "upload-metadata": `filename ${filename}`,
    ...body !== undefined && { "content-type": type },
  };
  return app.call("POST", `/api/public/tus/${at}`, { token, headers, body });
}

/** Adds a file whole; returns the status of the answer. */
async function add(at: string, token: string, name: string, body = "new"): Promise<number> {
  const answer = await begin(at, token, name, body.length, body);
  await answer.body?.cancel();
  return answer.status;
}

const go = (method: string, location: string, token: string, offset?: number, body?: string) =>
  app.call(method, location, {
    token,
    body,
    headers: {
      ...body !== undefined && { "content-type": type },
      ...offset !== undefined && { "upload-offset": String(offset) },
    },
  });

Deno.test("adding to a share: a file comes under a free name, with its folders, and replaces nothing", async () => {
  const [anna, friend] = [await owner(), await person()];
  const hash = await shareOf(anna.token, uploader(friend));
  assert.equal(await add(hash, friend.token, "a.txt"), 201);
  assert.equal(await add(hash, friend.token, "photos/sea.jpg"), 201);
  assert.equal(await Deno.readTextFile(join(anna.home, "docs/a.txt")), "kept");
  assert.equal(await Deno.readTextFile(join(anna.home, "docs/a(1).txt")), "new");
  assert.equal(await Deno.readTextFile(join(anna.home, "docs/photos/sea.jpg")), "new");
  const [item] = await (await app.call("GET", "/api/shared", { token: friend.token })).json();
  assert.equal(item.may, "upload");
});

Deno.test("adding to a share: who may only view or download, strangers and the link's audience are refused", async () => {
  const anna = await owner();
  for (const [at, token, status] of await outsiders(anna, ["view", "download"])) {
    assert.equal(await add(at, token, "b.txt"), status, `${at} ${token}`);
  }
  assert.deepEqual(listed(join(anna.home, "docs")), ["a.txt"]);
});

Deno.test("adding to a share: a cookie alone, and an API token, add nothing", async () => {
  const [anna, friend] = [await owner(), await person()];
  const hash = await shareOf(anna.token, uploader(friend));
  const headers = {
    cookie: `auth=${friend.token}`,
    "content-type": type,
    "upload-length": "1",
    "upload-metadata": `filename ${btoa("b.txt")}`,
  };
  const path = `/api/public/tus/${hash}`;
  const byCookie = await app.call("POST", path, { headers, body: "x" });
  await assertRefused(byCookie, 404, "not_found");
  const options = { name: "t", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(friend.user.id, options, null);
  assert.ok([401, 403, 404].includes(await add(hash, secret, "b.txt")));
  assert.deepEqual(listed(join(anna.home, "docs")), ["a.txt"]);
});

Deno.test("view only by one's own right: files are shown, and not sent to be saved", async () => {
  const [anna, viewer, reader] = [await owner(), await person(), await person()];
  await Deno.writeTextFile(join(anna.home, "docs/sea.jpg"), "sea");
  const hash = await shareOf(anna.token, {
    audience: [{ name: viewer.name, may: "view" }, reader.name],
  });
  const file = `/api/public/dl/${hash}/sea.jpg`;
  await assertRefused(await app.call("GET", file, { token: viewer.token }), 403, "forbidden");
  await assertStatus(await app.call("GET", `${file}?inline=true`, { token: viewer.token }), 200);
  await assertStatus(await app.call("GET", file, { token: reader.token }), 200);
  const page = async (token: string) => {
    const cookie = { headers: { cookie: `auth=${token}` } };
    return withoutWords(await (await app.call("GET", `/share/${hash}/`, cookie)).text());
  };
  const forViewer = await page(viewer.token);
  assert.doesNotMatch(forViewer, /\/api\/public\/dl\/[^"]*algo=|Download all/);
  assert.match(forViewer, /"viewOnly":true/);
  const forReader = await page(reader.token);
  assert.match(forReader, /\/api\/public\/dl\/[^"]*algo=/);
  assert.match(forReader, /Download all/);
  assert.match(forReader, /"viewOnly":false/);
});

Deno.test("of several rights the largest counts, and view-only of the share is above all", async () => {
  const [anna, friend] = [await owner(), await person()];
  const group = await makeGroup(friend.user.id);
  const audience = [{ name: friend.name, may: "view" }, { name: `@${group.name}`, may: "upload" }];
  const hash = await shareOf(anna.token, { audience });
  assert.equal(await add(hash, friend.token, "b.txt"), 201);
  const json = { viewOnly: true };
  const path = `/api/share/${hash}`;
  await assertStatus(await app.call("PATCH", path, { token: anna.token, json }), 200);
  assert.equal(await add(hash, friend.token, "c.txt"), 403);
  const [info] = await (await app.call("GET", "/api/shares", { token: anna.token })).json();
  assert.deepEqual(info.audience, audience, "as it was given");
});

Deno.test("adding to a share ends at once: with the owner's rights, the group, the share, its end", async () => {
  const [friend, member] = [await person(), await person()];
  const group = await makeGroup(member.user.id);
  const audience = [
    { name: friend.name, may: "upload" },
    { name: `@${group.name}`, may: "upload" },
  ];
  const ends = endings(["create", "share", "download"], [friend.user.id, member.user.id]);
  for (const [name, end] of ends) {
    const of = await owner();
    const hash = await shareOf(of.token, { audience });
    for (const { token } of [friend, member]) {
      const begun = await begin(hash, token, "late.txt", 4);
      assert.equal(begun.status, 201);
    }
    const begun = await begin(hash, friend.token, "half.txt", 4, "ha");
    const location = begun.headers.get("location") ?? "";
    assert.equal(begun.status, 201);
    await end(of, hash);
    const before = listed(join(of.home, "docs"));
    for (const { token } of [friend, member]) {
      assert.ok([403, 404].includes(await add(hash, token, "b.txt")), name);
    }
    const more = await go("PATCH", location, friend.token, 2, "lf");
    assert.ok([403, 404].includes(more.status), `${name}: ${more.status}`);
    await more.body?.cancel();
    assert.deepEqual(listed(join(of.home, "docs")), before, name);
    await go("DELETE", location, friend.token).then((answer) => answer.body?.cancel());
  }
  const of = await owner();
  const hash = await shareOf(of.token, { audience: [{ name: `@${group.name}`, may: "upload" }] });
  assert.equal(await add(hash, member.token, "b.txt"), 201);
  await groups.setMembers(group, []);
  assert.equal(await add(hash, member.token, "c.txt"), 404);
});

Deno.test("adding to a share: no name leads out of it, by dots, slashes or links", async () => {
  const [anna, friend] = [await owner(), await person()];
  const docs = join(anna.home, "docs");
  await Deno.symlink("..", join(docs, "up"));
  await Deno.symlink("../beside.txt", join(docs, "file-link"));
  await Deno.symlink(join(app.root, "outside"), join(docs, "out"));
  const hash = await shareOf(anna.token, uploader(friend));
  const before = JSON.stringify([
    listed(anna.home),
    listed(docs),
    listed(join(app.root, "outside")),
  ]);
  for (
    const name of [
      "../b.txt",
      "x/../../b.txt",
      "..",
      ".",
      "up/b.txt",
      "out/b.txt",
      "up/docs/../b.txt",
      "a\0b.txt",
      "",
      "/",
    ]
  ) {
    const status = await add(hash, friend.token, name);
    assert.ok(status >= 400 && status < 500, `${JSON.stringify(name)}: ${status}`);
  }
  for (const way of ["%2e%2e/", "up/", "out/", "%2e%2e%2fb/"]) {
    const status = await add(`${hash}/${way}`, friend.token, "b.txt");
    assert.ok(status >= 400 && status < 500, `${way}: ${status}`);
  }
  // A link's name is taken, as any other: what it leads to is not written.
  await add(hash, friend.token, "file-link");
  assert.equal(await Deno.readTextFile(join(anna.home, "beside.txt")), "beside");
  await Deno.remove(join(docs, "file-link(1)")).catch(() => {});
  const after = JSON.stringify([
    listed(anna.home),
    listed(docs),
    listed(join(app.root, "outside")),
  ]);
  assert.equal(after, before);
});

Deno.test("adding to a share: the owner's rules and hidden names hold", async () => {
  const anna = await owner({ rules: [deny("/docs/closed")], hideDotfiles: true });
  await Deno.mkdir(join(anna.home, "docs/closed"));
  const friend = await person({ perm: { admin: true } });
  const hash = await shareOf(anna.token, uploader(friend));
  for (const name of ["closed/b.txt", "closed", ".htaccess", "sub/.env"]) {
    assert.equal(await add(hash, friend.token, name), 403, name);
  }
  assert.deepEqual(listed(join(anna.home, "docs/closed")), []);
});

Deno.test("adding to a share counts in the owner's quota, and not in the recipient's", async () => {
  const anna = await owner({ quota: { bytes: 100, files: 0 } });
  const friend = await person({ scope: "/outside", quota: { bytes: 1, files: 1 } });
  const hash = await shareOf(anna.token, uploader(friend));
  assert.equal(await add(hash, friend.token, "b.txt", "x".repeat(60)), 201);
  const told = await assertRefused(
    await begin(hash, friend.token, "c.txt", 60),
    507,
    "over_quota",
  );
  assert.equal(told, 'Cannot write "/c.txt": the quota of its owner has no room for it');
  const { quota } = await (await app.call("GET", "/api/usage/", { token: anna.token })).json();
  assert.equal(quota.usedBytes, 60 + "kept".length + "beside".length);
});

/** The hidden files and the reservations of unfinished uploads in an owner's shared folder. */
async function unfinished(of: Awaited<ReturnType<typeof owner>>) {
  const parts = await app.cubby.store.list(["upload_parts", of.user.id]);
  const rooms = await app.cubby.store.list(reservations.prefix(digestOf(areaOf(of.user))));
  return {
    files: listed(join(of.home, "docs")).filter((name) => name.startsWith(".cubby-")).length,
    records: parts.length,
    reserved: rooms.length,
  };
}

const none = { files: 0, records: 0, reserved: 0 };

Deno.test("unfinished uploads to a share are dropped once the right to add to it has ended", async () => {
  const friend = await person();
  const audience = [{ name: friend.name, may: "upload" }];
  for (const [name, end] of endings(["create", "share", "download"], [friend.user.id])) {
    const of = await owner({ quota: { bytes: 1_000_000, files: 0 } });
    const hash = await shareOf(of.token, { audience });
    await assertStatus(await begin(hash, friend.token, "half.bin", 900_000, "ha"), 201);
    const own = { token: of.token, headers: { "upload-length": "9" } };
    await assertStatus(await app.call("POST", "/api/tus/docs/own.bin", own), 201);
    await app.cubby.recipientUploads.dropEnded();
    assert.deepEqual(await unfinished(of), { files: 2, records: 2, reserved: 2 }, name);
    await assertStatus(await app.call("DELETE", "/api/tus/docs/own.bin", own), 204);
    await end(of, hash);
    // As the upkeep of each hour does.
    await app.cubby.recipientUploads.removeExpired();
    assert.deepEqual(await unfinished(of), none, name);
  }
});

Deno.test("the calls that end a right to add to a share drop unfinished uploads at once", async () => {
  const admin = await app.tokenOf("admin");
  const confirmed = { current_password: app.admin.password };
  const ends: Record<
    string,
    (of: Awaited<ReturnType<typeof owner>>, hash: string, friend: number) => Promise<Response>
  > = {
    "DELETE share": (of, hash) => app.call("DELETE", `/api/share/${hash}`, { token: of.token }),
    "PATCH share": (of, hash) =>
      app.call("PATCH", `/api/share/${hash}`, { token: of.token, json: { audience: null } }),
    "DELETE owner": (of) =>
      app.call("DELETE", `/api/users/${of.user.id}`, { token: admin, json: confirmed }),
    "DELETE recipient": (_of, _hash, friend) =>
      app.call("DELETE", `/api/users/${friend}`, { token: admin, json: confirmed }),
    "PUT owner": async ({ user }) => {
      const answer = await app.call("PUT", `/api/users/${user.id}`, {
        token: admin,
        json: {
          ...confirmed,
          what: "user",
          which: ["perm"],
          data: { id: user.id, perm: { ...user.perm, create: false } },
        },
      });
      // The change has the area counted behind the scenes: this joins that count.
      await assertStatus(await app.call("POST", `/api/quotas/${user.id}`, { token: admin }), 200);
      return answer;
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    const of = await owner({ quota: { bytes: 1_000_000, files: 0 } });
    const friend = await person();
    const hash = await shareOf(of.token, uploader(friend));
    await assertStatus(await begin(hash, friend.token, "half.bin", 900_000, "ha"), 201);
    await assertStatus(await end(of, hash, friend.user.id), 200, name);
    assert.deepEqual(await unfinished(of), none, name);
  }
});

Deno.test("adding to a share in a read-only root, or to a file, is refused", async () => {
  const friend = await person();
  const { kept, home, token } = await inReadOnlyRoot(uploader(friend));
  assert.equal(await add(kept, friend.token, "b.txt"), 403);
  const file = await shareOf(token, uploader(friend), "/Open/o.txt");
  assert.equal(await add(file, friend.token, "b.txt"), 403);
  assert.deepEqual(listed(join(home, "docs")), ["a.txt"]);
  const shared = await (await app.call("GET", "/api/shared", { token: friend.token })).json();
  assert.deepEqual(shared.map(({ may }: { may: string }) => may), ["download", "download"]);
  const open = await shareOf(token, uploader(friend), "/Open");
  assert.equal(await add(open, friend.token, "b.txt"), 201);
  await Deno.remove(join(app.root, "outside/b.txt"));
});

Deno.test("adding to a share: an upload is its beginner's alone, and by that share alone", async () => {
  const [anna, first, second] = [await owner(), await person(), await person()];
  const audience = [first, second].map(({ name }) => ({ name, may: "upload" }));
  const [hash, other] = [
    await shareOf(anna.token, { audience }),
    await shareOf(anna.token, { audience }),
  ];
  const begun = await begin(hash, first.token, "b.txt", 4, "ha");
  const location = begun.headers.get("location") ?? "";
  for (
    const [at, token] of [[location, second.token], [location.replace(hash, other), first.token]]
  ) {
    for (const method of ["HEAD", "DELETE"]) {
      await assertStatus(await go(method, String(at), String(token)), 404);
    }
    await assertStatus(await go("PATCH", String(at), String(token), 2, "lf"), 404);
  }
  const answer = await go("HEAD", location, first.token);
  assert.equal(answer.headers.get("upload-offset"), "2");
  await assertStatus(await go("PATCH", location, first.token, 2, "lf"), 204);
  assert.equal(await Deno.readTextFile(join(anna.home, "docs/b.txt")), "half");
});

Deno.test("a password is asked for by each call that adds", async () => {
  const [anna, friend] = [await owner(), await person()];
  const hash = await shareOf(anna.token, { ...uploader(friend), password: "open sesame" });
  assert.equal(await add(hash, friend.token, "b.txt"), 401);
  const headers = { "x-share-password": "open%20sesame" };
  const path = `/api/public/share/${hash}`;
  const { token } = await (await app.call("GET", path, { token: friend.token, headers })).json();
  assert.equal(await add(`${hash}?token=${token}`, friend.token, "b.txt"), 201);
});

Deno.test("rights that are none are refused, and nobody is let in by them", async () => {
  const [anna, friend] = [await owner(), await person()];
  const { name } = friend;
  for (const may of ["admin", "", "delete", null, ["upload"], 1, undefined]) {
    const json = { audience: [{ name, may }] };
    const answer = await app.call("POST", "/api/share/docs", { token: anna.token, json });
    await assertRefused(answer, 400, "invalid_body", JSON.stringify(may));
  }
});
