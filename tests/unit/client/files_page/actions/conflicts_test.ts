import assert from "node:assert/strict";
import { childOf, parsePath } from "../../../../../lib/shared/path.ts";
import {
  canReplace,
  findConflicts,
  isIdentical,
  merges,
} from "../../../../../lib/client/files_page/actions/conflicts.ts";
import { fileNamed, folderOf, manyNames, speakTo } from "../../support.ts";

const to = parsePath("/to").path;
const from = parsePath("/from").path;
const file = { isDir: false, size: 1, modified: "2026-10-05T12:00:00Z" };
const folder = { ...file, isDir: true };

Deno.test("a folder does not replace a file, nor a file a folder", () => {
  assert.ok(canReplace({ name: "a", coming: file, there: file }));
  assert.ok(canReplace({ name: "a", coming: folder, there: folder }));
  assert.ok(canReplace({ name: "a" }));
  assert.ok(!canReplace({ name: "a", coming: folder, there: file }));
  assert.ok(!canReplace({ name: "a", coming: file, there: folder }));
});

Deno.test("only folders are merged, into folders", () => {
  assert.ok(merges({ name: "a", coming: folder, there: folder }));
  assert.ok(merges({ name: "a", coming: folder }));
  assert.ok(!merges({ name: "a", coming: file, there: file }));
  assert.ok(!merges({ name: "a", coming: folder, there: file }));
});

Deno.test("files of one size and one time, to the second, are identical", () => {
  const identical = (more: object) =>
    isIdentical({ name: "a", coming: file, there: { ...file, ...more } });
  assert.ok(identical({}));
  assert.ok(identical({ modified: "2026-10-05T14:00:00.999+02:00" }));
  assert.ok(!identical({ modified: "2026-10-05T12:00:01Z" }));
  assert.ok(!identical({ size: 2 }));
  assert.ok(!identical({ isDir: true }));
  assert.ok(!isIdentical({ name: "a", coming: folder, there: folder }));
  assert.ok(!isIdentical({ name: "a", coming: { ...file, modified: "" }, there: file }));
  assert.ok(!isIdentical({ name: "a", there: file }));
});

Deno.test("findConflicts() reads a small folder once, and tells what is there", async () => {
  await using spoken = speakTo(({ query }) => Response.json(folderOf(["a", "b"], query, "/to")));
  const paths = ["a", "c"].map((name) => childOf(from, name));
  const found = await findConflicts(spoken.api, to, paths, () => file);
  const contents = ["/from/a", "/to/a"];
  assert.deepEqual(found, [{ name: "a", coming: file, there: fileNamed("a", "/to"), contents }]);
  assert.deepEqual(spoken.heard.map(({ method }) => method), ["GET"]);
});

Deno.test("findConflicts() asks for each name where the folder is large", async () => {
  await using spoken = speakTo(({ method, path, query }) => {
    if (method !== "HEAD") return Response.json(folderOf(manyNames(5000), query, "/to"));
    return new Response(null, { status: path.endsWith("/a") ? 200 : 404 });
  });
  const paths = ["a", "c"].map((name) => childOf(from, name));
  const found = await findConflicts(spoken.api, to, paths, () => undefined);
  assert.deepEqual(found.map(({ name }) => name), ["a"]);
});
