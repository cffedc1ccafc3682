import assert from "node:assert/strict";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { deny } from "../../support/data/rules.ts";
import { plantDeep } from "../../support/disks/files.ts";
import { assertDeniedLater } from "../core/access/visitors.ts";
import { describe, setUp } from "./transfers.ts";

type SetUp = Awaited<ReturnType<typeof setUp>>;

/** A tree as Python makes it, with links that lead out of the root and links that lead nowhere. */
async function stageVenv(): Promise<SetUp> {
  const s = await setUp({
    home: {
      project: { venv: { bin: {}, lib: { "os.py": "os" }, "pyvenv.cfg": "home = /usr/bin" } },
    },
    "out.txt": "out",
  });
  s.link("/usr/bin/python3", "home/project/venv/bin/python3");
  s.link("python3", "home/project/venv/bin/python");
  s.link("lib", "home/project/venv/lib64");
  s.link("../../../out.txt", "home/project/venv/out");
  s.link("../none", "home/project/venv/none");
  s.link("/etc", "home/project/venv/folder");
  return s;
}

const as = { scope: "/home" };

Deno.test("a Python venv is copied with the links that lead out of it, and moved", async () => {
  await using s = await stageVenv();
  const before = [...describe(s.path("home/project"))];
  await s.copy("/project", "/copy", { as });
  assert.deepEqual([...describe(s.path("home/copy"))], before);
  assert.deepEqual([...describe(s.path("home/project"))], before);
  await s.move("/project/venv", "/deep/er/venv", { as });
  assert.deepEqual([...describe(s.path("home/deep/er"))], before);
  assert.equal(Deno.readTextFileSync(s.path("out.txt")), "out");
});

Deno.test("a folder with links that lead out is merged into another, by copying and by moving", async () => {
  await using s = await stageVenv();
  const all = [...describe(s.path("home/project/venv"))];
  await s.copy("/project/venv", "/venv", { as });
  Deno.removeSync(s.path("home/venv/none"));
  Deno.removeSync(s.path("home/venv/bin"), { recursive: true });
  await s.copy("/project/venv", "/venv", { as, override: true });
  assert.deepEqual([...describe(s.path("home/venv"))], all);
  Deno.removeSync(s.path("home/venv/bin/python3"));
  // At the destination, a link that leads out is in the way, whatever its text.
  await assertDeniedLater(s.move("/project", "/venv", { as }), "exists");
  for (const name of ["out", "folder"]) Deno.removeSync(s.path("home/venv", name));
  await s.move("/project/venv", "/venv", { as, override: true });
  assert.deepEqual([...describe(s.path("home/venv"))], all);
  assert.deepEqual([...describe(s.path("home/project"))], []);
});

Deno.test("links that lead out or nowhere are copied and moved alone, and stay as they are", async () => {
  await using s = await stageVenv();
  for (const name of ["bin/python3", "bin/python", "out", "none", "folder"]) {
    const text = Deno.readLinkSync(s.path("home/project/venv", name));
    await s.copy(`/project/venv/${name}`, "/copied", { as });
    await s.move(`/project/venv/${name}`, "/moved", { as });
    for (const place of ["home/copied", "home/moved"]) {
      assert.equal(Deno.readLinkSync(s.path(place)), text);
      Deno.removeSync(s.path(place));
    }
    assert.throws(() => Deno.lstatSync(s.path("home/project/venv", name)), Deno.errors.NotFound);
  }
  assert.equal(s.text("out.txt"), "out");
});

Deno.test("a link to a denied place is not taken along", async () => {
  await using s = await setUp({ a: {}, secret: { x: "x" } });
  s.link("../secret/x", "a/link");
  for (const transfer of [s.copy, s.move]) {
    const denied = { as: { rules: [deny("/secret")] } };
    await assertDeniedLater(transfer("/a", "/b", denied), "forbidden");
    await assertDeniedLater(transfer("/a/link", "/b", denied), "forbidden");
  }
});

Deno.test("names that are not UTF-8 are copied and moved byte for byte", async () => {
  await using s = await setUp({ a: { "plain.txt": "plain" } });
  {
    using folder = disk.folder(s.path("a"));
    using file = folder.file("latin\uefe4.txt", "create");
    file.write(new TextEncoder().encode("x"), 0);
    folder.makeFolder("f\uefff\uef80");
    folder.makeLink("link\ueffe", "target\uefff");
    using below = folder.folder("f\uefff\uef80");
    below.makeFolder("in");
  }
  const names = async (folder: string) => {
    const args = [s.path(folder), "-mindepth", "1", "-printf", "%P %l %y\\0"];
    const { stdout } = await new Deno.Command("find", { args }).output();
    return new TextDecoder("latin1").decode(stdout).split("\0").sort();
  };
  const before = await names("a");
  assert(before.includes("latin\xe4.txt  f"), before.join());
  assert(before.includes("link\xfe target\xff l"), before.join());
  await s.copy("/a", "/b");
  assert.deepEqual(await names("b"), before);
  await s.copy("/b/latin\uefe4.txt", "/c/\uefc4");
  await s.move("/b/f\uefff\uef80", "/c/d");
  assert.deepEqual(await names("c"), ["", "d  d", "d/in  d", "\xc4  f"]);
  await s.copy("/a", "/b", { override: true });
  assert.deepEqual(await names("b"), before);
  await s.move("/a", "/b", { override: true });
  assert.deepEqual(await names("b"), before);
});

function isDeep(top: string, depth: number): boolean {
  using folder = disk.folder(top + "/d".repeat(depth));
  return folder.look("x.txt")?.size === 1;
}

/** Plants a file below folders in one another; the system has to remove it all. */
async function stageDeep(depth: number) {
  const s = await setUp({ a: {}, b: {} });
  plantDeep(s.path("a"), "d", depth, { name: "x.txt", text: "x" });
  return {
    ...s,
    isDeep: (place: string) => isDeep(s.path(place), depth),
    async [Symbol.asyncDispose]() {
      await new Deno.Command("rm", { args: ["-rf", s.path("a"), s.path("b")] }).output();
      await s[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a file below 1,000 folders is copied and moved in seconds", async () => {
  await using s = await stageDeep(1_000);
  const steps = [
    { action: () => s.copy("/a", "/b/copy"), place: "b/copy" },
    { action: () => s.move("/a", "/b/a"), place: "b/a" },
    // What hides names has the folder looked through first.
    { action: () => s.move("/b/a", "/a", { as: { hideDotfiles: true } }), place: "a" },
  ];
  for (const { action, place } of steps) {
    const start = performance.now();
    await action();
    const took = performance.now() - start;
    assert(took < 20_000, `${action} took ${took.toFixed()} ms`);
    assert(s.isDeep(place), place);
  }
  await s.copy("/a", "/b/copy", { override: true });
  await s.move("/a", "/b/copy", { override: true });
  assert(s.isDeep("b/copy"));
  assert.throws(() => Deno.lstatSync(s.path("a")), Deno.errors.NotFound);
});

Deno.test("a file below 4,000 folders is copied and moved", async () => {
  await using s = await stageDeep(4_000);
  await s.copy("/a", "/b/copy");
  assert(s.isDeep("b/copy"));
  await s.move("/a", "/b/a", { as: { hideDotfiles: true } });
  assert(s.isDeep("b/a"));
});
