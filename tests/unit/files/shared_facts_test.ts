/** Listings of huge folders, of which another thread reads some of the facts. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeFolder } from "../../../lib/server/files/listing/folder_resource.ts";
import {
  type ReadElsewhere,
  readSentEntries,
} from "../../../lib/server/files/listing/read_facts.ts";
import { NameTable } from "../../../lib/server/files/listing/name_table.ts";
import { Pauses } from "../../../lib/server/core/concurrency/pauses.ts";
import { memoryPlace, temporaryFolder } from "../../support/disks/files.ts";
import { at, enter } from "../core/access/visitors.ts";

/** Three portions. */
const count = 2 * 65_536 + 1_000;

Deno.test("facts of a huge folder are read elsewhere, to the same JSON", async (t) => {
  await using root = await temporaryFolder(memoryPlace());
  const huge = join(root.path, "huge");
  Deno.mkdirSync(huge);
  for (let number = 0; number < count; number++) {
    if (number % 1_000 === 0) Deno.mkdirSync(join(huge, `${number}`));
    else Deno.writeTextFileSync(join(huge, `${number}`), number % 7 === 0 ? `${number}` : "");
  }
  const access = enter(root.path);
  const sortings = [{ by: "name", asc: true }, { by: "size", asc: false }] as const;
  const list = async (readFacts?: ReadElsewhere, by = 0) => {
    const options = { sorting: sortings[by] ?? sortings[0] };
    const helper = { readFacts };
    const path = at("/huge");
    const pages = await encodeFolder(access, path, options, new Pauses(), undefined, helper);
    return await new Response(new Blob(pages)).text();
  };
  let portions = 0;
  const elsewhere: ReadElsewhere = (entries) => {
    portions++;
    return readSentEntries(access, structuredClone(entries), new Pauses());
  };
  // The texts are too long for a message that shows both.
  const assertSame = (a: string, b: string) => assert.ok(a === b);

  await t.step("in each order", async () => {
    for (const by of sortings.keys()) {
      assertSame(await list(elsewhere, by), await list(undefined, by));
    }
    assert.ok(portions >= 2 && portions <= 4, `${portions}`);
  });

  await t.step("a thread that is not ready, or fails, only makes it slower", async () => {
    let calls = 0;
    const failsLater: ReadElsewhere = (entries) => calls++ === 0 ? elsewhere(entries) : null;
    const others: ReadElsewhere[] = [
      () => null,
      () => Promise.resolve(null),
      () => Promise.reject(new Error("its thread stopped")),
      failsLater,
    ];
    const expected = await list();
    for (const other of others) assertSame(await list(other), expected);
  });

  await t.step("a folder that was replaced meanwhile is not read", async () => {
    const expected = await list();
    const replaced: ReadElsewhere = async (entries) => {
      Deno.renameSync(huge, `${huge} before`);
      Deno.mkdirSync(huge);
      try {
        const bytes = await readSentEntries(access, structuredClone(entries), new Pauses());
        assert.equal(bytes, null);
        return bytes;
      } finally {
        Deno.removeSync(huge);
        Deno.renameSync(`${huge} before`, huge);
      }
    };
    assertSame(await list(replaced), expected);
  });

  await t.step("entries that vanish meanwhile are not counted", async () => {
    let isFirst = true;
    const going: ReadElsewhere = (entries) => {
      const names = NameTable.received(entries.names);
      for (const number of isFirst ? [0, 1] : []) {
        Deno.removeSync(join(huge, names.name(number)));
      }
      isFirst = false;
      return elsewhere(entries);
    };
    const { items, numDirs, numFiles } = JSON.parse(await list(going));
    assert.equal(items.length, count - 2);
    assert.equal(numDirs + numFiles, count - 2);
  });
});
