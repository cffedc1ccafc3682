import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { deny } from "../../support/data/rules.ts";
import { plant, plantMany } from "../../support/disks/files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { expireTrash } from "../../../lib/server/files/trash/expire_trash.ts";
import { admin, app, list, newHome, remove, restore, there } from "./trash_home.ts";

Deno.test("nobody reaches another's trash, and nobody reaches any by a path", async () => {
  const { anna } = await newHome();
  const place = await remove(anna, "/a.txt");
  for (const method of ["GET", "DELETE"]) {
    await assertRefused(await app.call(method, "/api/trash"), 401, "not_signed_in");
  }
  for (const method of ["POST", "DELETE"]) {
    await assertRefused(await app.call(method, place), 401, "not_signed_in");
    await assertRefused(await app.call(method, place, { token: admin }), 404, "not_found");
    await assertStatus(await app.call(method, "/api/trash/..%2f..%2fhome", { token: anna }), 404);
  }
  for (
    const path of ["/.cubby-trash", "/.CUBBY-TRASH/", `/.cubby-trash/${place.split("/").at(-1)}`]
  ) {
    for (const method of ["GET", "DELETE", "PUT", "POST"]) {
      const answer = await app.call(method, `/api/resources${path}`, { token: admin });
      assert.ok([400, 403].includes(answer.status), `${method} ${path} ${answer.status}`);
      await answer.body?.cancel();
    }
  }
  const listing = await (await app.call("GET", "/api/resources/", { token: admin })).json();
  assert.ok(!listing.items.some(({ name }: { name: string }) => /cubby/i.test(name)));
  assert.equal((Deno.statSync(join(app.root, ".cubby-trash")).mode ?? 0) & 0o777, 0o700);
  assert.equal(await restore(anna, place), "/api/resources/a.txt");
  assert.deepEqual(await list(anna), { items: [], next: null });
});

Deno.test("the trash asks for the rights of what it does", async () => {
  const { token: reader } = await app.addUser("reader", { perm: { delete: false } });
  const { token: remover } = await app.addUser("remover", { perm: { create: false } });
  await Deno.writeTextFile(join(app.root, "rights.txt"), "R");
  const gone = await app.call("DELETE", "/api/resources/rights.txt?trash=true", { token: reader });
  await assertRefused(gone, 403, "forbidden");
  await assertRefused(await app.call("DELETE", "/api/trash", { token: reader }), 403, "forbidden");
  const place = await remove(remover, "/rights.txt");
  await assertRefused(await app.call("POST", place, { token: remover }), 403, "forbidden");
  assert.equal(there(join(app.root, "rights.txt")), false);
  await assertStatus(await app.call("DELETE", place, { token: remover }), 200);
});

Deno.test("a folder with anything out of reach stays whole, as for good", async () => {
  const { scope, home } = await newHome();
  const { token } = await app.addUser("ruled", { rules: [deny(`${scope}/docs/deep/b.txt`)] });
  const answer = await app.call("DELETE", `/api/resources${scope}/docs?trash=true`, { token });
  await assertRefused(answer, 403, "forbidden");
  assert.ok(there(join(home, "docs/deep/b.txt")));
  assert.deepEqual(await list(token), { items: [], next: null });
  const root = await app.call("DELETE", "/api/resources/?trash=true", { token });
  await assertRefused(root, 403, "forbidden");
});

Deno.test("a folder with a hidden name in it stays whole for those who do not see such names", async () => {
  const { scope, home } = await newHome();
  await plant(home, { kept: { deep: { ".key": "K" } } });
  const { token } = await app.addUser("without dots", { hideDotfiles: true });
  const path = `/api/resources${scope}/kept`;
  const refused = await app.call("DELETE", `${path}?trash=true`, { token });
  await assertRefused(refused, 403, "forbidden");
  const moving = `${path}?action=rename&destination=${scope}/moved`;
  await assertRefused(await app.call("PATCH", moving, { token }), 403, "forbidden");
  assert.ok(there(join(home, "kept/deep/.key")));
});

