import assert from "node:assert/strict";
import { allow, deny } from "../../support/data/rules.ts";
import { assertDeniedLater } from "../core/access/visitors.ts";
import { assertUntouched, setUp } from "./transfers.ts";

Deno.test("copyEntry() needs create, and modify to replace", async () => {
  await using s = await setUp({ "a.txt": "a", "b.txt": "b" });
  const without = (permission: string) => ({ perm: { [permission]: false } });
  await assertUntouched(s, async () => {
    for (const from of ["/a.txt", "/none"]) {
      await assertDeniedLater(s.copy(from, "/c", { as: without("create") }), "forbidden");
    }
    const as = without("modify");
    await assertDeniedLater(s.copy("/a.txt", "/b.txt", { as, override: true }), "forbidden");
    await assertDeniedLater(s.copy("/a.txt", "/b.txt", { as }), "exists");
  });
  await s.copy("/a.txt", "/c.txt", { as: without("modify") });
  await s.copy("/a.txt", "/d.txt", { as: without("rename") });
  assert.equal(s.text("c.txt") + s.text("d.txt"), "aa");
});

Deno.test("copyEntry() refuses a destination that is the entry or lies in it, by any way", async () => {
  await using s = await setUp({ a: { sub: { "x.txt": "x" } }, "f.txt": "f" });
  s.link("a/sub", "into");
  s.link("a", "twin");
  await assertUntouched(s, async () => {
    for (const override of [false, true]) {
      for (const to of ["/a", "/a/b", "/a/sub", "/a/sub/b/c", "/into/b", "/twin/b"]) {
        await assertDeniedLater(s.copy("/a", to, { override }), "invalid_path", to);
      }
      await assertDeniedLater(s.copy("/f.txt", "/f.txt", { override }), "invalid_path");
      await assertDeniedLater(s.copy("/twin/sub", "/a/sub", { override }), "invalid_path");
    }
    await assertDeniedLater(s.copy("/a/sub", "/a", { override: true }), "invalid_path");
    await assertDeniedLater(s.copy("/a", "/", { override: true }), "forbidden");
    await assertDeniedLater(s.copy("/", "/b"), "forbidden");
  });
});

Deno.test("copyEntry() replaces nothing unless it is told to", async () => {
  await using s = await setUp({ "a.txt": "a", "b.txt": "b", dir: { x: "x" }, other: { y: "y" } });
  s.link("b.txt", "link.txt");
  s.link("none", "broken");
  await assertUntouched(s, async () => {
    for (const to of ["/b.txt", "/dir", "/link.txt", "/broken"]) {
      await assertDeniedLater(s.copy("/a.txt", to), "exists", to);
      await assertDeniedLater(s.copy("/other", to), "exists", to);
    }
    await assertDeniedLater(s.copy("/a.txt", "/b.txt/below"), "exists");
  });
});

Deno.test("copyEntry() never lets one kind of entry replace another", async () => {
  await using s = await setUp({
    "a.txt": "a",
    dir: { x: "x" },
    source: { "new.txt": "new", deep: { meets: "a file" } },
    target: { deep: { meets: { "a.txt": "a folder" } } },
    other: { deep: "a file" },
    linked: { deep: {} },
  });
  s.link("../../a.txt", "linked/deep/meets");
  s.link("a.txt", "link.txt");
  const override = true;
  await assertUntouched(s, async () => {
    await assertDeniedLater(s.copy("/a.txt", "/dir", { override }), "exists");
    await assertDeniedLater(s.copy("/dir", "/a.txt", { override }), "exists");
    await assertDeniedLater(s.copy("/dir", "/link.txt", { override }), "exists");
    await assertDeniedLater(s.copy("/a.txt", "/link.txt", { override }), "exists");
    for (const to of ["/target", "/other", "/linked"]) {
      await assertDeniedLater(s.copy("/source", to, { override }), "exists", to);
    }
  });
});

Deno.test("copyEntry() does nothing when something below is out of reach, here or there", async () => {
  await using s = await setUp({
    a: { "x.txt": "x", deep: { secret: { "y.txt": "y" } }, ".env": "z" },
    b: {},
    "cubby.kv": "store",
  });
  const rules = (...rules: ReturnType<typeof deny>[]) => ({ as: { rules } });
  await assertUntouched(s, async () => {
    const { copy } = s;
    await assertDeniedLater(copy("/a", "/c", rules(deny("/a/deep/secret"))), "forbidden");
    await assertDeniedLater(copy("/a", "/c", rules(deny("/c/deep/secret/y.txt"))), "forbidden");
    await assertDeniedLater(copy("/a", "/b/c", rules(deny("/b/c/x.txt"))), "forbidden");
    await assertDeniedLater(copy("/a", "/c", rules(deny("/c"))), "forbidden");
    const merge = { ...rules(deny("/b/deep")), override: true };
    await assertDeniedLater(copy("/a", "/b", merge), "forbidden");
    await assertDeniedLater(copy("/a", "/c", { as: { hideDotfiles: true } }), "forbidden");
    await assertDeniedLater(copy("/a/x.txt", "/.x", { as: { hideDotfiles: true } }), "forbidden");
  });
  await s.copy("/a", "/c", rules(deny("/c/deep"), allow("/c/deep")));
});

Deno.test("copyEntry() refuses pipes, and to replace one", async () => {
  await using s = await setUp({ a: { "x.txt": "x", deep: {} } });
  await new Deno.Command("mkfifo", { args: [s.path("a/deep/pipe")] }).output();
  await assertUntouched(s, async () => {
    await assertDeniedLater(s.copy("/a/deep/pipe", "/pipe"), "not_a_file");
    await assertDeniedLater(s.copy("/a/x.txt", "/a/deep/pipe", { override: true }), "not_a_file");
  });
});
