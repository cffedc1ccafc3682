import assert from "node:assert/strict";
import { join } from "node:path";
import type { ListOptions } from "../../../../lib/server/files/listing/listing.ts";
import { assertDeniedLater, at, enter } from "../../core/access/visitors.ts";
import { setUp } from "./set_up.ts";

/** More than a few chunks of names, and more than one call of the system gives. */
const count = 9_000;

/** A name by its number: also those that are cut or escaped wrongly if anything is. */
function nameOf(number: number): string {
  const ending = [".txt", ".JPG", " 日本.pdf", ' "\\.mp4', "\n", ""][number % 6];
  return `${"long ".repeat(number % 9)}${number}${ending}`;
}

const sizeOf = (number: number) => number % 97;

Deno.test("a large folder is listed as its entries are, whole and in windows", async (t) => {
  await using s = await setUp({ large: { "a folder": {}, "b folder": {} }, target: "four" });
  const large = join(s.root, "large");
  for (let number = 0; number < count; number++) {
    Deno.writeFileSync(join(large, nameOf(number)), new Uint8Array(sizeOf(number)));
    Deno.utimeSync(join(large, nameOf(number)), number, 1_600_000_000 + number);
  }
  Deno.symlinkSync("../target", join(large, "a link"));
  Deno.symlinkSync("/etc", join(large, "a link that leads out"));
  const list = async (options: Partial<ListOptions> = {}) => {
    const { items, ...rest } = await s.list("/large", options);
    return { items: items ?? [], ...rest };
  };
  const whole = await list();

  await t.step("each entry has its own facts, in one listing and in small windows", async () => {
    assert.deepEqual([whole.numDirs, whole.numFiles], [2, count + 2]);
    assert.equal(new Set(whole.items.map(({ name }) => name)).size, count + 4);
    const byName = new Map(whole.items.map((item) => [item.name, item]));
    for (let number = 0; number < count; number++) {
      const { size, modified, path, isSymlink } = byName.get(nameOf(number)) ?? {};
      assert.deepEqual({ size, modified, path, isSymlink }, {
        size: sizeOf(number),
        modified: new Date((1_600_000_000 + number) * 1000).toISOString(),
        path: `/large/${nameOf(number)}`,
        isSymlink: false,
      });
    }
    assert.deepEqual([byName.get("a link")?.size, byName.get("a link")?.isSymlink], [4, true]);
    assert.equal(byName.get("a link that leads out")?.type, "invalid_link");
    for (const offset of [0, 40, 4_000, 4_090, 8_180, count - 20]) {
      const { items } = await list({ offset, limit: 50 });
      assert.deepEqual(items, whole.items.slice(offset, offset + 50));
    }
  });

  await t.step("in parts it is the same text, and is refused before the first", async () => {
    const sorting = { by: "name", asc: true } as const;
    const args = { access: enter(s.root), path: at("/large"), options: { sorting } };
    const pages = await s.listingWorker.list(args);
    const { stream } = await s.listingWorker.listInParts(args);
    const text = await new Response(stream.read()).text();
    assert.ok(text === await new Response(new Blob(pages)).text());
    const none = { ...args, path: at("/none") };
    await assertDeniedLater(s.listingWorker.listInParts(none), "not_found");
  });

  await t.step("a reader of parts that leaves ends its listing alone", async () => {
    const sorting = { by: "name", asc: true } as const;
    const args = { access: enter(s.root), path: at("/large"), options: { sorting } };
    const reader = (await s.listingWorker.listInParts(args)).stream.read().getReader();
    assert.ok((await reader.read()).value);
    await reader.cancel();
    assert.equal(s.listingWorker.load, 0);
    assert.equal((await list()).items.length, whole.items.length);
  });

  await t.step("either direction begins with the folders, as often as asked", async () => {
    const [folders, files] = [whole.items.slice(0, 2), whole.items.slice(2)];
    const down = [...folders.toReversed(), ...files.toReversed()].map(({ name }) => name);
    for (const asc of [false, true, false]) {
      const { items } = await list({ sorting: { by: "name", asc }, limit: 3_000 });
      const expected = asc ? whole.items.map(({ name }) => name) : down;
      assert.deepEqual(items.map(({ name }) => name), expected.slice(0, 3_000));
    }
    // What leads out is sorted by the size of the link, and shown without.
    const sizes = (items: typeof files) =>
      items.filter(({ type }) => type !== "invalid_link").map(({ size }) => size);
    const { items } = await list({ sorting: { by: "size", asc: true }, offset: 2 });
    assert.deepEqual(sizes(items), sizes(files).sort((a, b) => a - b));
  });

  await t.step("a window is found by a whole name alone", async () => {
    const at = async (around: string) => (await list({ around, limit: 10, offset: 5 })).offset;
    for (const [index, { name }] of whole.items.entries()) {
      if (index % 500 === 0) assert.equal(await at(name), index - index % 10, name);
    }
    const [first, second] = [nameOf(6), nameOf(7)];
    const both = [`${first}\0${second}`, `${second}\0${first}`];
    for (const around of [first.slice(1), first.slice(0, -1), "", ...both]) {
      assert.equal(await at(around), 5, JSON.stringify(around));
    }
  });

  await t.step("pictures are counted, with a filter and without", async () => {
    for (let round = 0; round < 2; round++) {
      assert.equal((await list({ countsPictures: true, limit: 1 })).pictures, count / 3);
      const { pictures, numFiles } = await list({ countsPictures: true, filter: "jpg", limit: 1 });
      assert.deepEqual([pictures, numFiles], [count / 6, count / 6]);
    }
  });
});
