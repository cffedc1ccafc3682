import assert from "node:assert/strict";
import { join } from "node:path";
import { removeEntry } from "../../../../lib/server/files/remove.ts";
import { uploadFile } from "../../../../lib/server/files/upload/upload.ts";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { assertDenied, assertDeniedLater, at, enter } from "./visitors.ts";

/**
 * A root with the scope of one user, a neighbour, and a folder outside of the root; in the scope
 * every kind of link.
 */
async function setUp() {
  const folder = await temporaryFolder();
  await plant(folder.path, {
    outside: { "secret.txt": "outside", deep: {} },
    root: {
      neighbour: { "theirs.txt": "theirs" },
      al: { "mine.txt": "mine", sub: { "below.txt": "below" } },
    },
  });
  const root = join(folder.path, "root");
  const scope = join(root, "al");
  const link = (target: string, name: string) => Deno.symlinkSync(target, join(scope, name));
  link("mine.txt", "to file");
  link("sub", "to folder");
  link(join(scope, "sub/below.txt"), "absolute inside");
  link("../al/mine.txt", "up and back in");
  link("to folder/below.txt", "nested");
  link("to file", "link to link");
  link("../../outside/secret.txt", "relative out");
  link(join(folder.path, "outside"), "absolute out");
  link("../neighbour", "neighbour");
  link("..", "parent");
  link("/", "top");
  link("relative out", "nested out");
  link("absolute out/secret.txt", "through out");
  link("gone.txt", "broken");
  link(join(scope, "gone/too.txt"), "broken absolute");
  link("../../outside/gone.txt", "dangling out");
  link("../neighbour/gone.txt", "dangling neighbour");
  link("gone/../../neighbour/theirs.txt", "climbing over nothing");
  link("../nowhere/../al/mine.txt", "around over nothing");
  link("../neighbour/../al/mine.txt", "around over the neighbour");
  link("loop", "loop");
  link("pong", "ping");
  link("ping", "pong");
  link("mine.txt/..", "through a file");
  link("mine.txt/", "file with a slash");
  link("mine.txt/.", "file as a folder");
  const access = (as = {}) => enter(root, { scope: "/al", ...as });
  return { folder, root, scope, access, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

const inside = [
  ["to file", "mine"],
  ["to folder/below.txt", "below"],
  ["absolute inside", "below"],
  ["up and back in", "mine"],
  ["nested", "below"],
  ["link to link", "mine"],
] as const;

const escaping = [
  "relative out",
  "absolute out",
  "neighbour",
  "parent",
  "top",
  "nested out",
  "through out",
  "dangling out",
  "dangling neighbour",
  "climbing over nothing",
  "around over nothing",
  "around over the neighbour",
];

const broken = [
  ...["broken", "broken absolute", "loop", "ping", "pong", "through a file"],
  ...["file with a slash", "file as a folder"],
];

for (const name of escaping) {
  Deno.test(`a link that leaves the scope is never followed: ${name}`, async () => {
    await using s = await setUp();
    const access = s.access();
    const path = at(`/${name}`);
    assertDenied(() => access.stat(path), "forbidden");
    assertDenied(() => access.read(path), "forbidden");
    assertDenied(() => access.peek(path), "forbidden");
    assertDenied(() => access.folder(path), "forbidden");
    assertDenied(() => access.create(path), "forbidden");
    assertDenied(() => access.replace(path), "forbidden");
    assertDenied(() => access.modify(path), "forbidden");
    const options = { override: true };
    await assertDeniedLater(uploadFile(access, path, null, options), "forbidden");
    assert(Deno.lstatSync(join(s.scope, name)).isSymlink);
  });

  Deno.test(`a link that leaves the scope is itself an entry: ${name}`, async () => {
    await using s = await setUp();
    const access = s.access();
    const path = at(`/${name}`);
    assert(access.rename(path).info.isSymlink && !access.rename(path).isFolder);
    assert(access.copy(path).info.isSymlink && !access.copy(path).isFolder);
    await access.remove(path).removeSingle();
    assert.throws(() => Deno.lstatSync(join(s.scope, name)), Deno.errors.NotFound);
    const [secret] = Deno.readDirSync(join(s.folder.path, "outside"));
    assert(secret && Deno.lstatSync(join(s.root, "neighbour/theirs.txt")).isFile);
  });
}

Deno.test("below a link that leaves, what is there and what is not are refused alike", async () => {
  await using s = await setUp();
  const access = s.access();
  for (const folder of ["absolute out", "neighbour", "parent", "top"]) {
    for (const name of ["secret.txt", "theirs.txt", "none", "deep/none", "al/mine.txt", "etc"]) {
      const path = at(`/${folder}/${name}`);
      assertDenied(() => access.stat(path), "forbidden", path);
      assertDenied(() => access.create(path), "forbidden", path);
      assertDenied(() => access.remove(path), "forbidden", path);
    }
  }
});

Deno.test("links inside the scope lead to their targets", async () => {
  await using s = await setUp();
  const access = s.access();
  for (const [path, text] of inside) {
    using file = await access.read(at(`/${path}`)).open();
    const buffer = new Uint8Array(64);
    const length = await file.read(buffer);
    assert.equal(new TextDecoder().decode(buffer.subarray(0, length ?? 0)), text, path);
  }
});

Deno.test("a broken link inside is known as such, and nothing can be read through it", async () => {
  await using s = await setUp();
  const access = s.access();
  for (const name of broken) {
    const entry = access.stat(at(`/${name}`));
    assert(entry.isBroken && entry.isLink && !entry.isFile && !entry.isFolder, name);
    assertDenied(() => access.read(at(`/${name}`)), "not_found");
    assertDenied(() => access.stat(at(`/${name}/below`)), "not_found");
    assertDenied(() => access.create(at(`/${name}/below`)), "exists");
  }
});

Deno.test("of a link that leaves, a folder tells no more than that it is there", async () => {
  await using s = await setUp();
  const { children, denied } = s.access().folder(at("/")).read();
  const leaving = children.filter(({ target }) => target?.kind === "outside");
  assert.deepEqual(leaving.map(({ name }) => name).sort(), escaping.toSorted());
  for (const child of leaving) {
    const target = { kind: "outside" };
    assert.deepEqual(child, { name: child.name, kind: "link", isFolder: false, target });
  }
  const others = children.filter((child) => !leaving.includes(child)).map(({ name }) => name);
  const kept = [...inside.map(([path]) => path.split("/")[0]), ...broken, "mine.txt", "sub"];
  assert.deepEqual(others.sort(), [...new Set(kept)].sort());
  assert.equal(denied, 0);
});

Deno.test("removing a link leaves its target, also when it is broken or leads to a folder", async () => {
  await using s = await setUp();
  const listingWorker = openListingWorker();
  const access = s.access();
  for (const name of ["to file", "to folder", "nested", ...broken]) {
    await removeEntry(access, listingWorker, at(`/${name}`));
    assert.throws(() => Deno.lstatSync(join(s.scope, name)), Deno.errors.NotFound);
  }
  assert.equal(Deno.readTextFileSync(join(s.scope, "mine.txt")), "mine");
  assert.equal(Deno.readTextFileSync(join(s.scope, "sub/below.txt")), "below");
});

Deno.test("writing through a link changes the target and keeps the link", async () => {
  await using s = await setUp();
  const body = new Blob(["new"]).stream();
  await uploadFile(s.access(), at("/link to link"), body, { override: true });
  assert(Deno.lstatSync(join(s.scope, "link to link")).isSymlink);
  assert(Deno.lstatSync(join(s.scope, "to file")).isSymlink);
  assert.equal(Deno.readTextFileSync(join(s.scope, "mine.txt")), "new");
});

Deno.test("a share is bounded by the shared folder, not by the owner's scope", async () => {
  await using s = await setUp();
  Deno.symlinkSync("../mine.txt", join(s.scope, "sub/out of the share"));
  Deno.symlinkSync("below.txt", join(s.scope, "sub/in the share"));
  const share = s.access({ base: at("/sub") });
  assertDenied(() => share.stat(at("/out of the share")), "forbidden");
  assertDenied(() => share.stat(at("/mine.txt")), "not_found");
  assert(share.stat(at("/in the share")).isFile);
  assert.deepEqual(
    share.folder(at("/")).read().children
      .map(({ name, target }) => [name, target?.kind]).sort(),
    [["below.txt", undefined], ["in the share", "inside"], ["out of the share", "outside"]],
  );
});

Deno.test("a shared file is its own root, and a shared link is what it leads to", async () => {
  await using s = await setUp();
  const share = s.access({ base: at("/to file") });
  assert.equal(share.stat(at("/")).info.size, 4);
  assertDenied(() => share.stat(at("/below")), "not_found");
  assertDenied(() => s.access({ base: at("/relative out") }).stat(at("/")), "forbidden");
  assertDenied(() => s.access({ base: at("/gone") }).stat(at("/")), "not_found");
});

Deno.test("a scope is not reached through a link, not even one that stays in the root", async () => {
  await using s = await setUp();
  Deno.symlinkSync("al", join(s.root, "alias"));
  Deno.symlinkSync("../outside", join(s.root, "escape"));
  assertDenied(() => enter(s.root, { scope: "/alias" }).stat(at("/mine.txt")), "forbidden");
  assertDenied(() => enter(s.root, { scope: "/alias/sub" }).stat(at("/")), "forbidden");
  assertDenied(() => enter(s.root, { scope: "/escape" }).stat(at("/")), "forbidden");
  assertDenied(() => enter(s.root, { scope: "/escape" }).stat(at("/secret.txt")), "forbidden");
  assertDenied(() => enter(s.root, { scope: "/../outside" }).stat(at("/")), "forbidden");
  assertDenied(() => enter(s.root, { scope: "/nobody" }).stat(at("/")), "not_found");
  for (const scope of ["", ".", "/", "./"]) assert(enter(s.root, { scope }).stat(at("/al")));
});