Deno.test("what was deleted goes back where it was", async () => {
  const { anna, home } = await newHome();
  const place = await remove(anna, "/docs");
  assert.equal(there(join(home, "docs")), false);
  const { items: [item, ...more], next } = await list(anna);
  assert.deepEqual([more, next], [[], null]);
  const { id, deleted, expires, ...rest } = item;
  assert.deepEqual(rest, { name: "docs", path: "/docs", isDir: true, size: 0 });
  assert.equal(place, `/api/trash/${id}`);
  assert.equal(Date.parse(expires) - Date.parse(deleted), 30 * 24 * 60 * 60 * 1000);
  assert.deepEqual(await list(admin), { items: [], next: null }, "each has an own one");

  await restore(anna, place);
  assert.equal(Deno.readTextFileSync(join(home, "docs/deep/b.txt")), "B");
  await assertRefused(await app.call("POST", place, { token: anna }), 404, "not_found");
});

/** Shares an entry, and tells what the link and the lists of shares say. */
async function shareOf(token: string, path: string) {
  const shared = await app.call("POST", `/api/share${path}`, { token, json: {} });
  const { hash } = await shared.json();
  return {
    status: async () => {
      const { status, body } = await app.call("GET", `/api/public/share/${hash}`);
      await body?.cancel();
      return status;
    },
    paths: async () => {
      const shares = await (await app.call("GET", "/api/shares", { token })).json();
      return shares.map(({ path }: { path: string }) => path);
    },
    change: () => app.call("PATCH", `/api/share/${hash}`, { token, json: { expires: "1" } }),
  };
}

Deno.test("a link to what is in the trash is closed, and leads to what is restored", async () => {
  const { anna, home } = await newHome();
  const { status, paths, change } = await shareOf(anna, "/docs/deep");
  const place = await remove(anna, "/docs");
  assert.deepEqual([await status(), await paths()], [404, []]);
  await assertRefused(await change(), 404, "not_found");
  await plant(home, { docs: { deep: { "new.txt": "new" } } });
  await app.cubby.shares.removeExpired();
  assert.deepEqual([await status(), await paths()], [404, []], "what has its path is another");

  assert.equal(await restore(anna, place), "/api/resources/docs(1)");
  assert.deepEqual([await status(), await paths()], [200, ["/docs(1)/deep"]]);
  const again = await remove(anna, "/docs(1)/deep");
  await restore(anna, again);
  assert.deepEqual([await status(), await paths()], [200, ["/docs(1)/deep"]]);
});

Deno.test("a link to what is removed from the trash ends, with all its records", async () => {
  const { anna, user, home } = await newHome();
  const removals = [
    (place: string) => app.call("DELETE", place, { token: anna }),
    () => app.call("DELETE", "/api/trash", { token: anna }),
    async (place: string) => {
      Deno.removeSync(join(app.root, ".cubby-trash", place.slice("/api/trash/".length)), {
        recursive: true,
      });
      await app.cubby.trash.sweep();
      return new Response();
    },
  ];
  for (const removeForGood of removals) {
    await plant(home, { shared: { "c.txt": "C" } });
    const { status, paths } = await shareOf(anna, "/shared");
    const place = await remove(anna, "/shared");
    assert.equal((await removeForGood(place)).status, 200);
    assert.deepEqual([await status(), await paths()], [404, []]);
    assert.equal(await app.cubby.shares.isSharing(user.id), false);
  }
});

Deno.test("a name that is taken by now is left alone, and a folder that is gone is made", async () => {
  const { anna, home } = await newHome();
  const first = await remove(anna, "/a.txt");
  await Deno.writeTextFile(join(home, "a.txt"), "another");
  assert.equal(await restore(anna, first), "/api/resources/a(1).txt");
  assert.equal(Deno.readTextFileSync(join(home, "a.txt")), "another");
  assert.equal(Deno.readTextFileSync(join(home, "a(1).txt")), "A");

  const deep = await remove(anna, "/docs/deep/b.txt");
  await Deno.remove(join(home, "docs"), { recursive: true });
  assert.equal(await restore(anna, deep), "/api/resources/docs/deep/b.txt");
  assert.equal(Deno.readTextFileSync(join(home, "docs/deep/b.txt")), "B");
});

