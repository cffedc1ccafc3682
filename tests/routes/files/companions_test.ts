/** The files that macOS keeps beside others: people do not see them, and they follow. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { basic } from "../../support/clients/dav.ts";
import { plant } from "../../support/disks/files.ts";
import { mountMemory } from "../../support/disks/memory_disk.ts";
import { startApp } from "../../support/server/app.ts";
import { userPassword } from "../../support/server/app_parts.ts";
import { assertStatus } from "../../support/server/refused.ts";

const ofMacOs = new Uint8Array([0, 5, 22, 7, 0, 2, 0, 0, 1, 2, 3]);
const notes = new Uint8Array([0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31, 0, 0]);
const app = await startApp({ config: { webdav: true, syncClients: true } });
Deno.test.afterAll(app.close);

let count = 0;

/** A user whose folder has these files. */
async function userWith(tree: Parameters<typeof plant>[1]) {
  const name = `user${++count}`;
  const home = join(app.root, name);
  await Deno.mkdir(home);
  await plant(home, tree);
  const { token } = await app.addUser(name, { scope: name });
  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await app.call(method, `/api${path}`, { token, json });
    assert.ok(answer.ok, `${method} ${path}: ${await answer.clone().text()}`);
    return answer;
  };
  return {
    ...{ name, home, token, call },
    /** The names in a folder, as people see them. */
    async list(path = "/") {
      const { items } = await (await call("GET", `/resources${path}`)).json();
      return items.map(({ name }: { name: string }) => name).sort();
    },
    /** The names in a folder of the disk. */
    names: (path = "") =>
      [...Deno.readDirSync(join(home, path))].map(({ name }) => name)
        .filter((name) => !name.startsWith(".cubby")).sort(),
    dav: (method: string, path: string, headers = {}, body?: BodyInit) =>
      app.call(method, `/remote.php/dav/files/${name}/${path}`, {
        body,
        headers: { authorization: basic(name, userPassword), ...headers },
      }),
  };
}

type Person = Awaited<ReturnType<typeof userWith>>;

const patch = ({ call }: Person, from: string, action: string, to: string, more = "") =>
  call("PATCH", `/resources${from}?action=${action}&destination=${to}${more}`);

Deno.test("people see no companion: in listings, searches, archives and shares", async () => {
  const anna = await userWith({
    "sea.jpg": "sea",
    "._sea.jpg": ofMacOs,
    docs: { "a.txt": "a", "._a.txt": ofMacOs, ".DS_Store": notes },
    "._docs": ofMacOs,
    "._empty": "",
    empty: "",
  });
  assert.deepEqual(await anna.list(), ["docs", "empty", "sea.jpg"]);
  assert.deepEqual(await anna.list("/docs/"), ["a.txt"]);
  for (const query of ["._", "sea", "DS_Store", "a.txt"]) {
    const results = await (await anna.call("GET", `/search/?query=${query}`)).json();
    for (const { path } of results) assert.doesNotMatch(path, /\._|DS_Store/);
  }
  const zip = await (await anna.call("GET", "/raw/docs/?format=tar")).text();
  assert.match(zip, /a\.txt/);
  assert.doesNotMatch(zip, /\._a|DS_Store/);
  const share = await (await anna.call("POST", "/share/docs/", {})).json();
  const shared = await (await app.call("GET", `/api/public/share/${share.hash}`)).json();
  assert.deepEqual(shared.items.map(({ name }: { name: string }) => name), ["a.txt"]);
});

Deno.test("a file with such a name stays visible where it is a user's own", async () => {
  const anna = await userWith({
    "a.txt": "a",
    "._a.txt": "my own notes",
    ".DS_Store": "mine",
    "._orphan.txt": ofMacOs,
    "._": ofMacOs,
    "._docs": {},
    docs: {},
  });
  const all = [".DS_Store", "._", "._a.txt", "._docs", "._orphan.txt", "a.txt", "docs"];
  assert.deepEqual(await anna.list(), all);
  await patch(anna, "/a.txt", "rename", "/b.txt");
  assert.deepEqual(anna.names(), all.map((name) => name === "a.txt" ? "b.txt" : name).sort());
  await anna.call("DELETE", "/resources/._orphan.txt");
  assert.ok(!anna.names().includes("._orphan.txt"));
});

