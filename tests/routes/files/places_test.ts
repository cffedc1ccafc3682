import assert from "node:assert/strict";
import { join } from "node:path";
import { deny } from "../../support/data/rules.ts";
import { plant } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const odd = "#%?日本 `.txt";

// What is noted is gathered in the process that is asked.
const app = await startApp({ inProcess: true, tree: { other: { "o.txt": "O" } } });
Deno.test.afterAll(app.close);

const admin = await app.tokenOf("admin");
let homes = 0;

/** A folder with two users of it, whose lists are empty. */
async function newHome() {
  const number = ++homes;
  const scope = `/home ${number}`;
  const folder = join(app.root, scope);
  await plant(app.root, {
    [scope]: { "a.txt": "A", [odd]: "odd", docs: { deep: { "b.txt": "B" } }, secret: { "s": "S" } },
  });
  const anna = await app.addUser(`anna ${number}`, { scope });
  const berta = await app.addUser(`berta ${number}`, { scope });
  /** Gives anna rules; answers with a token of a new session, as the former ones end. */
  const rule = async (...denied: string[]) => {
    await app.cubby.users.update(anna.user.id, { rules: denied.map((path) => deny(path)) });
    return await app.tokenOf(anna.user.username);
  };
  return { scope, folder, anna: anna.token, id: anna.user.id, berta: berta.token, rule };
}

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

async function upload(token: string, path: string, body: string): Promise<void> {
  await assertStatus(await app.call("POST", `/api/resources${at(path)}`, { token, body }), 200);
}

async function open(token: string, path: string): Promise<void> {
  await assertStatus(await app.call("PUT", `/api/recent${at(path)}`, { token }), 200, path);
}

async function recent(token: string): Promise<{ path: string; use: string; size: number }[]> {
  return await (await app.call("GET", "/api/recent", { token })).json();
}

const uses = async (token: string) =>
  (await recent(token)).map(({ path, use }) => `${use} ${path}`);

Deno.test("favourites and recent files want a session, and an entry that one may see", async () => {
  const { anna, folder } = await newHome();
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
  await Deno.symlink("../other/o.txt", join(folder, "out"));
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
  const { anna, berta } = await newHome();
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
  const { scope, anna, berta } = await newHome();
  await star(anna, "/docs");
  await star(anna, "/docs/deep/b.txt");
  await move(berta, "/docs", "/papers");
  assert.deepEqual(await paths(anna), ["/papers", "/papers/deep/b.txt"]);
  await move(admin, `${scope}/papers/deep`, `${scope}/b`);
  assert.deepEqual(await paths(anna), ["/papers", "/b/b.txt"]);
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
  const { scope, anna, rule } = await newHome();
  for (const path of ["/a.txt", "/docs/deep/b.txt", "/secret"]) await star(anna, path);
  await move(admin, `${scope}/docs/deep/b.txt`, "/other/moved.txt");
  assert.deepEqual(await paths(anna), ["/a.txt", "/secret"]);
  const token = await rule("/secret");
  assert.deepEqual(await paths(token), ["/a.txt"]);
  await assertRefused(await app.call("PUT", "/api/favorites/secret", { token }), 403, "forbidden");
  assert.deepEqual(await paths(await rule()), ["/a.txt", "/secret"]);
});

Deno.test("uploads, saves and openings are noted once each, the latest first", async () => {
  const { anna: token, berta } = await newHome();
  await upload(token, "/new.txt", "new");
  const begun = await app.call("POST", "/api/tus/large.bin", {
    token,
    headers: { "upload-length": "5", "content-type": "application/offset+octet-stream" },
    body: "55555",
  });
  await assertStatus(begun, 201);
  await assertStatus(await app.call("PUT", "/api/resources/a.txt", { token, body: "AA" }), 200);
  await open(token, `/${odd}`);
  assert.deepEqual(await uses(token), [
    `opened /${odd}`,
    "changed /a.txt",
    "uploaded /large.bin",
    "uploaded /new.txt",
  ]);
  await open(token, "/new.txt");
  assert.deepEqual((await uses(token)).slice(0, 2), ["opened /new.txt", `opened /${odd}`]);
  assert.equal((await recent(token))[0]?.size, 3);
  await assertRefused(await app.call("PUT", "/api/recent/docs", { token }), 409, "is_folder");
  assert.deepEqual(await recent(berta), []);
});

