import assert from "node:assert/strict";
import { parsePath, ROOT } from "../../../../../lib/shared/path.ts";
import {
  KnownSizes,
  measureFolder,
} from "../../../../../lib/client/files_page/info/FolderTotals.tsx";
import { speakTo } from "../../support.ts";

const size = (bytes: number, isPartial = false) => {
  return { bytes, files: 1, folders: 0, unreadable: 0, isPartial };
};
const signal = () => new AbortController().signal;

/** An answer whose chunks break in the midst of lines. */
function inLines(...sizes: object[]): Response {
  const bytes = new TextEncoder().encode(sizes.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const chunks = [bytes.slice(0, 7), bytes.slice(7, 90), bytes.slice(90)];
  return new Response(ReadableStream.from(chunks));
}

Deno.test("measureFolder() tells of the totals on the way, and resolves to the last", async () => {
  const paths: string[] = [];
  await using spoken = speakTo(({ path }) => {
    paths.push(path);
    return inLines(size(1, true), size(2, true), size(3));
  });
  const heard: number[] = [];
  const onProgress = ({ bytes }: { bytes: number }) => void heard.push(bytes);
  const { path: folder } = parsePath("/a #%?");
  const answer = await measureFolder(spoken.api.calls, { folder, signal: signal(), onProgress });
  assert.deepEqual(answer, { ok: true, value: size(3) });
  assert.deepEqual(heard.at(-1), 3);
  assert.deepEqual(paths, ["/api/size/a%20%23%25%3F"]);
});

Deno.test("measureFolder() fails when the server refuses, or breaks off before any total", async () => {
  await using spoken = speakTo(({ path }) =>
    path.endsWith("shut") ? new Response("no", { status: 403 }) : new Response("")
  );
  const options = { signal: signal(), onProgress: () => {} };
  const { path: folder } = parsePath("/shut");
  const refused = await measureFolder(spoken.api.calls, { ...options, folder });
  assert.equal(refused.ok, false);
  const broken = await measureFolder(spoken.api.calls, { ...options, folder: ROOT });
  assert.equal(broken.ok, false);
});

Deno.test("KnownSizes are fresh for ten seconds, while the folder has the same time", () => {
  let now = 0;
  const known = new KnownSizes(() => now);
  known.keep(ROOT, "monday", size(5));
  now = 9_999;
  assert.equal(known.isFresh(ROOT, "monday"), true);
  assert.equal(known.isFresh(ROOT, "tuesday"), false);
  now = 10_000;
  assert.equal(known.isFresh(ROOT, "monday"), false);
  assert.deepEqual(known.last(ROOT), size(5));
});
