import assert from "node:assert/strict";
import { FactsTable } from "../../../lib/server/files/listing/facts_table.ts";
import { entriesOf, JsonEntries } from "../../../lib/server/files/listing/json_entries.ts";
import { NameTable } from "../../../lib/server/files/listing/name_table.ts";
import { TextPages } from "../../../lib/server/files/listing/text_pages.ts";
import { Pauses } from "../../../lib/server/core/concurrency/pauses.ts";
import { earliestTime, latestTime } from "../../../lib/shared/time.ts";
import { fc } from "../../support/run/property.ts";
import { at } from "../core/access/visitors.ts";

const name = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 40 }),
  fc.constantFrom("a.TXT", "a.jpg", "x.", ".x", "..b", "README", "a.a.b", "a.jpegxl", '"\\.mp4'),
  fc.tuple(fc.string(), fc.constantFrom("ts", "TAR.gz", "c", "djvu", "\u017f", "\uef80", "5"))
    .map(([start, extension]) => `${start}.${extension}`),
);
const entry = fc.record({
  name,
  kind: fc.constantFrom("file", "folder", "other"),
  size: fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 9, 10, 10 * 2 ** 20, 2 ** 30, 2 ** 31)),
  time: fc.oneof(
    fc.integer({ min: earliestTime, max: latestTime }),
    fc.constantFrom(earliestTime, -1, 0, latestTime),
    fc.constant(NaN),
  ),
  mode: fc.integer({ min: 0, max: 0o177777 }),
  isShared: fc.boolean(),
});
const folder = fc.constantFrom("/", "/a", '/a "quoted"/\\/日本', `/${"long".repeat(20_000)}`);

Deno.test("JsonEntries writes what JSON.stringify() writes", async () => {
  const entries = fc.array(entry, { minLength: 40, maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(entries, folder, fc.boolean(), async (entries, folder, canModify) => {
      const children = entries.map(({ name, kind }) => (
        { name, kind, isFolder: kind === "folder", target: null } as const
      ));
      const names = await NameTable.of([children], new Pauses());
      const facts = new FactsTable(entries.length);
      for (const [row, { kind, size, time, mode }] of entries.entries()) {
        const kinds = { isDirectory: kind === "folder", isFile: kind === "file" };
        facts.set(row, { ...kinds, size, mtime: new Date(time), mode });
      }
      const pages = new TextPages();
      const written = new JsonEntries(pages, at(folder), canModify);
      const entryAt = entriesOf(at(folder), canModify);
      const expected: unknown[] = [];
      for (const [row, { isShared }] of entries.entries()) {
        written.add(names, row, facts, row, isShared);
        expected.push(entryAt(names, row, facts, row, isShared));
      }
      const text = await new Response(new Blob(pages.end())).text();
      assert.equal(`[${text}]`, JSON.stringify(expected));
    }),
  );
});
