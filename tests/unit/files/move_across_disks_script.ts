/** Copies and moves between two disks, the second of which has 2 MiB and lies at `m/disk`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { assertDeniedLater } from "../core/access/visitors.ts";
import { assertUntouched, describe, setUp } from "./transfers.ts";

const [folder = ""] = Deno.args;
await using s = await setUp({
  "a.txt": "a",
  tree: { "x.txt": "x", deep: { "y.sh": "y" }, empty: {} },
  linked: { "x.txt": "x", deep: {} },
  piped: { "x.txt": "x", deep: {} },
  large: { first: "first", deep: { "large.bin": "" } },
  many: {},
}, folder);
s.link("../x.txt", "linked/deep/link");
await new Deno.Command("mkfifo", { args: [s.path("piped/deep/pipe")] }).output();
Deno.writeFileSync(s.path("large/deep/large.bin"), new Uint8Array(3_000_000).fill(7));
for (let index = 0; index < 300; index++) Deno.writeTextFileSync(s.path("many", `${index}`), "");
const disk = s.path("m/disk");
const all = () => [...describe(folder)];
const names = () => [...Deno.readDirSync(disk)].map(({ name }) => name).sort();

await assertUntouched({ tree: all }, async () => {
  for (const transfer of [s.copy, s.move]) {
    await assertDeniedLater(transfer("/large", "/m/disk/new/large"), "disk_full");
    await assertDeniedLater(transfer("/large/deep/large.bin", "/m/disk/l"), "disk_full");
    const gone = transfer("/large", "/m/disk/large", { signal: AbortSignal.abort() });
    await assert.rejects(gone, { name: "AbortError" });
  }
});

// All but the pipe, which stays with the folders above it.
await s.move("/piped", "/m/disk/piped");
assert.deepEqual(names(), ["piped"]);
assert.equal(Deno.readTextFileSync(join(disk, "piped/x.txt")), "x");
assert.ok(Deno.lstatSync(s.path("piped/deep/pipe")).isFifo);
assert.throws(() => Deno.lstatSync(s.path("piped/x.txt")), Deno.errors.NotFound);
await Deno.remove(join(disk, "piped"), { recursive: true });

Deno.chmodSync(s.path("tree/deep/y.sh"), 0o750);
Deno.chmodSync(s.path("tree/deep"), 0o500);
Deno.utimeSync(s.path("tree/x.txt"), 1_000_000_000, 1_234_567_890.125);
const tree = [...describe(s.path("tree"))];
assert.equal(await s.move("/tree", "/m/disk/on/the/way"), "/m/disk/on/the/way");
assert.deepEqual([...describe(join(disk, "on/the/way"))], tree);
assert.throws(() => Deno.lstatSync(s.path("tree")), Deno.errors.NotFound);
assert.equal(await s.move("/m/disk/on/the/way", "/tree"), "/tree");
assert.deepEqual([...describe(s.path("tree"))], tree);
assert.deepEqual([...describe(disk, false)], ["on/ 755", "on/the/ 755"]);

s.link("/usr/bin/env", "linked/out");
await s.copy("/linked", "/m/disk/linked");
await s.move("/linked/deep/link", "/m/disk/linked/moved");
assert.deepEqual([...describe(join(disk, "linked"), false)], [
  "deep/ 755",
  "deep/link -> ../x.txt",
  "moved -> ../x.txt",
  "out -> /usr/bin/env",
  "x.txt 644: x",
]);
assert.deepEqual([...describe(s.path("linked"), false)], [
  "deep/ 755",
  "out -> /usr/bin/env",
  "x.txt 644: x",
]);
await s.move("/m/disk/linked", "/linked again");
await s.move("/linked", "/m/disk/linked");
assert.equal(Deno.readLinkSync(join(disk, "linked/out")), "/usr/bin/env");
await s.move("/m/disk/linked", "/linked");

await s.move("/a.txt", "/m/disk/a.txt");
assert.equal(await s.copy("/m/disk/a.txt", "/m/disk/a.txt", { rename: true }), "/m/disk/a(1).txt");
await s.move("/m/disk/a(1).txt", "/a.txt");
Deno.writeTextFileSync(s.path("a.txt"), "newer");
await assertDeniedLater(s.move("/a.txt", "/m/disk/a.txt"), "exists");
await s.move("/a.txt", "/m/disk/a.txt", { override: true });
assert.equal(s.text("m/disk/a.txt"), "newer");
assert.throws(() => Deno.lstatSync(s.path("a.txt")), Deno.errors.NotFound);

Deno.mkdirSync(s.path("more/deep"), { recursive: true });
Deno.writeTextFileSync(s.path("more/x.txt"), "more");
Deno.writeTextFileSync(s.path("more/deep/z"), "z");
await s.copy("/tree", "/m/disk/tree");
await s.move("/more", "/m/disk/tree", { override: true });
assert.equal(s.text("m/disk/tree/x.txt") + s.text("m/disk/tree/deep/z"), "morez");
assert.equal(s.text("m/disk/tree/deep/y.sh"), "y");
assert.throws(() => Deno.lstatSync(s.path("more")), Deno.errors.NotFound);

await s.move("/many", "/m/disk/many");
assert.equal([...Deno.readDirSync(join(disk, "many"))].length, 300);
assert.deepEqual(names(), ["a.txt", "many", "on", "tree"]);

// A folder that takes another in holds a disk of its own: that is said before anything is done.
Deno.mkdirSync(s.path("from/disk"), { recursive: true });
Deno.writeTextFileSync(s.path("from/a"), "a");
await assertUntouched({ tree: all }, async () => {
  for (const transfer of [s.copy, s.move]) {
    await assertDeniedLater(transfer("/from", "/m", { override: true }), "not_supported");
  }
  await assertDeniedLater(s.move("/m", "/tree", { override: true }), "not_supported");
  await assertDeniedLater(s.move("/m/disk", "/n"), "forbidden");
});
