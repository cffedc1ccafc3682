import assert from "node:assert/strict";
import { join } from "node:path";
import type { Rule } from "../../../../lib/shared/schemas/rights.ts";
import { uploadFile } from "../../../../lib/server/files/upload/upload.ts";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";
import { removeEntry } from "../../../../lib/server/files/remove.ts";
import { makeFolder } from "../../../../lib/server/files/make_folder.ts";
import { plant, temporaryFolder, type Tree } from "../../../support/disks/files.ts";
import { deny, denyMatching } from "../../../support/data/rules.ts";
import { assertDenied, assertDeniedLater, at, enter } from "./visitors.ts";

const tree: Tree = {
  private: { "plan.txt": "plan", inner: { "x.txt": "x" } },
  privateer: { "ship.txt": "ship" },
  public: { "a.txt": "a", "b.key": "b", "odd.key": { "below.txt": "below" } },
  ".hidden": { "seen.txt": "seen" },
  docs: { ".git": { config: "git" }, "readme.md": "readme" },
};

async function setUp(rules: Rule[] = [], more: { hideDotfiles?: boolean } = {}) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  const access = enter(folder.path, { rules, ...more });
  const names = (path: string) =>
    access.folder(at(path)).read().children.map(({ name }) => name).sort();
  return { root: folder.path, access, names, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

Deno.test("a denied path and all below it are refused, there or not", async () => {
  await using s = await setUp([deny("/private")]);
  for (const path of ["/private", "/private/plan.txt", "/private/none", "/private/inner/x.txt"]) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
    assertDenied(() => s.access.read(at(path)), "forbidden", path);
    assertDenied(() => s.access.create(at(path)), "forbidden", path);
    assertDenied(() => s.access.remove(at(path)), "forbidden", path);
  }
  assert(s.access.stat(at("/privateer/ship.txt")).isFile);
  assert(!s.names("/").includes("private"));
});

Deno.test("slashes, dots and case do not lead around a rule", async () => {
  await using s = await setUp([deny("/private")]);
  for (const path of ["//private", "/private/", "//private//plan.txt", "private/plan.txt"]) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
  }
  for (const path of ["/./private", "/public/../private"]) {
    assertDenied(() => s.access.stat(at(path)), "invalid_path", path);
  }
  // On a case-sensitive disk this is another name, and nothing is there.
  assertDenied(() => s.access.stat(at("/PRIVATE/plan.txt")), "not_found");
});

Deno.test("a link does not lead around a path rule", async () => {
  await using s = await setUp([deny("/private")]);
  const link = (target: string, name: string) => Deno.symlinkSync(target, join(s.root, name));
  link("private", "door");
  link("private/plan.txt", "file");
  link("door", "second door");
  link("private/none", "broken into");
  link("../private/inner", "public/deep door");
  for (
    const path of [
      ...["/door", "/door/plan.txt", "/door/none", "/file", "/second door/plan.txt"],
      ...["/broken into", "/broken into/x", "/public/deep door", "/public/deep door/x.txt"],
    ]
  ) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
    assertDenied(() => s.access.create(at(path)), "forbidden", path);
    assertDenied(() => s.access.remove(at(path)), "forbidden", path);
  }
  assert.deepEqual(s.names("/"), [".hidden", "docs", "privateer", "public"]);
  assert(!s.names("/public").includes("deep door"));
});

Deno.test("a path rule holds for the entries of a folder that is listed through a link", async () => {
  await using s = await setUp([deny("/public/a.txt"), deny("/window/b.key")]);
  Deno.symlinkSync("public", join(s.root, "window"));
  assert.deepEqual(s.names("/window"), ["odd.key"]);
  assert.deepEqual(s.names("/public"), ["b.key", "odd.key"]);
  assertDenied(() => s.access.stat(at("/window/a.txt")), "forbidden");
});

Deno.test("a link does not lead around an expression, and its own name counts too", async () => {
  await using s = await setUp([denyMatching("\\.key$")]);
  Deno.symlinkSync("b.key", join(s.root, "public/harmless"));
  Deno.symlinkSync("a.txt", join(s.root, "public/named.key"));
  Deno.symlinkSync("public", join(s.root, "doorway"));
  assertDenied(() => s.access.read(at("/public/b.key")), "forbidden");
  assertDenied(() => s.access.read(at("/public/harmless")), "forbidden");
  assertDenied(() => s.access.read(at("/public/named.key")), "forbidden");
  assertDenied(() => s.access.read(at("/doorway/b.key")), "forbidden");
  assert.deepEqual(s.names("/public"), ["a.txt"]);
  assert.deepEqual(s.names("/doorway"), ["a.txt"]);
});

Deno.test("what lies below a folder that an expression denies is denied as well", async () => {
  await using s = await setUp([denyMatching("\\.key$")]);
  assertDenied(() => s.access.read(at("/public/odd.key/below.txt")), "forbidden");
  assertDenied(() => s.access.folder(at("/public/odd.key")), "forbidden");
});

