/** Ids of entries that move to another disk, by which clients know them again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { davClient } from "../../support/clients/dav.ts";
import { mountMemory } from "../../support/disks/memory_disk.ts";
import { plant } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { propertyIn, propfind, responsesIn } from "./client_answers.ts";

const app = await startApp({ config: { webdav: true, syncClients: true } });
Deno.test.afterAll(app.close);

let count = 0;

/** A user with a folder on each of two disks. */
async function userOnTwoDisks(
  { tree, roots = false }: { tree: Parameters<typeof plant>[1]; roots?: boolean },
) {
  const name = `user${++count}`;
  const home = join(app.root, name);
  await Deno.mkdir(join(home, "here"), { recursive: true });
  await Deno.mkdir(join(home, "there"));
  await plant(join(home, "here"), tree);
  const disk = await mountMemory(join(home, "there"), "size=8m");
  const named = ["here", "there"].map((each) => ({
    ...{ name: each, path: `/${name}/${each}`, readOnly: false },
  }));
  const { token } = await app.addUser(name, roots ? { roots: named } : { scope: name });
  const prefix = `/remote.php/dav/files/${name}`;
  const client = davClient(app, name, prefix);
  /** The ids of an entry and of all below it, by their paths. */
  async function ids(path: string): Promise<Record<string, string>> {
    const body = propfind("oc:fileid", "oc:id", "d:resourcetype");
    const answer = await client("PROPFIND", path, { headers: { depth: "1" }, body });
    assert.equal(answer.status, 207, path);
    const found: Record<string, string> = {};
    for (const [href, xml] of responsesIn(await answer.text())) {
      const at = decodeURI(href.slice(prefix.length));
      const id = propertyIn(xml, "oc:fileid") ?? "";
      assert.ok(propertyIn(xml, "oc:id")?.startsWith(id.padStart(8, "0")));
      const isBelow = xml.includes("<d:collection/>") && at.replace(/\/$/, "") !== path;
      Object.assign(found, isBelow ? await ids(at.replace(/\/$/, "")) : { [at]: id });
    }
    return found;
  }
  return {
    ...{ home, ids, client },
    async id(path: string) {
      const headers = { depth: "0" };
      const answer = await client("PROPFIND", path, { headers, body: propfind("oc:fileid") });
      const [xml = ""] = responsesIn(await answer.text()).values();
      return propertyIn(xml, "oc:fileid") ?? "";
    },
    async move(from: string, to: string, status = 201) {
      const headers = { destination: `http://cubby.test${prefix}${to}`, overwrite: "T" };
      await assertStatus(await client("MOVE", from, { headers }), status);
    },
    async patch(from: string, to: string, more = "") {
      const path = `/api/resources${from}?action=rename&destination=${encodeURIComponent(to)}`;
      await assertStatus(await app.call("PATCH", path + more, { token }), 200);
    },
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  };
}

/** The same ids, by the paths that the entries have below another folder. */
function below(ids: Record<string, string>, from: string, to: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ids).map(([path, id]) => [to + path.slice(from.length), id]),
  );
}

function assertUnique(...all: Record<string, string>[]): void {
  const ids = all.flatMap((each) => Object.values(each));
  for (const id of ids) assert.match(id, /^\d+$/);
  assert.equal(new Set(ids).size, ids.length);
}

const docs = {
  docs: { "a.txt": "a", "b.txt": "b", empty: {}, deep: { deeper: { "c.txt": "c" }, "d.txt": "d" } },
};

