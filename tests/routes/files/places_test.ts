import assert from "node:assert/strict";
import { join } from "node:path";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const odd = "#%?日本 `.txt";

const app = await startApp({
  // What is noted is gathered in the process that is asked.
  inProcess: true,
  tree: {
    home: { "a.txt": "A", [odd]: "odd", docs: { deep: { "b.txt": "B" } }, secret: { "s": "S" } },
    other: { "o.txt": "O" },
  },
});
Deno.test.afterAll(app.close);

const { token: anna, user: annaUser } = await app.addUser("anna", { scope: "/home" });
const { token: berta } = await app.addUser("berta", { scope: "/home" });
const admin = await app.tokenOf("admin");

const at = (path: string) => path.split("/").map(encodeURIComponent).join("/");

async function star(token: string, path: string, before?: string): Promise<void> {
  const query = before === undefined ? "" : `?before=${encodeURIComponent(before)}`;
  await assertStatus(
    await app.call("PUT", `/api/favorites${at(path)}${query}`, { token }),
    200,
    path,
  );
}

async function favorites(
  token: string,
): Promise<{ path: string; isDir: boolean; isGone: boolean }[]> {
  return await (await app.call("GET", "/api/favorites", { token })).json();
}

const paths = async (token: string) => (await favorites(token)).map(({ path }) => path);

async function move(token: string, from: string, to: string): Promise<void> {
  const query = `?action=rename&destination=${encodeURIComponent(to)}`;
  await assertStatus(await app.call("PATCH", `/api/resources${at(from)}${query}`, { token }), 200);
}

async function recent(token: string): Promise<{ path: string; use: string; size: number }[]> {
  return await (await app.call("GET", "/api/recent", { token })).json();
}

const uses = async (token: string) =>
  (await recent(token)).map(({ path, use }) => `${use} ${path}`);

Deno.test("favourites and recent files want a session, and an entry that one may see", async () => {
  const calls = [
    ...["GET favorites", "PUT favorites/a.txt", "DELETE favorites/a.txt"],
    ...["GET recent", "PUT recent/a.txt", "DELETE recent"],
  ];
  for (const call of calls) {
    const [method = "", path] = call.split(" ");
    await assertRefused(await app.call(method, `/api/${path}`), 401, "not_signed_in", call);
  }
  const refuse = async (
    path: string,
    status: number,
    code: "not_found" | "invalid_path" | "forbidden",
  ) => {
    for (const call of ["favorites", "recent"]) {
      await assertRefused(
        await app.call("PUT", `/api/${call}${path}`, { token: anna }),
        status,
        code,
      );
    }
  };
  await refuse("/none", 404, "not_found");
  await refuse("/..%2fother%2fo.txt", 400, "invalid_path");
  await refuse("/%2e%2e/other/o.txt", 404, "not_found");
  await Deno.symlink("../other/o.txt", join(app.root, "home/out"));
  await refuse("/out", 403, "forbidden");
  await assertRefused(
    await app.call("DELETE", "/api/favorites/a.txt", { token: anna }),
    404,
    "not_found",
  );
  assert.deepEqual(await favorites(anna), []);
  assert.deepEqual(await recent(anna), []);
});

Deno.test("favourites keep their order, are one's own, and have any name", async () => {
  await star(anna, "/a.txt");
  await star(anna, `/${odd}`);
  await star(anna, "/docs");
  assert.deepEqual(await paths(anna), ["/a.txt", `/${odd}`, "/docs"]);
  await star(anna, "/docs", "/a.txt");
  await star(anna, "/docs", "/docs");
  assert.deepEqual(await paths(anna), ["/docs", "/a.txt", `/${odd}`]);
  await star(anna, "/docs", "/not-starred");
  assert.deepEqual(await paths(anna), ["/a.txt", `/${odd}`, "/docs"]);
  assert.deepEqual((await favorites(anna)).map(({ isDir }) => isDir), [false, false, true]);
  assert.deepEqual(await favorites(berta), []);
  await assertRefused(
    await app.call("DELETE", "/api/favorites/docs", { token: berta }),
    404,
    "not_found",
  );
});

Deno.test("favourites follow renames and moves by anybody, and come back from the trash", async () => {
  await star(anna, "/docs/deep/b.txt");
  await move(berta, "/docs", "/papers");
  assert.deepEqual((await paths(anna)).slice(-2), ["/papers", "/papers/deep/b.txt"]);
  await move(admin, "/home/papers/deep", "/home/b");
  assert.deepEqual((await paths(anna)).slice(-2), ["/papers", "/b/b.txt"]);
  const gone = await app.call("DELETE", "/api/resources/b/?trash=true", { token: berta });
  const place = gone.headers.get("content-location") ?? "";
  await assertStatus(gone, 200);
  assert.equal((await favorites(anna)).at(-1)?.isGone, true);
  await assertStatus(await app.call("POST", place, { token: berta }), 200);
  assert.deepEqual((await favorites(anna)).at(-1), {
    ...{ path: "/b/b.txt", name: "b.txt", isDir: false, isGone: false },
  } as never);
});

Deno.test("what moves out of the scope, or behind a rule, is not told of (CWE-200)", async () => {
  await star(anna, "/secret");
  await move(admin, "/home/b/b.txt", "/other/moved.txt");
  assert.ok(!(await paths(anna)).some((path) => /moved|b\.txt/.test(path)));
  const { users } = app.cubby;
  await users.update(annaUser.id, { rules: [deny("/secret")] });
  const token = await app.tokenOf("anna");
  assert.deepEqual(await paths(token), ["/a.txt", `/${odd}`, "/papers"]);
  await assertRefused(await app.call("PUT", "/api/favorites/secret", { token }), 403, "forbidden");
  await users.update(annaUser.id, { rules: [] });
  assert.ok((await paths(await app.tokenOf("anna"))).includes("/secret"));
});

