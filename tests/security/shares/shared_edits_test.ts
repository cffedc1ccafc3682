// With two threads, too: edits at the same time, shares that end.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AuditRecord } from "../../../lib/shared/schemas/audit.ts";
import { deny } from "../../support/data/rules.ts";
import { halfSent } from "../../support/clients/half_sent.ts";
import { startApp } from "../../support/server/app.ts";
import { activitiesOnce, keepActivity } from "../../support/server/audited.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { listed, sharedHomes } from "../../support/server/shared_homes.ts";

const app = await startApp({ tree: { outside: { "o.txt": "outside" } } });
Deno.test.afterAll(app.close);
const { person, owner, makeGroup, shareOf, outsiders, endings, inReadOnlyRoot } = sharedHomes(app);
const { users } = app.cubby;

const editor = ({ name }: { name: string }) => ({ audience: [{ name, may: "edit" }] });
const at = (path: string) => `/api/public/share/${path}`;
const read = (...path: string[]) => Deno.readTextFile(join(...path));
const rename = (to: string, more = "") => `?action=rename&destination=${to}${more}`;

/** One call of each kind on what is in the share. */
const changes = (hash: string): [method: string, path: string, body?: string][] => [
  ["POST", at(`${hash}/made/`)],
  ["PUT", at(`${hash}/a.txt`), "changed"],
  ["PATCH", at(`${hash}/a.txt`) + rename("/b.txt")],
  ["DELETE", at(`${hash}/a.txt`)],
];

/** Everything below a folder, with the content of files. */
function treeOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory, isFile }) => {
    const path = join(folder, name);
    const below = isDirectory ? treeOf(path) : isFile ? [Deno.readTextFileSync(path)] : [];
    return [name, ...below.map((each) => `${name}/${each}`)];
  }).sort();
}