Deno.test("hideDotfiles hides every path with a dot-segment, also behind a link", async () => {
  await using s = await setUp([], { hideDotfiles: true });
  Deno.symlinkSync(".hidden", join(s.root, "window"));
  for (const path of ["/.hidden", "/.hidden/seen.txt", "/docs/.git/config", "/window/seen.txt"]) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
  }
  assertDenied(() => s.access.create(at("/.new")), "forbidden");
  assertDenied(() => s.access.create(at("/a/.b/c")), "forbidden");
  assert.deepEqual(s.names("/"), ["docs", "private", "privateer", "public"]);
  assert.deepEqual(s.names("/docs"), ["readme.md"]);
});

Deno.test("without hideDotfiles dotfiles are entries like others", async () => {
  await using s = await setUp();
  assert(s.access.stat(at("/docs/.git/config")).isFile);
  assert(s.names("/").includes(".hidden"));
});

Deno.test("a folder with something denied below is not deleted, and nothing of it is", async () => {
  await using s = await setUp([deny("/docs/.git/config")]);
  const listingWorker = openListingWorker();
  try {
    await assertDeniedLater(removeEntry(s.access, listingWorker, at("/docs")), "forbidden");
    assert(Deno.lstatSync(join(s.root, "docs/readme.md")).isFile);
    await removeEntry(s.access, listingWorker, at("/private"));
    assert.throws(() => Deno.lstatSync(join(s.root, "private")), Deno.errors.NotFound);
  } finally {
    listingWorker.close();
  }
});

Deno.test("parents that would be denied are not made", async () => {
  await using s = await setUp([deny("/new"), { ...deny("/new/inner"), allow: true }]);
  await assertDeniedLater(makeFolder(s.access, at("/new/inner")), "forbidden");
  const upload = uploadFile(s.access, at("/new/inner/a.txt"), null, { override: false });
  await assertDeniedLater(upload, "forbidden");
  assert.throws(() => Deno.lstatSync(join(s.root, "new")), Deno.errors.NotFound);
});

Deno.test("parents below a link are not made where either of their names is denied", async () => {
  for (const folder of ["/way/new", "/public/new"]) {
    await using s = await setUp([deny(folder), { ...deny(`${folder}/in`), allow: true }]);
    Deno.symlinkSync("public", join(s.root, "way"));
    assertDenied(() => s.access.create(at("/way/new/in/a.txt")), "forbidden", folder);
    s.access.create(at("/way/other/in/a.txt"));
  }
});

Deno.test("in a share, rules and dotfiles see the path inside the owner's scope", async () => {
  await using s = await setUp();
  const share = (rules: Rule[], base: string, hideDotfiles = false) =>
    enter(s.root, { rules, base: at(base), hideDotfiles });
  assertDenied(
    () => share([deny("/private/inner")], "/private").stat(at("/inner/x.txt")),
    "forbidden",
  );
  assertDenied(() => share([deny("/private")], "/private/inner").stat(at("/x.txt")), "forbidden");
  assertDenied(() => share([], "/.hidden", true).stat(at("/seen.txt")), "forbidden");
  assert(share([deny("/inner")], "/private").stat(at("/inner/x.txt")).isFile);
});

Deno.test("a denied or hidden name that is a link is denied, wherever it leads", async () => {
  await using s = await setUp([deny("/alias")], { hideDotfiles: true });
  Deno.symlinkSync("public", join(s.root, "alias"));
  Deno.symlinkSync("public", join(s.root, ".window"));
  for (const path of ["/alias", "/alias/a.txt", "/alias/new.txt", "/.window", "/.window/a.txt"]) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
    assertDenied(() => s.access.create(at(path)), "forbidden", path);
    assertDenied(() => s.access.remove(at(path)), "forbidden", path);
    assertDenied(() => s.access.rename(at(path)), "forbidden", path);
  }
  assert.deepEqual(s.names("/"), ["docs", "private", "privateer", "public"]);
  assert(s.access.stat(at("/public/a.txt")).isFile);
});

Deno.test("a chain of links through a denied or hidden one is denied at that step", async () => {
  await using s = await setUp([deny("/private")], { hideDotfiles: true });
  Deno.symlinkSync("../public", join(s.root, "private/through"));
  Deno.symlinkSync("../public/a.txt", join(s.root, ".hidden/through"));
  Deno.symlinkSync("private/through", join(s.root, "first"));
  Deno.symlinkSync(".hidden/through", join(s.root, "second"));
  Deno.symlinkSync("first/a.txt", join(s.root, "third"));
  for (const path of ["/first", "/first/a.txt", "/first/none", "/second", "/third"]) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
    assertDenied(() => s.access.create(at(path)), "forbidden", path);
  }
  assert.deepEqual(s.names("/"), ["docs", "privateer", "public"]);
});