Deno.test("companions follow a rename, a move and a copy, of files and of folders", async () => {
  const anna = await userWith({
    ...{ "a.txt": "a", "._a.txt": ofMacOs, "._docs": ofMacOs, to: {} },
    docs: { "in.txt": "in", "._in.txt": ofMacOs, ".DS_Store": notes },
  });
  await patch(anna, "/a.txt", "rename", "/b.txt");
  assert.deepEqual(anna.names(), ["._b.txt", "._docs", "b.txt", "docs", "to"]);
  await patch(anna, "/b.txt", "rename", "/to/c.txt");
  await patch(anna, "/to/c.txt", "copy", "/to/d.txt");
  await patch(anna, "/docs", "copy", "/to/docs");
  await patch(anna, "/docs", "rename", "/to/moved");
  const both = ["docs", "moved"];
  assert.deepEqual(
    anna.names("to"),
    [
      ...["._c.txt", "._d.txt", ...both.map((name) => `._${name}`), "c.txt", "d.txt", ...both],
    ].sort(),
  );
  for (const folder of both) {
    assert.deepEqual(anna.names(`to/${folder}`), [".DS_Store", "._in.txt", "in.txt"]);
  }
  assert.deepEqual(anna.names(), ["to"]);
  assert.deepEqual(await Deno.readFile(join(anna.home, "to/._d.txt")), ofMacOs);
});

Deno.test("a companion replaces none but a companion", async () => {
  const anna = await userWith({
    ...{ "a.txt": "a", "._a.txt": ofMacOs, "._b.txt": "my own" },
    ...{
      "c.txt": "c",
      "._c.txt": ofMacOs,
      "d.txt": "d",
      "._d.txt": new Uint8Array(ofMacOs.length),
    },
  });
  await patch(anna, "/a.txt", "rename", "/b.txt");
  assert.equal(await Deno.readTextFile(join(anna.home, "._b.txt")), "my own");
  assert.ok((await anna.list()).includes("._a.txt"));
  await Deno.writeFile(join(anna.home, "._d.txt"), ofMacOs.slice(0, 5));
  await patch(anna, "/c.txt", "rename", "/d.txt", "&override=true");
  assert.deepEqual(await Deno.readFile(join(anna.home, "._d.txt")), ofMacOs);
  assert.ok(!anna.names().includes("._c.txt"));
});

Deno.test("companions follow to another disk, and back", async () => {
  const anna = await userWith({
    ...{ "a.txt": "a", "._a.txt": ofMacOs, other: {} },
    ...{ docs: { "in.txt": "in", "._in.txt": ofMacOs }, "._docs": ofMacOs },
  });
  await using _disk = await mountMemory(join(anna.home, "other"), "size=2m");
  await patch(anna, "/a.txt", "rename", "/other/b.txt");
  await patch(anna, "/docs", "rename", "/other/docs");
  assert.deepEqual(anna.names(), ["other"]);
  assert.deepEqual(anna.names("other"), ["._b.txt", "._docs", "b.txt", "docs"]);
  assert.deepEqual(anna.names("other/docs"), ["._in.txt", "in.txt"]);
  await patch(anna, "/other/b.txt", "rename", "/a.txt");
  assert.deepEqual(anna.names(), ["._a.txt", "a.txt", "other"]);
});

Deno.test("companions go to the trash and come back; none is left by a deletion", async () => {
  const anna = await userWith({
    ...{ "a.txt": "a", "._a.txt": ofMacOs, "b.txt": "b", "._b.txt": ofMacOs },
    ...{ docs: { "in.txt": "in", "._in.txt": ofMacOs }, "._docs": ofMacOs },
  });
  await anna.call("DELETE", "/resources/b.txt");
  for (const name of ["a.txt", "docs"]) await anna.call("DELETE", `/resources/${name}?trash=true`);
  assert.deepEqual(anna.names(), []);
  await plant(anna.home, { "a.txt": "another" });
  const { items } = await (await anna.call("GET", "/trash")).json();
  assert.equal(items.length, 2);
  for (const { id } of items) await anna.call("POST", `/trash/${id}`);
  assert.deepEqual(anna.names(), ["._a(1).txt", "._docs", "a(1).txt", "a.txt", "docs"]);
  assert.deepEqual(anna.names("docs"), ["._in.txt", "in.txt"]);
});

Deno.test("Finder and sync clients list, write, move and remove companions by themselves", async () => {
  const anna = await userWith({ "a.txt": "a", docs: {} });
  await assertStatus(await anna.dav("PUT", "._a.txt", {}, ofMacOs), 201);
  const listed = await (await anna.dav("PROPFIND", "", { depth: "1" })).text();
  assert.match(listed, /\/\._a\.txt</);
  assert.deepEqual(await anna.list(), ["a.txt", "docs"]);
  const to = (name: string) => ({
    destination: `http://cubby.test/remote.php/dav/files/${anna.name}/${name}`,
  });
  await assertStatus(await anna.dav("MOVE", "a.txt", to("docs/b.txt")), 201);
  await assertStatus(await anna.dav("MOVE", "._a.txt", to("docs/._b.txt")), 201);
  assert.deepEqual(anna.names("docs"), ["._b.txt", "b.txt"]);
  await assertStatus(await anna.dav("DELETE", "docs/b.txt"), 204);
  await assertStatus(await anna.dav("DELETE", "docs/._b.txt"), 204);
  assert.deepEqual(anna.names("docs"), []);
});