Deno.test("what is denied or outside the scope by now can't be restored, and stays", async () => {
  const { scope } = await newHome();
  const { user, token } = await app.addUser("moving");
  const place = await remove(token, "/denied/d.txt");
  await app.cubby.users.update(user.id, { rules: [deny("/denied")] });
  const ruled = await app.tokenOf("moving");
  await assertRefused(await app.call("POST", place, { token: ruled }), 403, "forbidden");
  await app.cubby.users.update(user.id, { rules: [], scope });
  const elsewhere = await app.tokenOf("moving");
  await assertRefused(await app.call("POST", place, { token: elsewhere }), 404, "not_found");
  assert.equal((await list(elsewhere)).items[0].path, null);
  await app.cubby.users.update(user.id, { scope: "/" });
  await restore(await app.tokenOf("moving"), place);
  assert.ok(there(join(app.root, "denied/d.txt")));
});

Deno.test("names of any kind come back as they were, links too", async () => {
  const { anna, home } = await newHome();
  const names = ["#%?日本 \\`.txt", "a\nb", ".hidden", "n".repeat(250)];
  for (const name of names) {
    await Deno.writeTextFile(join(home, name), name);
    const place = await remove(anna, `/${encodeURIComponent(name)}`);
    assert.equal(there(join(home, name)), false);
    await restore(anna, place);
    assert.equal(Deno.readTextFileSync(join(home, name)), name);
  }
  await Deno.symlink("../root.txt", join(home, "out"));
  await restore(anna, await remove(anna, "/out"));
  assert.equal(Deno.readLinkSync(join(home, "out")), "../root.txt");
  assert.equal(Deno.readTextFileSync(join(app.root, "root.txt")), "R");
});

Deno.test("without trash=true an entry is deleted for good, unless the settings say trash", async () => {
  const { anna, home } = await newHome();
  for (const [path, more] of [["/x1.txt", ""], ["/x2.txt", "trash=false"]] as const) {
    await Deno.writeTextFile(join(home, path), "x");
    assert.equal(await remove(anna, path, more), "");
  }
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, trash: { ...settings.trash, byDefault: true } });
  try {
    await Deno.writeTextFile(join(home, "x3.txt"), "x");
    assert.match(await remove(anna, "/x3.txt", ""), /\/api\/trash\//);
    await Deno.writeTextFile(join(home, "x4.txt"), "x");
    assert.equal(await remove(anna, "/x4.txt", "trash=false"), "");
  } finally {
    await app.cubby.settings.update(settings);
  }
  const { items } = await list(anna, "?query=X3%20txt");
  assert.deepEqual(items.map(({ name }: { name: string }) => name), ["x3.txt"]);
  assert.deepEqual(await list(anna, "?query=x4"), { items: [], next: null });
  await assertStatus(await app.call("DELETE", "/api/trash", { token: anna }), 200);
  assert.equal((await list(anna)).items.length, 0);
});

Deno.test("the trash is emptied after its days, the oldest first where a disk is full", async () => {
  await using own = await startApp();
  const { trash, gate } = own.cubby;
  const { anna, user, home } = await newHome(own);
  const discard = async (name: string) => {
    await Deno.writeTextFile(join(home, name), name);
    await remove(anna, `/${name}`, "trash=true", own);
  };
  const listed = (query = "") => list(anna, query, own);
  await discard("e1");
  await discard("e2");
  const settings = { byDefault: false, versions: true, days: 1, leastFree: 0 };
  const spec = gate.spec();
  assert.equal(await expireTrash(trash, spec, settings), 0);
  const first = await listed("?limit=1");
  const second = await listed(`?limit=1&before=${first.next}`);
  assert.deepEqual([first, second].map(({ items: [{ name }] }) => name), ["e2", "e1"]);
  assert.deepEqual(await listed(`?limit=1&before=${second.next}`), { items: [], next: null });
  const later = Date.now() + 25 * 60 * 60 * 1000;
  assert.equal(await expireTrash(trash, spec, settings, later), 2);
  assert.equal((await listed()).items.length, 0);

  await discard("e3");
  assert.equal(await expireTrash(trash, spec, { ...settings, leastFree: 100 }), 1);
  assert.equal((await trash.records.list(user.id)).length, 0);
  assert.deepEqual([...Deno.readDirSync(join(own.root, ".cubby-trash"))], []);
});

