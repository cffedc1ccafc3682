import assert from "node:assert/strict";
import type { Access } from "../../../../lib/server/core/access/access.ts";
import type { Permissions } from "../../../../lib/shared/schemas/rights.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { assertDenied, at, enter, userPermissions } from "./visitors.ts";

const operations: [string, (access: Access) => unknown, (keyof Permissions)[]][] = [
  ["stat", (access) => access.stat(at("/a.txt")), []],
  ["folder", (access) => access.folder(at("/")), []],
  ["peek", (access) => access.peek(at("/a.txt")), []],
  ["read", (access) => access.read(at("/a.txt")), ["download"]],
  ["create", (access) => access.create(at("/new")), ["create"]],
  ["replace", (access) => access.replace(at("/a.txt")), ["create", "modify"]],
  ["modify", (access) => access.modify(at("/a.txt")), ["modify"]],
  ["remove", (access) => access.remove(at("/a.txt")), ["delete"]],
  ["rename", (access) => access.rename(at("/a.txt")), ["rename"]],
];

const names = Object.keys(userPermissions) as (keyof Permissions)[];
const none = Object.fromEntries(names.map((name) => [name, false])) as unknown as Permissions;

for (const [name, operate, needed] of operations) {
  Deno.test(`${name}() needs ${needed.join(" and ") || "no permission"}`, async () => {
    await using folder = await temporaryFolder();
    await plant(folder.path, { "a.txt": "a" });
    for (const missing of needed) {
      const perm = { ...userPermissions, [missing]: false };
      assertDenied(() => operate(enter(folder.path, { perm })), "forbidden", missing);
    }
    const granted = Object.fromEntries(needed.map((permission) => [permission, true]));
    operate(enter(folder.path, { perm: { ...none, ...granted } }));
    operate(enter(folder.path, { perm: { ...none, admin: true } }));
  });
}

Deno.test("the root of the scope is neither removed nor renamed", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { al: {} });
  for (const scope of ["/", "/al"]) {
    const access = enter(folder.path, { scope, perm: { admin: true } });
    assertDenied(() => access.remove(at("/")), "forbidden");
    assertDenied(() => access.rename(at("/")), "forbidden");
  }
});

Deno.test("what is missing is not found, once the viewer may know", async () => {
  await using folder = await temporaryFolder();
  const access = enter(folder.path);
  for (const operate of ["stat", "read", "folder", "modify", "remove", "rename"] as const) {
    assertDenied(() => access[operate](at("/none")), "not_found", operate);
  }
  assertDenied(() => access.stat(at("/none/below")), "not_found");
  assert.equal(access.create(at("/none")).existing, null);
});

Deno.test("a root that disappears is not found, and comes back", async () => {
  const folder = await temporaryFolder();
  await plant(folder.path, { "a.txt": "a" });
  const access = enter(folder.path);
  await folder[Symbol.asyncDispose]();
  for (const path of ["/", "/a.txt"]) {
    assertDenied(() => access.stat(at(path)), "not_found", path);
    assertDenied(() => access.create(at(path)), "not_found", path);
    assertDenied(() => access.folder(at(path)), "not_found", path);
  }
  await Deno.mkdir(folder.path);
  await plant(folder.path, { "a.txt": "a" });
  assert(access.stat(at("/a.txt")).isFile);
  await folder[Symbol.asyncDispose]();
});

Deno.test("a root that is the whole disk bounds a scope as any other does", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { al: { "a.txt": "a" }, "b.txt": "b" });
  Deno.symlinkSync("../b.txt", `${folder.path}/al/out`);
  Deno.symlinkSync(`${folder.path}/al/a.txt`, `${folder.path}/al/in`);
  const access = enter("/", { scope: `${folder.path}/al` });
  assertDenied(() => access.stat(at("/out")), "forbidden");
  assertDenied(() => access.stat(at("/b.txt")), "not_found");
  assert(access.stat(at("/in")).isFile);
  assert(enter("/").stat(at(`${folder.path}/al/out`)).isFile);
  assert.equal(enter("/").create(at(`${folder.path}/new`)).folderBelowRoot, folder.path);
});