Deno.test("recent files follow moves, and are held to what the user may see now", async () => {
  const { scope, anna, berta, rule } = await newHome();
  await upload(anna, "/large.bin", "55555");
  await assertStatus(
    await app.call("PUT", "/api/resources/a.txt", { token: anna, body: "AA" }),
    200,
  );
  await open(anna, `/${odd}`);
  await upload(anna, "/new.txt", "new");
  assert.equal((await recent(anna)).length, 4, "written by now, not gathered any more");
  await move(berta, "/new.txt", "/renamed.txt");
  await move(admin, `${scope}/large.bin`, "/other/large.bin");
  const denied = await rule("/a.txt");
  assert.deepEqual(await uses(denied), ["uploaded /renamed.txt", `opened /${odd}`]);
  const token = await rule();
  assert.equal((await uses(token)).length, 3);
  await assertStatus(await app.call("DELETE", `/api/resources/${at(odd)}`, { token }), 200);
  assert.deepEqual(await uses(token), ["uploaded /renamed.txt", "changed /a.txt"]);
});

Deno.test("recent files can be cleared, and switched off, which forgets them", async () => {
  const { anna: token, id } = await newHome();
  await open(token, "/a.txt");
  await open(token, `/${odd}`);
  assert.equal((await recent(token)).length, 2);
  await assertStatus(await app.call("DELETE", "/api/recent", { token }), 200);
  assert.deepEqual(await recent(token), []);
  await open(token, "/a.txt");
  assert.equal((await recent(token)).length, 1);
  const set = async (keepRecent: boolean) => {
    const json = { what: "user", which: ["keepRecent"], data: { keepRecent } };
    await assertStatus(await app.call("PUT", `/api/users/${id}`, { token, json }), 200);
  };
  await set(false);
  await open(token, "/a.txt");
  await assertStatus(await app.call("PUT", "/api/resources/a.txt", { token, body: "A3" }), 200);
  await set(true);
  assert.deepEqual(await recent(token), []);
});

Deno.test("the lists are bounded, and gathered before they are written", async () => {
  const { scope, folder, anna: token, id } = await newHome();
  const { recent: noted, gate, favorites } = app.cubby;
  const { SERVER } = await import("../../../lib/server/core/access/viewer.ts");
  const { parsePath } = await import("../../../lib/shared/path.ts");
  const access = gate.enter({ ...SERVER, scope });
  const names = Array.from({ length: 130 }, (_, index) => `n${index}${"x".repeat(200)}.txt`);
  for (const name of names) {
    Deno.writeTextFileSync(join(folder, name), "");
    noted.note(id, access, parsePath(`/${name}`).path, "opened");
  }
  assert.equal((await noted.lists.get(id)).length, 0, "not a write each");
  const kept = await recent(token);
  assert.equal(kept[0]?.path, `/${names.at(-1)}`);
  assert.ok(kept.length > 30 && kept.length <= 100, `${kept.length}`);
  assert.ok(JSON.stringify(await noted.lists.get(id)).length <= 30_000);
  let status = 200;
  let count = (await favorites.lists.get(id)).length;
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
  const { anna: token, id } = await newHome();
  await star(token, "/docs");
  await open(token, "/a.txt");
  assert.equal((await recent(token)).length, 1);
  const json = { current_password: app.admin.password };
  await assertStatus(await app.call("DELETE", `/api/users/${id}`, { token: admin, json }), 200);
  for (
    const prefix of [["favorites"], ["favorite_places"], ["recent"], ["recent_places"], [
      "folder_views",
    ], [
      "folder_view_places",
    ]]
  ) {
    const left = await app.cubby.store.list(prefix);
    assert.ok(!left.some(({ key }) => key.at(-1) === id), String(prefix[0]));
  }
});
