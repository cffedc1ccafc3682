import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { plant, plantMany } from "../../support/disks/files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    "a.txt": "a",
    "taken.txt": "former",
    folder: { "in.txt": "1", deep: { "x.txt": "x" } },
    other: { "in.txt": "2", "own.txt": "own" },
    replaced: { "a.txt": "former", in: { "in.txt": "2", "own.txt": "own" } },
    merged: { "in.txt": "2", "own.txt": "own", deep: { "y.txt": "y" } },
    tellers: { "r.txt": "r", "own.txt": "own" },
    guarded: { "open.txt": "3", secret: { "e.txt": "4" } },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const patch = (from: string, query: string, as: string | undefined = token) =>
  app.call("PATCH", `/api/resources${from}?${query}`, { token: as });
const to = (path: string) => `destination=${encodeURIComponent(path)}`;
const read = (path: string) => Deno.readTextFileSync(join(app.root, path));
const names = (path = "") =>
  [...Deno.readDirSync(join(app.root, path))].map(({ name }) => name).sort();

Deno.test("PATCH wants a session, an action it knows and a destination", async () => {
  const before = names();
  await assertRefused(
    await app.call("PATCH", "/api/resources/a.txt?action=copy&destination=/b.txt"),
    401,
    "not_signed_in",
  );
  for (const action of ["", "action=", "action=link", "action=Copy", "action=constructor"]) {
    await assertRefused(await patch("/a.txt", `${action}&${to("/b")}`), 400, "invalid_option");
  }
  for (const query of ["", "&destination=", "&Destination=/b", "&destination"]) {
    const answer = await patch("/a.txt", `action=copy${query}`);
    await assertRefused(answer, 400, "invalid_option", query);
  }
  assert.deepEqual(names(), before);
});

Deno.test("PATCH wants its permissions, and does not tell what is there without them", async () => {
  const before = names();
  const { token: maker } = await app.addUser("maker", { perm: { rename: false, modify: false } });
  const { token: mover } = await app.addUser("mover", { perm: { create: false, modify: false } });
  for (const from of ["/a.txt", "/none"]) {
    for (const destination of [to("/b.txt"), to("/taken.txt")]) {
      const move = await patch(from, `action=rename&${destination}`, maker);
      await assertRefused(move, 403, "forbidden", from);
      const copy = await patch(from, `action=copy&${destination}`, mover);
      await assertRefused(copy, 403, "forbidden", from);
    }
  }
  for (const [action, as] of [["copy", maker], ["rename", mover]] as const) {
    const query = `action=${action}&${to("/taken.txt")}&override=true`;
    await assertRefused(await patch("/a.txt", query, as), 403, "forbidden", action);
  }
  assert.deepEqual(names(), before);
});

Deno.test("PATCH is 404 for what is not there", async () => {
  for (const from of ["/none", "/a.txt/below", "/none/deep/"]) {
    for (const action of ["copy", "rename"]) {
      await assertRefused(await patch(from, `action=${action}&${to("/b")}`), 404, "not_found");
    }
  }
});

Deno.test("PATCH refuses the root, an entry itself, and what is below it", async () => {
  const before = names();
  for (const action of ["copy", "rename"]) {
    for (const from of ["", "/", "//"]) {
      await assertRefused(await patch(from, `action=${action}&${to("/b")}`), 403, "forbidden");
    }
    for (const path of ["/", "//"]) {
      const answer = await patch("/a.txt", `action=${action}&${to(path)}&override=true`);
      await assertRefused(answer, 403, "forbidden", path);
    }
    for (const path of ["/folder", "/folder/", "/folder/b", "/folder/deep/b/c"]) {
      const answer = await patch("/folder", `action=${action}&${to(path)}&override=true`);
      await assertRefused(answer, 400, "invalid_path", path);
    }
    const answer = await patch("/a.txt", `action=${action}&${to("/a.txt")}`);
    await assertRefused(answer, 400, "invalid_path", action);
  }
  assert.deepEqual(names(), before);
});

