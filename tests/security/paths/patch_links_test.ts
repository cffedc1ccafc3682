import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    home: { "own.txt": "own", sub: { "in.txt": "in" }, trap: {} },
    other: { "a.txt": "SECRET", deep: { "more.txt": "MORE" } },
  },
});
Deno.test.afterAll(app.close);
const { token } = await app.addUser("bea", { scope: "/home" });
const home = join(app.root, "home");
const other = join(app.root, "other");
const link = (target: string, name: string) => Deno.symlinkSync(target, join(home, name));
const patch = (from: string, to: string, options = "") => {
  const query = `destination=${encodeURIComponent(to)}${options}`;
  return app.call("PATCH", `/api/resources${from}?${query}`, { token });
};

link(join(other, "a.txt"), "absolute.txt");
link("../other/a.txt", "relative.txt");
link("absolute.txt", "chained.txt");
link(join(other, "none.txt"), "dangling.txt");
link(other, "folder");
link("..", "up");
link("../../other", "trap/out");
const leaving = [
  "/absolute.txt",
  "/relative.txt",
  "/chained.txt",
  "/dangling.txt",
  "/folder",
  "/up",
];
const through = [
  "/folder/a.txt",
  "/folder/deep",
  "/up/other",
  "/up/other/a.txt",
  "/trap/out/a.txt",
];

function assertUntouched(told = ""): void {
  const names = [...Deno.readDirSync(other)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["a.txt", "deep"], told);
  assert.equal(Deno.readTextFileSync(join(other, "a.txt")), "SECRET");
  assert.equal(Deno.readTextFileSync(join(other, "deep/more.txt")), "MORE");
  assert.deepEqual([...Deno.readDirSync(app.root)].length, 2, told);
}

for (const action of ["&action=copy", "&action=rename"]) {
  Deno.test(`nothing is brought in through a link that leaves the scope${action}`, async () => {
    for (const from of [...through, "/trap/out/none"]) {
      for (const options of ["", "&override=true", "&rename=true"]) {
        const answer = await patch(from, "/brought", action + options);
        await assertRefused(answer, 403, "forbidden", from + options);
      }
    }
    assertUntouched(action);
  });

  Deno.test(`a link that leaves the scope is taken as a link, never as its target${action}`, async () => {
    for (const from of leaving) {
      const text = Deno.readLinkSync(join(home, from));
      await assertStatus(await patch(from, "/brought", action), 200, from);
      assert.equal(Deno.readLinkSync(join(home, "brought")), text, from);
      await assertRefused(
        await app.call("GET", "/api/raw/brought", { token }),
        403,
        "forbidden",
        from,
      );
      await putBack(from, "brought", text);
    }
    await assertStatus(await patch("/trap", "/brought", action), 200);
    assert.equal(Deno.readLinkSync(join(home, "brought/out")), "../../other");
    await assertRefused(await patch("/brought/out/a.txt", "/a", action), 403, "forbidden");
    await Deno.remove(join(home, "brought"), { recursive: true });
    await Deno.mkdir(join(home, "trap"), { recursive: true });
    await putBack("trap/out", "none", "../../other");
    assertUntouched(action);
  });

  Deno.test(`nothing is brought out through a link that leaves the scope${action}`, async () => {
    for (const to of [...leaving, ...through, "/folder/x/y", "/trap/out", "/trap/out/x"]) {
      for (const options of ["", "&override=true", "&rename=true"]) {
        for (const from of ["/own.txt", "/sub"]) {
          const answer = await patch(from, to, action + options);
          await assertRefused(answer, 403, "forbidden", `${from} ${to}${options}`);
        }
      }
    }
    assertUntouched(action);
  });

  Deno.test(`a merge does not go through a link that lies in its way${action}`, async () => {
    await Deno.mkdir(join(home, "from/out"), { recursive: true });
    await Deno.writeTextFile(join(home, "from/out/a.txt"), "planted");
    const answer = await patch("/from", "/trap", `${action}&override=true`);
    await assertRefused(answer, 409, "exists");
    assert.equal(Deno.readTextFileSync(join(home, "from/out/a.txt")), "planted");
    assert.equal(Deno.readLinkSync(join(home, "trap/out")), "../../other");
    await Deno.remove(join(home, "from"), { recursive: true });
    assertUntouched(action);
  });

  Deno.test(`a link that is made to lead out by putting it elsewhere is not followed${action}`, async () => {
    await Deno.mkdir(join(home, "d/e"), { recursive: true });
    link("../../other", "d/e/harmless");
    for (const [from, to] of [["/d/e/harmless", "/climbs"], ["/d", "/climbing"]] as const) {
      await assertStatus(await patch(from, to, action), 200, from);
    }
    await assertRefused(
      await app.call("GET", "/api/raw/climbs/a.txt", { token }),
      403,
      "forbidden",
    );
    const through = await app.call("GET", "/api/resources/climbs/", { token });
    await assertRefused(through, 403, "forbidden");
    for (const name of ["climbs", "climbing", "d"]) {
      await Deno.remove(join(home, name), { recursive: true }).catch(() => {});
    }
    assertUntouched(action);
  });
}

/** Removes a link, if it is there, and leaves one with the same text under another name. */
async function putBack(name: string, taken: string, text: string): Promise<void> {
  await Deno.remove(join(home, taken)).catch(() => {});
  await Deno.symlink(text, join(home, name)).catch(() => {});
}

Deno.test("a copied link is a link, not what it leads to, and deleting it leaves the target", async () => {
  link("sub", "fine");
  await assertStatus(await patch("/fine", "/fine 2", "&action=copy"), 200);
  assert.equal(Deno.readLinkSync(join(home, "fine 2")), "sub");
  await assertStatus(await app.call("DELETE", "/api/resources/fine%202", { token }), 200);
  assert.equal(Deno.readTextFileSync(join(home, "sub/in.txt")), "in");
});
