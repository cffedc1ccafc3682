import assert from "node:assert/strict";
import {
  ArchiveContents,
  type ArchiveWindow,
} from "../../../../../lib/client/screens/preview/archive/archive_contents.ts";
import { type EntryPath, parsePath, ROOT } from "../../../../../lib/shared/path.ts";
import { failure, type Result, success } from "../../../../../lib/shared/result.ts";
import type { ArchiveFolder, ArchiveReading } from "../../../../../lib/shared/schemas/archive.ts";

const archive = parsePath("/a.zip").path;

/** A server with an archive of so many files in each folder. */
function serverOf(count: number, reading = 0) {
  const asked: ArchiveWindow[] = [];
  let left = reading;
  return {
    asked,
    list(
      _: EntryPath,
      window: ArchiveWindow,
    ): Promise<Result<ArchiveFolder | ArchiveReading>> {
      asked.push(window);
      if (left-- > 0) return Promise.resolve(success({ reading: { bytes: left, size: 10 } }));
      const { inside: path, offset, limit, sorting } = window;
      const items = Array.from({ length: Math.min(limit, count - offset) }, (_, index) => ({
        ...{ name: `f${offset + index}`, path: `${path === "/" ? "" : path}/f${offset + index}` },
        ...{ kind: "file" as const, type: "text" as const, extension: "", size: 1 },
        ...{ modified: null, encrypted: false },
      }));
      const facts = { numDirs: 0, numFiles: count, offset, size: count, total: count };
      const order = sorting ?? { by: "name" as const, asc: true };
      const refused = { count: 0, entries: [] };
      return Promise.resolve(success({ path, ...facts, sorting: order, refused, items }));
    },
  };
}

Deno.test("an archive that is being read tells how far it is, until its rows are there", async () => {
  const server = serverOf(3, 2);
  const contents = new ArchiveContents(server, archive);
  const seen: unknown[] = [];
  contents.state.subscribe((state) => seen.push(state));
  await contents.open(ROOT);
  assert.deepEqual(seen, [
    { is: "reading", progress: null },
    { is: "reading", progress: null },
    { is: "reading", progress: { bytes: 1, size: 10 } },
    { is: "reading", progress: { bytes: 0, size: 10 } },
    { is: "ready" },
  ]);
  assert.equal(contents.rows.value.length, 3);
});

Deno.test("more rows are added once, and none after the last", async () => {
  const server = serverOf(700);
  const contents = new ArchiveContents(server, archive);
  await contents.open(ROOT);
  assert.equal(contents.rows.value.length, 500);
  await Promise.all([contents.more(), contents.more()]);
  assert.equal(contents.rows.value.length, 700);
  const { length } = server.asked;
  await contents.more();
  assert.equal(server.asked.length, length);
});

Deno.test("the selection ends with its folder, and stays when rows are sorted", async () => {
  const contents = new ArchiveContents(serverOf(3), archive);
  await contents.open(ROOT);
  const [first] = contents.rows.value;
  assert.ok(first);
  contents.toggle(first);
  await contents.sortBy("size");
  assert.deepEqual([...contents.selected.value], ["/f0"]);
  assert.deepEqual(contents.folder.value?.sorting, { by: "size", asc: true });
  await contents.sortBy("size");
  assert.deepEqual(contents.folder.value?.sorting, { by: "size", asc: false });
  await contents.open(parsePath("/deep").path);
  assert.equal(contents.selected.value.size, 0);
  contents.toggleAll();
  assert.equal(contents.selected.value.size, 3);
  contents.toggleAll();
  assert.equal(contents.selected.value.size, 0);
});

Deno.test("the way up leads from a file to its folder, then above, and ends at the top", async () => {
  const contents = new ArchiveContents(serverOf(1), archive);
  await contents.open(parsePath("/deep").path);
  const [file] = contents.rows.value;
  assert.ok(file);
  contents.show(file);
  assert.ok(contents.up() && contents.opened.value === null);
  assert.ok(contents.up());
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(contents.folder.value?.path, "/");
  assert.ok(!contents.up());
});

Deno.test("an archive that can't be read says why", async () => {
  const why = failure(422, "broken_archive", "Cannot read the archive");
  const contents = new ArchiveContents({ list: () => Promise.resolve(why) }, archive);
  await contents.open(ROOT);
  assert.deepEqual(contents.state.value, { is: "failed", why });
});