Deno.test("PATCH is 409 where the name is taken, and replaces no kind of entry by another", async () => {
  const before = names();
  for (const action of ["copy", "rename"]) {
    for (const path of ["/taken.txt", "/other", "/taken.txt/below"]) {
      const answer = await patch("/a.txt", `action=${action}&${to(path)}&override=false&rename=`);
      await assertRefused(answer, 409, "exists", path);
    }
    for (const [from, path] of [["/a.txt", "/other"], ["/other", "/a.txt"]] as const) {
      const answer = await patch(from, `action=${action}&${to(path)}&override=true`);
      await assertRefused(answer, 409, "exists", path);
    }
  }
  assert.deepEqual([names(), names("other")], [before, ["in.txt", "own.txt"]]);
  assert.equal(read("taken.txt"), "former");
});

Deno.test("PATCH leaves a folder whole that holds something denied", async () => {
  const before = names();
  const { token: guarded } = await app.addUser("guarded", { rules: [deny("/guarded/secret")] });
  for (const action of ["copy", "rename"]) {
    const answer = await patch("/guarded", `action=${action}&${to("/b")}`, guarded);
    await assertRefused(answer, 403, "forbidden", action);
  }
  assert.deepEqual(names(), before);
});

Deno.test("PATCH decodes the destination twice, or once where there is no second time", async () => {
  const spellings = {
    "/p/a%20b%2Bc": "a b+c",
    "%2Fp%2Fd+e": "d e",
    "/p/%C3%A4%26%3D%23": "ä&=#",
    "/p/100%25": "100%",
    "/p/%2541": "A",
    "/p/%252541": "%41",
    "%2Fp%2Fa%2520b%252Bd": "a b+d",
    "%2Fp%2F%25252e%25252e": "%2e%2e",
    "%2Fp%2F%2523%2525%253F%25E6%2597%25A5%2520%255C%2560.txt": "#%?日 \\`.txt",
    "%2Fp%2F%23%25%3F%E6%9C%AC.txt": "#%?本.txt",
    "%2Fp%2F99%2525": "99%",
    "/p/%252Fbad%25": "%2Fbad%",
    "%252Fp%252Fall%2520twice": "all twice",
    "//p//slash/": "slash",
    "p/none": "none",
    "/p/back%5Cslash": "back\\slash",
  };
  for (const [spelling, name] of Object.entries(spellings)) {
    await assertStatus(await patch("/a.txt", `action=copy&destination=${spelling}`), 200, spelling);
    assert.equal(read(join("p", name)), "a", spelling);
  }
  assert.deepEqual(names("p"), Object.values(spellings).sort());
  await Deno.remove(join(app.root, "p"), { recursive: true });
});

Deno.test("PATCH checks the destination after its last decoding", async () => {
  const before = names();
  const paths = [
    "%2Fp%2F%252e%252e%2Fb",
    "/p/%252E",
    "/p/a%252Fb",
    "/p/a%2500b",
    "/p/%25FF%ZZ",
    "%252Fp%252F%252e%252e%252Fb",
  ];
  for (const path of [...paths, "/p/%00", "/p/%2e%2e/b", "/p/%FF", "/p/%"]) {
    const answer = await patch("/a.txt", `action=copy&destination=${path}`);
    await assertRefused(answer, 400, "invalid_path", path);
  }
  assert.deepEqual(names(), before);
});

