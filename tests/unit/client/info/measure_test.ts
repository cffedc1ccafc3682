import assert from "node:assert/strict";
import { ROOT } from "../../../../lib/shared/path.ts";
import type { Entry } from "../../../../lib/shared/api_types.ts";
import { measureFolder } from "../../../../lib/client/info/measure.ts";
import { fileNamed, folderOf, manyNames, speakTo } from "../support.ts";

const dir = (name: string, more: Partial<Entry> = {}): Entry => ({
  ...fileNamed(name),
  isDir: true,
  ...more,
});

function server(folders: Record<string, Entry[]>) {
  return speakTo(({ path, query }) => {
    const items = folders[path.slice("/api/resources".length)];
    if (!items) return new Response(null, { status: 403 });
    const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
    const counts = { numDirs: 0, numFiles: items.length };
    const window = items.slice(offset, offset + limit);
    return Response.json({ ...folderOf([]), ...counts, items: window });
  });
}

const quiet = () => ({ signal: new AbortController().signal, onProgress: () => {} });

Deno.test("measureFolder() adds up everything below, links left out", async () => {
  const many = manyNames(2500).map((name) => fileNamed(name));
  await using spoken = server({
    "/": [dir("a"), dir("link", { isSymlink: true }), fileNamed("f")],
    "/a": [dir("deep"), ...many],
    "/a/deep": [],
  });
  assert.deepEqual(await measureFolder(spoken.api, ROOT, quiet()), {
    bytes: 25_010,
    files: 2501,
    folders: 3,
    unreadable: 0,
  });
});

Deno.test("measureFolder() takes the named entries alone, and counts what can't be read", async () => {
  await using spoken = server({ "/": [dir("shut"), fileNamed("f"), fileNamed("g")] });
  const names = new Set(["shut", "g"]);
  assert.deepEqual(await measureFolder(spoken.api, ROOT, { ...quiet(), names }), {
    bytes: 10,
    files: 1,
    folders: 1,
    unreadable: 1,
  });
});

Deno.test("measureFolder() ends when it is given up", async () => {
  await using spoken = server({ "/": [dir("a")], "/a": [dir("a")] });
  const giving = new AbortController();
  const measuring = measureFolder(spoken.api, ROOT, {
    signal: giving.signal,
    onProgress: () => giving.abort(),
  });
  assert.equal((await measuring).folders, 1);
  assert.equal(spoken.heard.length, 1);
});