Deno.test("uploads, saves and openings are noted once each, the latest first", async () => {
  const token = await app.tokenOf("anna");
  await assertStatus(await app.call("POST", "/api/resources/new.txt", { token, body: "new" }), 200);
  const begun = await app.call("POST", "/api/tus/large.bin", {
    token,
    headers: { "upload-length": "5", "content-type": "application/offset+octet-stream" },
    body: "55555",
  });
  await assertStatus(begun, 201);
  await assertStatus(await app.call("PUT", "/api/resources/a.txt", { token, body: "AA" }), 200);
  await assertStatus(await app.call("PUT", `/api/recent/${at(odd)}`, { token }), 200);
  assert.deepEqual(await uses(token), [
    `opened /${odd}`,
    "changed /a.txt",
    "uploaded /large.bin",
    "uploaded /new.txt",
  ]);
  await assertStatus(await app.call("PUT", "/api/recent/new.txt", { token }), 200);
  assert.deepEqual((await uses(token)).slice(0, 2), ["opened /new.txt", `opened /${odd}`]);
  assert.equal((await recent(token))[0]?.size, 3);
  await assertRefused(await app.call("PUT", "/api/recent/papers", { token }), 409, "is_folder");
  assert.deepEqual(await recent(berta), []);
});

Deno.test("recent files follow moves, and are held to what the user may see now", async () => {
  await move(berta, "/new.txt", "/renamed.txt");
  await move(admin, "/home/large.bin", "/other/large.bin");
  await app.cubby.users.update(annaUser.id, { rules: [deny("/a.txt")] });
  const denied = await app.tokenOf("anna");
  assert.deepEqual(await uses(denied), ["opened /renamed.txt", `opened /${odd}`]);
  await app.cubby.users.update(annaUser.id, { rules: [] });
  const token = await app.tokenOf("anna");
  assert.equal((await uses(token)).length, 3);
  await assertStatus(await app.call("DELETE", `/api/resources/${at(odd)}`, { token }), 200);
  assert.deepEqual(await uses(token), ["opened /renamed.txt", "changed /a.txt"]);
});

Deno.test("recent files can be cleared, and switched off, which forgets them", async () => {
  const token = await app.tokenOf("anna");
  await assertStatus(await app.call("DELETE", "/api/recent", { token }), 200);
  assert.deepEqual(await recent(token), []);
  await assertStatus(await app.call("PUT", "/api/recent/a.txt", { token }), 200);
  assert.equal((await recent(token)).length, 1);
  const set = async (keepRecent: boolean) => {
    const json = { what: "user", which: ["keepRecent"], data: { keepRecent } };
    await assertStatus(await app.call("PUT", `/api/users/${annaUser.id}`, { token, json }), 200);
  };
  await set(false);
  await assertStatus(await app.call("PUT", "/api/recent/a.txt", { token }), 200);
  await assertStatus(await app.call("PUT", "/api/resources/a.txt", { token, body: "A3" }), 200);
  await set(true);
  assert.deepEqual(await recent(token), []);
});

Deno.test("the lists are bounded, and gathered before they are written", async () => {
  const token = await app.tokenOf("anna");
  const { recent: noted, gate, favorites } = app.cubby;
  const { SERVER } = await import("../../../lib/server/access/viewer.ts");
  const { parsePath } = await import("../../../lib/shared/path.ts");
  const access = gate.enter({ ...SERVER, scope: "/home" });
  const names = Array.from({ length: 130 }, (_, index) => `n${index}${"x".repeat(200)}.txt`);
  for (const name of names) {
    Deno.writeTextFileSync(join(app.root, "home", name), "");
    noted.note(annaUser.id, access, parsePath(`/${name}`).path, "opened");
  }
  assert.equal((await noted.lists.get(annaUser.id)).length, 0, "not a write each");
  const kept = await recent(token);
  assert.equal(kept[0]?.path, `/${names.at(-1)}`);
  assert.ok(kept.length > 30 && kept.length <= 100, `${kept.length}`);
  assert.ok(JSON.stringify(await noted.lists.get(annaUser.id)).length <= 30_000);
  let status = 200;
  let count = (await favorites.lists.get(annaUser.id)).length;
  for (const name of names) {
    const answer = await app.call("PUT", `/api/favorites/${name}`, { token });
    await answer.body?.cancel();
    status = answer.status;
    if (status !== 200) break;
    count++;
  }
  assert.equal(status, 400);
  assert.ok(count > 30 && count <= 100, `${count}`);
});

Deno.test("a user who is deleted leaves no list behind", async () => {
  const { user, token } = await app.addUser("carla", { scope: "/home" });
  await star(token, "/papers");
  await assertStatus(await app.call("PUT", "/api/recent/a.txt", { token }), 200);
  assert.equal((await recent(token)).length, 1);
  const json = { current_password: app.admin.password };
  await assertStatus(
    await app.call("DELETE", `/api/users/${user.id}`, { token: admin, json }),
    200,
  );
  for (
    const prefix of [["favorites"], ["favorite_places"], ["recent"], ["recent_places"], [
      "folder_views",
    ], [
      "folder_view_places",
    ]]
  ) {
    const left = await app.cubby.store.list(prefix);
    assert.ok(!left.some(({ key }) => key.at(-1) === user.id), String(prefix[0]));
  }
});