Deno.test("PATCH copies files and folders, and says no more than OK", async () => {
  const answer = await patch("/a.txt", `action=copy&${to("/made/on the way/b.txt")}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(await answer.text(), "OK\n");
  assert.equal(read("made/on the way/b.txt") + read("a.txt"), "aa");
  await assertStatus(await patch("/folder/", `action=copy&${to("/made/folder/")}`), 200);
  assert.equal(read("made/folder/deep/x.txt"), "x");
  assert.deepEqual(names("folder"), ["deep", "in.txt"]);
});

Deno.test("PATCH replaces and merges when it is told to, and numbers names when it is told to", async () => {
  const over = (path: string) => `action=copy&${to(path)}&override=true`;
  await assertStatus(await patch("/a.txt", over("/replaced/a.txt")), 200);
  assert.equal(read("replaced/a.txt"), "a");
  await assertStatus(await patch("/folder", over("/replaced/in")), 200);
  assert.deepEqual(names("replaced/in"), ["deep", "in.txt", "own.txt"]);
  assert.equal(read("replaced/in/in.txt") + read("replaced/in/own.txt"), "1own");
  const copied = await patch("/a.txt", `action=copy&${to("/a.txt")}&rename=true`);
  assert.equal(copied.headers.get("content-location"), "/api/resources/a(1).txt");
  await assertStatus(copied, 200);
  await assertStatus(await patch("/folder", `action=copy&${to("/folder")}&rename=true`), 200);
  assert.equal(read("a(1).txt") + read("folder(1)/in.txt"), "a1");
});

Deno.test("PATCH moves, whether it is called rename or move", async () => {
  await plant(app.root, { "from.txt": "f", going: { "in.txt": "1", deep: { "x.txt": "x" } } });
  await assertStatus(await patch("/from.txt", `action=rename&${to("/renamed.txt")}`), 200);
  await assertStatus(await patch("/renamed.txt", `action=move&${to("/going/r.txt")}`), 200);
  await assertStatus(await patch("/going", `action=rename&${to("/moved")}`), 200);
  assert.deepEqual(names("moved"), ["deep", "in.txt", "r.txt"]);
  await assertStatus(await patch("/moved", `action=rename&${to("/merged")}&override=true`), 200);
  assert.deepEqual(names("merged"), ["deep", "in.txt", "own.txt", "r.txt"]);
  assert.deepEqual(names("merged/deep"), ["x.txt", "y.txt"]);
  assert(!names().includes("moved"));
});

Deno.test("PATCH tells what is kept by path where an entry went", async () => {
  const told: string[] = [];
  app.cubby.observers.add({
    hasBelow: () => Promise.resolve(true),
    follow(_store, from, to) {
      told.push(to === null ? `${from} is gone` : `${from} -> ${to}`);
      return Promise.resolve([]);
    },
  });
  const { token: ben } = await app.addUser("ben", { scope: "/tellers" });
  await assertStatus(await patch("/r.txt", `action=rename&${to("/new/r.txt")}`, ben), 200);
  await assertStatus(await patch("/new/r.txt", `action=copy&${to("/own.txt")}`, ben), 409);
  await assertStatus(await app.call("DELETE", "/api/resources/new", { token: ben }), 200);
  assert.deepEqual(told, ["/tellers/r.txt -> /tellers/new/r.txt", "/tellers/new is gone"]);
});

Deno.test("PATCH copies 10,000 files and leaves all others their turn", async () => {
  Deno.mkdirSync(join(app.root, "many"));
  plantMany(join(app.root, "many"), 10_000);
  let isCopying = true;
  const path = "/api/resources/many?action=copy&destination=/many%202";
  const copying = app.call("PATCH", path, { token }).finally(() => isCopying = false);
  let answers = 0;
  for (; isCopying; answers++) {
    await assertStatus(await app.call("GET", "/api/resources/?limit=1", { token }), 200);
    await new Promise((resolve) => setTimeout(resolve));
  }
  await assertStatus(await copying, 200);
  assert.equal([...Deno.readDirSync(join(app.root, "many 2"))].length, 10_000);
  assert.ok(answers > 20, `${answers} answers meanwhile`);
});

Deno.test("OPTIONS names PATCH among the methods", async () => {
  const answer = await app.call("OPTIONS", "/api/resources/a.txt", { token });
  assert.match(answer.headers.get("allow") ?? "", /PATCH/);
});