for (const roots of [false, true]) {
  const where = roots ? "named roots on two disks" : "a disk in a folder";
  Deno.test(`${where}: a move there and back changes no id, of files and of folders`, async () => {
    await using user = await userOnTwoDisks({ tree: { "note.txt": "note", ...docs }, roots });
    const [note, before] = [await user.id("/here/note.txt"), await user.ids("/here/docs")];
    assertUnique({ note }, before);
    await user.move("/here/note.txt", "/there/renamed.txt");
    await user.move("/here/docs", "/there/moved");
    assert.equal(await user.id("/there/renamed.txt"), note);
    assert.deepEqual(await user.ids("/there/moved"), below(before, "/here/docs", "/there/moved"));
    assert.equal(await Deno.readTextFile(join(user.home, "there/moved/deep/d.txt")), "d");
    await user.patch("/there/moved", "/here/back");
    await user.patch("/there/renamed.txt", "/here/back/note.txt");
    const { ["/here/back/note.txt"]: again, ...after } = await user.ids("/here/back");
    assert.equal(again, note);
    assert.deepEqual(after, below(before, "/here/docs", "/here/back"));
  });
}

Deno.test("what comes where an entry was that moved to another disk has an id of its own", async () => {
  await using user = await userOnTwoDisks({ tree: { "note.txt": "note", ...docs } });
  const before = await user.ids("/here");
  await user.move("/here/note.txt", "/there/note.txt");
  await user.move("/here/docs", "/there/docs");
  for (let round = 0; round < 3; round++) {
    await assertStatus(await user.client("PUT", "/here/note.txt", { body: `${round}` }), 201);
    await assertStatus(await user.client("MKCOL", "/here/docs"), 201);
    await assertStatus(await user.client("PUT", "/here/docs/a.txt", { body: "a" }), 201);
    const { ["/here/"]: _, ...now } = await user.ids("/here");
    assertUnique(before, now);
    for (const path of ["/here/note.txt", "/here/docs"]) {
      await assertStatus(await user.client("DELETE", path), 204);
    }
  }
});

Deno.test("a file that replaces another on the other disk keeps its id; so does a merged folder", async () => {
  await using user = await userOnTwoDisks({ tree: { "note.txt": "note", ...docs } });
  await plant(join(user.home, "there"), {
    "note.txt": "former",
    docs: { "a.txt": "former", "own.txt": "own" },
  });
  const [here, there] = [await user.ids("/here"), await user.ids("/there")];
  await user.move("/here/note.txt", "/there/note.txt", 204);
  assert.equal(await user.id("/there/note.txt"), here["/here/note.txt"]);
  await user.patch("/here/docs", "/there/docs", "&override=true");
  const merged = await user.ids("/there/docs");
  assert.equal(merged["/there/docs/"], there["/there/docs/"]);
  assert.equal(merged["/there/docs/own.txt"], there["/there/docs/own.txt"]);
  for (const path of ["a.txt", "b.txt", "empty/", "deep/", "deep/deeper/c.txt"]) {
    assert.equal(merged[`/there/docs/${path}`], here[`/here/docs/${path}`], path);
  }
  assertUnique(merged, await user.ids("/here"));
});

Deno.test("what stays behind when a move ends early has another id than its copy", async () => {
  await using user = await userOnTwoDisks({ tree: docs });
  const before = await user.ids("/here/docs");
  const source = join(user.home, "here/docs/deep");
  // Its entries cannot be removed, so that the originals stay.
  await new Deno.Command("chattr", { args: ["+a", source] }).output().catch(() => null);
  const destination = `http://cubby.test/remote.php/dav/files/user${count}/there/docs`;
  const answer = await user.client("MOVE", "/here/docs", { headers: { destination } });
  await answer.body?.cancel();
  await new Deno.Command("chattr", { args: ["-a", source] }).output().catch(() => null);
  const copies = await user.ids("/there/docs");
  assert.deepEqual(copies, below(before, "/here/docs", "/there/docs"));
  if (answer.ok) return;
  assertUnique(copies, await user.ids("/here/docs"));
});

Deno.test("a copy on another disk has ids of its own, and leaves those of the originals", async () => {
  await using user = await userOnTwoDisks({ tree: docs });
  const before = await user.ids("/here/docs");
  const destination = `http://cubby.test/remote.php/dav/files/user${count}/there/docs`;
  const headers = { destination };
  await assertStatus(await user.client("COPY", "/here/docs", { headers }), 201);
  assert.deepEqual(await user.ids("/here/docs"), before);
  assertUnique(before, await user.ids("/there/docs"));
});
