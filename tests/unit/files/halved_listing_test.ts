/** Listings of which another thread describes half. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeFolder, encodePart } from "../../../lib/server/files/listing/folder_resource.ts";
import type { DescribeElsewhere, ListOptions } from "../../../lib/server/files/listing/listing.ts";
import { Pauses } from "../../../lib/server/core/concurrency/pauses.ts";
import { memoryPlace, temporaryFolder } from "../../support/disks/files.ts";
import { at, enter } from "../core/access/visitors.ts";

const count = 20_100;
const nameOf = (number: number) => `${number} ${["é.txt", '".jpg', ".TXT", ""][number % 4]}`;

Deno.test("half of a large folder is described elsewhere, to the same JSON", async (t) => {
  await using root = await temporaryFolder(memoryPlace());
  const large = join(root.path, "large");
  Deno.mkdirSync(large);
  for (let number = 0; number < count; number++) {
    if (number % 10 === 0) Deno.mkdirSync(join(large, nameOf(number)));
    else Deno.writeTextFileSync(join(large, nameOf(number)), nameOf(number));
  }
  const access = enter(root.path);
  const sorting = { by: "name", asc: true } as const;
  const list = async (elsewhere?: DescribeElsewhere, options: Partial<ListOptions> = {}) => {
    const wanted = { sorting, shared: new Set([nameOf(1), nameOf(20_001)]), ...options };
    const path = at("/large");
    const pages = await encodeFolder(access, path, wanted, new Pauses(), undefined, {
      describe: elsewhere,
    });
    return await new Response(new Blob(pages)).text();
  };
  let parts = 0;
  const elsewhere: DescribeElsewhere = (part) => {
    parts++;
    return encodePart(access, structuredClone(part), new Pauses());
  };
  // The texts are too long for a message that shows both.
  const assertSame = (a: string, b: string) => assert.ok(a === b);

  await t.step("in both directions, and in large windows", async () => {
    for (const options of [{}, { sorting: { by: "name", asc: false } as const }, { offset: 100 }]) {
      assertSame(await list(elsewhere, options), await list(undefined, options));
    }
    assert.equal(parts, 3);
  });

  await t.step("small windows, other orders and folders with links are not halved", async () => {
    const others: Partial<ListOptions>[] = [{ limit: 50 }, { sorting: { by: "size", asc: true } }];
    for (const options of others) {
      assertSame(await list(elsewhere, options), await list(undefined, options));
    }
    Deno.symlinkSync("/etc", join(large, "link"));
    assertSame(await list(elsewhere), await list());
    Deno.removeSync(join(large, "link"));
    assert.equal(parts, 3);
  });

  await t.step("a thread that is not ready, or fails, only makes it slower", async () => {
    const others: DescribeElsewhere[] = [
      () => null,
      () => Promise.resolve(null),
      () => Promise.reject(new Error("its thread stopped")),
    ];
    for (const other of others) assertSame(await list(other), await list());
  });

  await t.step("a folder that was replaced meanwhile is not described", async () => {
    const replaced: DescribeElsewhere = async (part) => {
      Deno.renameSync(large, `${large} before`);
      Deno.mkdirSync(large);
      try {
        const pages = await encodePart(access, structuredClone(part), new Pauses());
        assert.equal(pages, null);
        return pages;
      } finally {
        Deno.removeSync(large);
        Deno.renameSync(`${large} before`, large);
      }
    };
    assertSame(await list(replaced), await list());
  });

  await t.step("entries that vanish meanwhile are not counted", async () => {
    const going: DescribeElsewhere = async (part) => {
      Deno.removeSync(join(large, nameOf(20_097)));
      Deno.removeSync(join(large, nameOf(20_090)));
      return await elsewhere(part);
    };
    const { items, numDirs, numFiles } = JSON.parse(await list(going));
    assert.deepEqual([items.length, numDirs, numFiles], [
      count - 2,
      count / 10 - 1,
      count * 0.9 - 1,
    ]);
  });
});
