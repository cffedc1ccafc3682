/** The files that macOS keeps beside others, where programs move and delete those by WebDAV. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { appleDouble } from "../../support/data/apple_double.ts";
import { deny } from "../../support/data/rules.ts";
import { davClient } from "../../support/clients/dav.ts";
import { plant } from "../../support/disks/files.ts";
import { mountMemory } from "../../support/disks/memory_disk.ts";
import { startApp, type TestUser } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ config: { webdav: true, syncClients: true } });
Deno.test.afterAll(app.close);
const companion = appleDouble();

let count = 0;

/** A user whose folder has these files. */
async function userWith(tree: Parameters<typeof plant>[1], user: TestUser = {}) {
  const name = `user${++count}`;
  const home = join(app.root, name);
  await Deno.mkdir(home);
  await plant(home, tree);
  await app.addUser(name, { scope: name, ...user });
  const prefix = `/remote.php/dav/files/${name}`;
  const client = davClient(app, name, prefix);
  return {
    ...{ name, home, client },
    /** The names in a folder of the disk. */
    names: (path = "") =>
      [...Deno.readDirSync(join(home, path))].map(({ name }) => name)
        .filter((name) => !name.startsWith(".cubby")).sort(),
    async does(method: string, path: string, status: number, to?: string, more = {}) {
      const headers = { ...to && { destination: `http://cubby.test${prefix}${to}` }, ...more };
      await assertStatus(await client(method, path, { headers }), status, `${method} ${path}`);
    },
  };
}

const pair = { "a.txt": "a", "._a.txt": companion };

Deno.test("a program that moves or deletes a file or folder takes its companion along", async () => {
  const anna = await userWith({
    ...{ ...pair, to: {}, docs: { "in.txt": "in" }, "._docs": companion },
    ...{ "b.txt": "b", "._b.txt": companion, "old.txt": "old", "._old.txt": companion },
  });
  await anna.does("MOVE", "/a.txt", 201, "/to/c.txt");
  await anna.does("MOVE", "/docs", 201, "/to/docs");
  await anna.does("DELETE", "/b.txt", 204);
  assert.deepEqual(anna.names("to"), ["._c.txt", "._docs", "c.txt", "docs"]);
  assert.deepEqual(anna.names(), ["._old.txt", "old.txt", "to"]);
  await anna.does("DELETE", "/to/docs", 204);
  assert.deepEqual(anna.names("to"), ["._c.txt", "c.txt"]);
  await anna.does("MOVE", "/to/c.txt", 204, "/old.txt", { overwrite: "T" });
  assert.deepEqual(anna.names(), ["._old.txt", "old.txt", "to"]);
  assert.deepEqual(anna.names("to"), []);
});

Deno.test("a program that moves and deletes both itself finds each of them done", async () => {
  const anna = await userWith({ ...pair, to: {}, "b.txt": "b", "._b.txt": companion });
  await anna.does("MOVE", "/a.txt", 201, "/to/c.txt");
  await anna.does("MOVE", "/._a.txt", 201, "/to/._c.txt", { overwrite: "F" });
  await anna.does("DELETE", "/b.txt", 204);
  await anna.does("DELETE", "/._b.txt", 204);
  await anna.does("DELETE", "/to/._c.txt", 204);
  await anna.does("DELETE", "/to/c.txt", 204);
  assert.deepEqual([anna.names(), anna.names("to")], [["to"], []]);
  // What no entry has taken along is not there, as everything else.
  await anna.does("DELETE", "/none.txt", 404);
  await anna.does("DELETE", "/none/._a.txt", 404);
  await anna.does("DELETE", "/._", 404);
  await anna.does("DELETE", "/._a.txt", 404, undefined, { "if-match": "*" });
  await anna.does("MOVE", "/._a.txt", 404, "/to/._c.txt");
  await anna.does("MOVE", "/._a.txt", 404, "/to/d.txt");
});

Deno.test("who may not delete or rename is told so of companions as well", async () => {
  const anna = await userWith({ "b.txt": "b", "._b.txt": companion }, {
    perm: { delete: false, rename: false },
  });
  await anna.does("DELETE", "/._a.txt", 403);
  await anna.does("MOVE", "/._a.txt", 403, "/._b.txt");
  await anna.does("DELETE", "/b.txt", 403);
  assert.deepEqual(anna.names(), ["._b.txt", "b.txt"]);
});