async function statusesOf(hash: string, token: string): Promise<number[]> {
  const statuses = [];
  for (const [method, path, body] of changes(hash)) {
    const answer = await app.call(method, path, { token, body });
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  return statuses;
}

async function trashOf(token: string) {
  return (await (await app.call("GET", "/api/trash?all=true", { token })).json()).items;
}

async function discard(hash: string, path: string, token: string): Promise<string> {
  const answer = await app.call("DELETE", at(`${hash}${path}`), { token });
  await assertStatus(answer, 200);
  return answer.headers.get("content-location") ?? "";
}

Deno.test("editing a share: those without the right change nothing", async () => {
  const anna = await owner();
  const before = treeOf(anna.home);
  const refused = await outsiders(anna, ["view", "download", "upload"]);
  for (const [share, token, status] of refused) {
    assert.deepEqual(await statusesOf(share, token), Array(4).fill(status), `${share} ${token}`);
  }
  assert.deepEqual(treeOf(anna.home), before);
  assert.deepEqual(await trashOf(anna.token), []);
});

Deno.test("editing a share: a cookie alone, and an API token, change nothing", async () => {
  const [anna, friend] = [await owner(), await person()];
  const hash = await shareOf(anna.token, editor(friend));
  const before = treeOf(anna.home);
  for (const [method, path, body] of changes(hash)) {
    const headers = { cookie: `auth=${friend.token}` };
    await assertRefused(await app.call(method, path, { headers, body }), 404, "not_found");
  }
  const options = { name: "t", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(friend.user.id, options, null);
  for (const status of await statusesOf(hash, secret)) {
    assert.ok([401, 403, 404].includes(status), String(status));
  }
  assert.deepEqual(treeOf(anna.home), before);
});

Deno.test("editing and adding: a right that ends while the body comes ends the upload", async () => {
  const [friend, member] = [await person(), await person()];
  const group = await makeGroup(friend.user.id);
  const rights = ["create", "modify", "rename", "delete", "share", "download"] as const;
  const ends = endings(rights, [friend.user.id]);
  const left: typeof ends[number] = ["group", () => users.groups.setMembers(group, [])];
  const audience = [{ name: `@${group.name}`, may: "edit" }, { name: member.name, may: "edit" }];
  for (const [name, end] of [...ends, left]) {
    const anna = await owner();
    const docs = join(anna.home, "docs");
    const hash = await shareOf(anna.token, { audience });
    const body = halfSent(docs, () => end(anna, hash));
    const save = await app.call("PUT", at(`${hash}/a.txt`), { token: friend.token, body });
    assert.ok([403, 404].includes(save.status), `${name} ${save.status}`);
    await save.body?.cancel();
    assert.equal(await read(docs, "a.txt"), "kept", name);
    assert.deepEqual(listed(docs), ["a.txt"], name);
  }
  for (const [name, end] of ends.filter(([name]) => !/modify|rename|delete/.test(name))) {
    const anna = await owner();
    const docs = join(anna.home, "docs");
    const hash = await shareOf(anna.token, { audience });
    const headers = {
      "upload-length": "9",
      "upload-metadata": `filename ${btoa("new.txt")}`,
      "content-type": "application/offset+octet-stream",
    };
    const body = halfSent(docs, () => end(anna, hash));
    const path = `/api/public/tus/${hash}`;
    const add = await app.call("POST", path, { token: member.token, headers, body });
    assert.ok([403, 404].includes(add.status), `${name} ${add.status}`);
    await add.body?.cancel();
    assert.deepEqual(listed(docs).filter((each) => !each.startsWith(".")), ["a.txt"], name);
  }
});

Deno.test("editing a share: the shared entry keeps its name and place, and is not removed", async () => {
  const [anna, friend] = [await owner(), await person()];
  await Deno.mkdir(join(anna.home, "docs/sub"));
  const folder = await shareOf(anna.token, editor(friend));
  const file = await shareOf(anna.token, editor(friend), "/beside.txt");
  const before = treeOf(anna.home);
  for (const hash of [folder, file]) {
    for (const end of ["", "/", "//", "/.", "/%2e", "/sub/.."]) {
      for (const [method, query] of [["DELETE", ""], ["PATCH", rename("/moved")]] as const) {
        const answer = await app.call(method, at(hash + end) + query, { token: friend.token });
        assert.ok([400, 403, 404].includes(answer.status), `${method} ${end} ${answer.status}`);
        await answer.body?.cancel();
      }
    }
  }
  for (const to of ["/", "%2F", "/sub/"]) {
    const path = at(`${folder}/sub`) + rename(to, "&override=true");
    const answer = await app.call("PATCH", path, { token: friend.token });
    assert.ok(answer.status >= 400 && answer.status < 500, `${to} ${answer.status}`);
    await answer.body?.cancel();
  }
  assert.deepEqual(treeOf(anna.home), before);
  const save = await app.call("PUT", at(file), { token: friend.token, body: "saved" });
  await assertStatus(save, 200, "but a shared file gets new content");
  assert.equal(await read(anna.home, "beside.txt"), "saved");
});

Deno.test("editing a share: no path and no link leads out of it", async () => {
  const [anna, friend] = [await owner(), await person()];
  const docs = join(anna.home, "docs");
  await Deno.symlink("..", join(docs, "up"));
  await Deno.symlink("../beside.txt", join(docs, "file-link"));
  await Deno.symlink(join(app.root, "outside"), join(docs, "out"));
  await Deno.symlink("nowhere", join(docs, "broken"));
  const hash = await shareOf(anna.token, editor(friend));
  const before = [treeOf(anna.home), treeOf(join(app.root, "outside"))];
  const outside = [
    ...["up/beside.txt", "up/docs/a.txt", "file-link", "out/o.txt", "%2e%2e/beside.txt"],
    ...["..%2fbeside.txt", "x/../../beside.txt", "broken/x", "up", "out"],
  ];
  const { token } = friend;
  for (const path of outside) {
    const save = await app.call("PUT", at(`${hash}/${path}`), { token, body: "out" });
    const make = await app.call("POST", at(`${hash}/${path}/made/`), { token });
    const move = await app.call("PATCH", at(`${hash}/a.txt`) + rename(`/${path}/b.txt`), { token });
    const over = rename(`/${path}`, "&override=true");
    const replace = await app.call("PATCH", at(`${hash}/a.txt`) + over, { token });
    for (const answer of [save, make, move, replace]) {
      assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${answer.status}`);
      await answer.body?.cancel();
    }
  }
  for (const path of ["up/beside.txt", "out/o.txt", "%2e%2e/beside.txt", "..%2fbeside.txt"]) {
    const take = await app.call("PATCH", at(`${hash}/${path}`) + rename("/taken"), { token });
    const remove = await app.call("DELETE", at(`${hash}/${path}`), { token });
    for (const answer of [take, remove]) {
      assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${answer.status}`);
      await answer.body?.cancel();
    }
  }
  assert.deepEqual([treeOf(anna.home), treeOf(join(app.root, "outside"))], before);
  await discard(hash, "/out", token);
  assert.deepEqual(listed(join(app.root, "outside")), ["o.txt"], "the link alone goes");
});

Deno.test("editing a share: a link that is exchanged meanwhile never leads out", async () => {
  const [anna, friend] = [await owner(), await person()];
  const [docs, outside] = [join(anna.home, "docs"), join(app.root, "outside")];
  const hash = await shareOf(anna.token, editor(friend));
  const inside = join(docs, "inside");
  await Deno.mkdir(inside);
  // Without it a call that comes first would make a folder of this name.
  await Deno.symlink(outside, join(docs, "sub"));
  let isDone = false;
  const swapping = (async () => {
    for (let swaps = 0; !isDone; swaps++) {
      await Deno.symlink(swaps % 2 === 0 ? inside : outside, join(docs, "next"));
      await Deno.rename(join(docs, "next"), join(docs, "sub"));
    }
  })();
  const { token } = friend;
  for (let time = 0; time < 40; time++) {
    await Deno.writeTextFile(join(docs, "b.txt"), "b");
    const answers = [
      await app.call("PUT", at(`${hash}/sub/o.txt`), { token, body: "swapped" }),
      await app.call("PATCH", at(`${hash}/b.txt`) + rename("/sub/b.txt"), { token }),
      await app.call("PATCH", at(`${hash}/sub/o.txt`) + rename("/taken"), { token }),
      await app.call("DELETE", at(`${hash}/sub/o.txt`), { token }),
      await app.call("POST", at(`${hash}/sub/made/`), { token }),
    ];
    for (const answer of answers) await answer.body?.cancel();
  }
  isDone = true;
  await swapping;
  assert.deepEqual(treeOf(outside), ["o.txt", "o.txt/outside"]);
  assert.ok(listed(inside).includes("made"), "inside it was made, at other times");
});

Deno.test("editing a share: the owner's rules and hidden names hold, whoever edits", async () => {
  const anna = await owner({ rules: [deny("/docs/closed")], hideDotfiles: true });
  await Deno.mkdir(join(anna.home, "docs/closed"));
  await Deno.mkdir(join(anna.home, "docs/with/.hidden"), { recursive: true });
  await Deno.writeTextFile(join(anna.home, "docs/closed/c.txt"), "closed");
  await Deno.writeTextFile(join(anna.home, "docs/.htaccess"), "hidden");
  const friend = await person({ perm: { admin: true } });
  const { token } = friend;
  const hash = await shareOf(anna.token, editor(friend));
  const before = treeOf(anna.home);
  for (const path of ["closed", "closed/c.txt", ".htaccess"]) {
    for (
      const [method, where, body] of [
        ["PUT", path, "new"],
        ["DELETE", path],
        ["PATCH", path + rename("/b.txt")],
        ["PATCH", `a.txt${rename(`/${path}/b.txt`)}`],
        ["POST", `${path}/made/`],
      ] as const
    ) {
      const answer = await app.call(method, at(`${hash}/${where}`), { token, body });
      await assertRefused(answer, 403, "forbidden", `${method} ${where}`);
    }
  }
  const whole = await app.call("DELETE", at(`${hash}/with`), { token });
  await assertRefused(whole, 403, "forbidden", "with what the owner does not see in it");
  assert.deepEqual(treeOf(anna.home), before);
});

Deno.test("editing a share counts in the owner's quota, and not in the recipient's", async () => {
  const anna = await owner({ quota: { bytes: 100, files: 0 } });
  const friend = await person({ scope: "/outside", quota: { bytes: 1, files: 1 } });
  const { token } = friend;
  const hash = await shareOf(anna.token, editor(friend));
  const save = (bytes: number) =>
    app.call("PUT", at(`${hash}/a.txt`), { token, body: "x".repeat(bytes) });
  const told = await assertRefused(await save(120), 507, "over_quota");
  assert.match(told, /: the quota of its owner has no room for it$/);
  assert.equal(await read(anna.home, "docs/a.txt"), "kept");
  await assertStatus(await save(60), 200);
  const { quota } = await (await app.call("GET", "/api/usage/", { token: anna.token })).json();
  assert.equal(quota.usedBytes, 60 + "kept".length + "beside".length, "with the previous version");
});

Deno.test("editing a share ends at once: with the owner's rights, the group, the share, its end", async () => {
  const [friend, member] = [await person(), await person()];
  const group = await makeGroup(member.user.id);
  const audience = [
    { name: friend.name, may: "edit" },
    { name: `@${group.name}`, may: "edit" },
  ];
  const permissions = ["create", "modify", "rename", "delete", "share", "download"] as const;
  const ends = endings(permissions, [friend.user.id, member.user.id]);
  for (const [name, end] of ends) {
    const of = await owner();
    await Deno.writeTextFile(join(of.home, "docs/gone.txt"), "gone");
    const hash = await shareOf(of.token, { audience });
    const back = await discard(hash, "/gone.txt", friend.token);
    await end(of, hash);
    const before = treeOf(of.home);
    for (const { token } of [friend, member]) {
      for (const status of await statusesOf(hash, token)) {
        assert.ok([403, 404].includes(status), `${name} ${status}`);
      }
    }
    const restored = await app.call("POST", back, { token: friend.token });
    assert.ok([403, 404].includes(restored.status), `${name} ${restored.status}`);
    await restored.body?.cancel();
    assert.deepEqual(treeOf(of.home), before, name);
  }
  const of = await owner();
  const hash = await shareOf(of.token, { audience: [{ name: `@${group.name}`, may: "edit" }] });
  await assertStatus(await app.call("POST", at(`${hash}/x/`), { token: member.token }), 200);
  await app.cubby.users.groups.setMembers(group, []);
  assert.deepEqual(await statusesOf(hash, member.token), Array(4).fill(404));
});

Deno.test("an owner who may not delete lets editors add files, and no more", async () => {
  const [anna, friend] = [await owner(), await person()];
  const hash = await shareOf(anna.token, editor(friend));
  const may = async () => {
    const [item] = await (await app.call("GET", "/api/shared", { token: friend.token })).json();
    return item.may;
  };
  assert.equal(await may(), "edit");
  await users.update(anna.user.id, { perm: { ...anna.user.perm, delete: false } });
  assert.equal(await may(), "upload");
  await users.update(anna.user.id, { perm: { ...anna.user.perm, create: false } });
  assert.equal(await may(), "download");
  assert.deepEqual(await statusesOf(hash, friend.token), Array(4).fill(403));
});

Deno.test("editing a share in a read-only root, or the root itself, is refused", async () => {
  const friend = await person();
  const { kept, token: own } = await inReadOnlyRoot(editor(friend));
  assert.deepEqual(await statusesOf(kept, friend.token), Array(4).fill(403));
  const open = await shareOf(own, editor(friend), "/Open");
  const top = await app.call("DELETE", at(open), { token: friend.token });
  await assertRefused(top, 403, "forbidden");
  const { token } = friend;
  await assertStatus(await app.call("POST", at(`${open}/made/`), { token }), 200);
  const back = await discard(open, "/made", token);
  await assertStatus(await app.call("POST", back, { token }), 200);
  await discard(open, "/made", token);
  assert.deepEqual(listed(join(app.root, "outside")), ["o.txt"]);
});

Deno.test("a recipient saves, makes, renames and moves: the owner keeps the previous version", async () => {
  const [anna, friend] = [await owner(), await person()];
  const { token } = friend;
  const docs = join(anna.home, "docs");
  const hash = await shareOf(anna.token, editor(friend));
  const stale = { token, body: "new", headers: { "if-match": '"other"' } };
  const path = at(`${hash}/a.txt`);
  await assertRefused(await app.call("PUT", path, stale), 412, "precondition_failed");
  await assertRefused(await app.call("PUT", at(`${hash}/none.txt`), stale), 404, "not_found");
  const saved = await app.call("PUT", path, { token, body: "new" });
  const etag = saved.headers.get("etag") ?? "";
  await assertStatus(saved, 200);
  const again = await app.call("PUT", path, {
    token,
    body: "newer",
    headers: { "if-match": etag },
  });
  await assertStatus(again, 200);
  assert.equal(await read(docs, "a.txt"), "newer");
  const versions = `/api/trash?versions=/docs/a.txt`;
  const { items } = await (await app.call("GET", versions, { token: anna.token })).json();
  assert.equal(items.length, 2, "the owner's versions");
  assert.deepEqual(await trashOf(token), [], "none is the recipient's");

  await assertStatus(await app.call("POST", at(`${hash}/x/y/`), { token }), 200);
  await assertStatus(await app.call("PATCH", path + rename("/x/y/b.txt"), { token }), 200);
  await Deno.writeTextFile(join(docs, "c.txt"), "c");
  const onto = at(`${hash}/c.txt`) + rename("/x/y/b.txt");
  await assertRefused(await app.call("PATCH", onto, { token }), 409, "exists");
  const beside = await app.call("PATCH", `${onto}&rename=true`, { token });
  assert.equal(beside.headers.get("content-location"), at(`${hash}/x/y/b(1).txt`));
  await assertStatus(beside, 200);
  const over = at(`${hash}/x/y/b(1).txt`) + rename("/x/y/b.txt", "&override=true");
  await assertStatus(await app.call("PATCH", over, { token }), 200);
  assert.equal(await read(docs, "x/y/b.txt"), "c");
  const replaced = await trashOf(anna.token);
  assert.equal(replaced.length, 3, "and what a move has replaced is kept, too");
});

Deno.test("a recipient's folder never takes the place of another, whose files would be lost", async () => {
  const [anna, friend] = [await owner(), await person()];
  const docs = join(anna.home, "docs");
  for (const name of ["one", "two"]) {
    await Deno.mkdir(join(docs, name));
    await Deno.writeTextFile(join(docs, name, "same.txt"), name);
  }
  const hash = await shareOf(anna.token, editor(friend));
  const path = at(`${hash}/one`) + rename("/two", "&override=true");
  await assertRefused(await app.call("PATCH", path, { token: friend.token }), 409, "exists");
  assert.equal(await read(docs, "two/same.txt"), "two");
  const copy = at(`${hash}/one?action=copy&destination=/three`);
  await assertRefused(
    await app.call("PATCH", copy, { token: friend.token }),
    400,
    "invalid_option",
  );
});

Deno.test("a recipient deletes to the owner's trash alone, whatever is asked and set", async () => {
  const [anna, friend] = [await owner(), await person()];
  const hash = await shareOf(anna.token, editor(friend));
  const settings = await app.cubby.settings.get();
  const trash = { ...settings.trash, byDefault: false };
  await app.cubby.settings.update({ ...settings, trash });
  const answer = await app.call("DELETE", at(`${hash}/a.txt?trash=false`), { token: friend.token });
  await app.cubby.settings.update(settings);
  await assertStatus(answer, 200);
  const [item] = await trashOf(anna.token);
  assert.equal(item.path, "/docs/a.txt");
  const restored = await app.call("POST", `/api/trash/${item.id}`, { token: anna.token });
  await assertStatus(restored, 200, "the owner puts it back");
  assert.equal(await read(anna.home, "docs/a.txt"), "kept");
});

Deno.test("a deletion is taken back by the recipient who did it, by that share, and by no other", async () => {
  const [anna, friend, other] = [await owner(), await person(), await person()];
  const audience = [friend, other].map(({ name }) => ({ name, may: "edit" }));
  const [hash, second] = [
    await shareOf(anna.token, { audience }),
    await shareOf(anna.token, { audience }),
  ];
  const place = await discard(hash, "/a.txt", friend.token);
  await Deno.writeTextFile(join(anna.home, "docs/mine.txt"), "mine");
  const mine = await app.call("DELETE", "/api/resources/docs/mine.txt?trash=true", {
    token: anna.token,
  });
  const byOwner = mine.headers.get("content-location")?.split("/").at(-1);
  for (
    const [path, token] of [
      [place, other.token],
      [place, anna.token],
      [place, ""],
      [place.replace(hash, second), friend.token],
      [`/api/public/trash/${hash}/${byOwner}`, friend.token],
      [`/api/public/trash/${hash}/none`, friend.token],
      [`/api/public/trash/${hash}/..%2f${byOwner}`, friend.token],
      [`/api/public/trash/${hash}`, friend.token],
    ] as const
  ) {
    const answer = await app.call("POST", path, { token });
    assert.ok([400, 403, 404].includes(answer.status), `${path} ${answer.status}`);
    await answer.body?.cancel();
  }
  assert.deepEqual(listed(join(anna.home, "docs")), []);
  await Deno.writeTextFile(join(anna.home, "docs/a.txt"), "since then");
  const back = await app.call("POST", place, { token: friend.token });
  assert.equal(back.headers.get("content-location"), at(`${hash}/a(1).txt`));
  await assertStatus(back, 200);
  assert.equal(await read(anna.home, "docs/a(1).txt"), "kept");
  await assertRefused(await app.call("POST", place, { token: friend.token }), 404, "not_found");
});

Deno.test("what was deleted in a share that leads elsewhere by now is not put back by it", async () => {
  const [anna, friend] = [await owner(), await person()];
  await Deno.mkdir(join(anna.home, "other"));
  const hash = await shareOf(anna.token, editor(friend));
  const place = await discard(hash, "/a.txt", friend.token);
  const json = { path: "/other" };
  const moved = await app.call("PATCH", `/api/share/${hash}`, { token: anna.token, json });
  await assertStatus(moved, 200);
  await assertRefused(await app.call("POST", place, { token: friend.token }), 404, "not_found");
  assert.deepEqual(listed(join(anna.home, "docs")), []);
});

Deno.test("a password is asked for by each call that changes", async () => {
  const [anna, friend] = [await owner(), await person()];
  const hash = await shareOf(anna.token, { ...editor(friend), password: "open sesame" });
  assert.deepEqual(await statusesOf(hash, friend.token), Array(4).fill(401));
  const headers = { "x-share-password": "open%20sesame" };
  const path = at(`${hash}/made/`);
  await assertStatus(await app.call("POST", path, { token: friend.token, headers }), 200);
});

Deno.test("the activity log names the recipient and the share, and the owner is told of the visit", async () => {
  const [anna, friend] = [await owner(), await person()];
  const { token } = friend;
  const hash = await shareOf(anna.token, { ...editor(friend), notify: true });
  await keepActivity(app, "changes");
  await assertStatus(await app.call("POST", at(`${hash}/x/`), { token }), 200);
  await assertStatus(await app.call("PUT", at(`${hash}/a.txt`), { token, body: "new" }), 200);
  await assertStatus(await app.call("PATCH", at(`${hash}/a.txt`) + rename("/x/b"), { token }), 200);
  await assertStatus(await app.call("POST", await discard(hash, "/x", token), { token }), 200);
  const actions = ["mkdir", "move", "restore", "save", "trash"];
  const ownOf = (records: AuditRecord[]) => records.filter(({ user }) => user === friend.name);
  const changesOf = (records: AuditRecord[]) =>
    ownOf(records).map(({ action }) => action).filter((one) => one !== "share_visit");
  const records = await activitiesOnce(app, (now) => changesOf(now).length >= actions.length);
  await keepActivity(app, "off");
  assert.deepEqual(changesOf(records).sort(), actions);
  for (const { subject, path } of ownOf(records)) {
    assert.equal(subject, hash);
    assert.ok(path?.startsWith(`${anna.user.scope}/docs`), String(path));
  }
  await app.cubby.notifications.flush();
  // The server, another process perhaps, writes them after its answer.
  let news = "";
  for (const end = Date.now() + 30_000; !news.includes("share_opened");) {
    assert.ok(Date.now() < end, news);
    news = await (await app.call("GET", "/api/notifications", { token: anna.token })).text();
  }
  await app.cubby.audit.flush();
});

Deno.test("a disk without a trash keeps what a recipient deletes", async () => {
  await using bare = await startApp({ tree: { docs: { "a.txt": "kept" } } });
  const token = await bare.tokenOf("admin");
  const friend = await bare.addUser("friend");
  const json = { audience: [{ name: "friend", may: "edit" }] };
  const shared = await bare.call("POST", "/api/share/docs", { token, json });
  const { hash } = await shared.json();
  await Deno.writeTextFile(join(bare.root, ".cubby-trash"), "in the way");
  const answer = await bare.call("DELETE", at(`${hash}/a.txt`), { token: friend.token });
  await assertRefused(answer, 501, "no_trash");
  assert.equal(await read(bare.root, "docs/a.txt"), "kept");
});