Deno.test("another file in place of a deleted one is not given out, and a lost one is forgotten", async () => {
  const { anna, user, home } = await newHome();
  await Deno.writeTextFile(join(home, "t.txt"), "t");
  const place = await remove(anna, "/t.txt");
  const folder = join(app.root, ".cubby-trash", place.split("/").at(-1) ?? "");
  await Deno.rename(join(folder, "t.txt"), join(folder, "kept"));
  await Deno.symlink("../../root.txt", join(folder, "t.txt"));
  await assertRefused(await app.call("POST", place, { token: anna }), 404, "not_found");
  assert.equal(there(join(home, "t.txt")), false);
  await app.cubby.trash.sweep();
  assert.equal((await list(anna)).items.length, 0);

  await Deno.writeTextFile(join(home, "u.txt"), "u");
  const lost = await remove(anna, "/u.txt");
  await Deno.remove(join(app.root, ".cubby-trash", lost.split("/").at(-1) ?? "", "u.txt"));
  await assertRefused(await app.call("POST", lost, { token: anna }), 404, "not_found");
  const { records } = app.cubby.trash;
  const [recorded] = await records.list(user.id);
  assert.ok(recorded, "an entry that has just been deleted may be on its way");
  await records.put({ ...recorded, at: recorded.at - 120_000 });
  await assertRefused(await app.call("POST", lost, { token: anna }), 404, "not_found");
  assert.deepEqual(await records.list(user.id), []);
});

Deno.test("what is deleted for good is removed alone, and the trash is not listed for it", async () => {
  const { anna } = await newHome();
  const place = await remove(anna, "/a.txt");
  const trash = join(app.root, ".cubby-trash");
  const id = place.split("/").at(-1) ?? "";
  // What a process leaves that is killed meanwhile: it is for the next start to find.
  await plant(trash, { "gone-left": { "left.txt": "" } });
  await assertStatus(await app.call("DELETE", place, { token: anna }), 200);
  const names = [...Deno.readDirSync(trash)].map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.endsWith(id) || name === "gone-left"), [
    "gone-left",
  ]);
  await app.cubby.trash.sweep();
  assert.equal(there(join(trash, "gone-left")), false);
});

Deno.test("a folder of 20,000 files goes and comes back at once", async () => {
  const { anna, home } = await newHome();
  Deno.mkdirSync(join(home, "many"));
  plantMany(join(home, "many"), 20_000);
  const place = await remove(anna, "/many");
  assert.equal(there(join(home, "many")), false);
  await restore(anna, place);
  assert.equal([...Deno.readDirSync(join(home, "many"))].length, 20_000);
  const again = await remove(anna, "/many");
  const held = join(app.root, ".cubby-trash", again.split("/").at(-1) ?? "");
  assert.ok(there(join(held, "many")));
  await assertStatus(await app.call("DELETE", "/api/trash", { token: anna }), 200);
  assert.equal(there(held), false);
});

Deno.test("a disk whose trash can't be made says so, and nothing is done", async () => {
  const { anna, home } = await newHome();
  await Deno.remove(join(app.root, ".cubby-trash"), { recursive: true }).catch(() => {});
  await Deno.writeTextFile(join(app.root, ".cubby-trash"), "in the way");
  await app.cubby.trash.sweep();
  const answer = await app.call("DELETE", "/api/resources/a.txt?trash=true", { token: anna });
  await assertRefused(answer, 501, "no_trash");
  assert.ok(there(join(home, "a.txt")));
  await assertStatus(
    await app.call("PUT", "/api/resources/a.txt", { token: anna, body: "saved" }),
    200,
  );
  assert.ok(!(await list(anna)).items.some(({ name }: { name: string }) => name === "a.txt"));
  await Deno.remove(join(app.root, ".cubby-trash"));
});