Deno.test("a program copies companions by itself, or not at all", async () => {
  const anna = await userWith({ ...pair, docs: { ...pair } });
  await anna.does("COPY", "/a.txt", 201, "/b.txt");
  assert.deepEqual(anna.names(), ["._a.txt", "a.txt", "b.txt", "docs"]);
  await anna.does("COPY", "/._a.txt", 201, "/._b.txt", { overwrite: "F" });
  await anna.does("COPY", "/docs", 201, "/more");
  assert.deepEqual(anna.names("more"), ["._a.txt", "a.txt"]);
});

Deno.test("a file with the name of a companion stays, unless it is one", async () => {
  const anna = await userWith({ "a.txt": "a", "._a.txt": "my own notes", to: {} });
  await anna.does("MOVE", "/a.txt", 201, "/to/a.txt");
  await anna.does("DELETE", "/to/a.txt", 204);
  assert.deepEqual(anna.names(), ["._a.txt", "to"]);
});

Deno.test("a rule that denies companions to a user keeps them where they are", async () => {
  const anna = await userWith(
    { ...pair, "b.txt": "b", "._b.txt": companion },
    { rules: [deny("/._a.txt"), deny("/._b.txt")] },
  );
  await anna.does("MOVE", "/a.txt", 201, "/c.txt");
  await anna.does("DELETE", "/b.txt", 204);
  assert.deepEqual(anna.names(), ["._a.txt", "._b.txt", "c.txt"]);
});

Deno.test("a lock of another user on a companion keeps its file where it is", async () => {
  const anna = await userWith({ ...pair, "b.txt": "b" });
  const { token } = await app.addUser("other", { scope: anna.name });
  const other = davClient(app, "other", "/dav");
  const body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope>' +
    "<locktype><write/></locktype></lockinfo>";
  const locked = await other("LOCK", "/._a.txt", { headers: { depth: "0" }, body });
  await assertStatus(locked, 200);
  await anna.does("MOVE", "/a.txt", 423, "/c.txt");
  await anna.does("DELETE", "/a.txt", 423);
  await anna.does("MOVE", "/b.txt", 423, "/a.txt", { overwrite: "T" });
  await assertStatus(await anna.client("PUT", "/a.txt", { body: "new" }), 204);
  const patch = (from: string, to: string) =>
    app.call("PATCH", `/api/resources${from}?action=rename&destination=${to}`, { token });
  // Whose lock it is may do so, as the program that holds it does.
  await assertStatus(await patch("/a.txt", "/c.txt"), 200);
  assert.deepEqual(anna.names(), ["._c.txt", "b.txt", "c.txt"]);
});

Deno.test("companions follow programs to another disk, and users without dotfiles", async () => {
  const anna = await userWith({ ...pair, other: {}, "b.txt": "b", "._b.txt": companion }, {
    hideDotfiles: true,
  });
  await using _disk = await mountMemory(join(anna.home, "other"), "size=2m");
  await anna.does("MOVE", "/a.txt", 201, "/other/c.txt");
  assert.deepEqual(anna.names("other"), ["._c.txt", "c.txt"]);
  await anna.does("MOVE", "/other/c.txt", 201, "/d.txt");
  await anna.does("DELETE", "/b.txt", 204);
  assert.deepEqual(anna.names(), ["._d.txt", "d.txt", "other"]);
  assert.deepEqual(anna.names("other"), []);
});

Deno.test("a companion goes to the trash with its file, and comes back by the trash of clients", async () => {
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({
    ...settings,
    trash: { ...settings.trash, byDefault: true },
  });
  try {
    const anna = await userWith({ ...pair });
    await anna.does("DELETE", "/a.txt", 204);
    await anna.does("DELETE", "/._a.txt", 204);
    assert.deepEqual(anna.names(), []);
    const trash = davClient(app, anna.name, `/remote.php/dav/trashbin/${anna.name}`);
    const listed = await trash("PROPFIND", "/trash", { headers: { depth: "1" } });
    const [, item = ""] = /<d:href>([^<]*\/trash\/[^<]+)<\/d:href>/.exec(await listed.text()) ?? [];
    const destination = `http://cubby.test/remote.php/dav/trashbin/${anna.name}/restore/a.txt`;
    const name = item.slice(item.lastIndexOf("/trash/"));
    await assertStatus(await trash("MOVE", name, { headers: { destination } }), 201);
    assert.deepEqual(anna.names(), ["._a.txt", "a.txt"]);
  } finally {
    await app.cubby.settings.update(settings);
  }
});
