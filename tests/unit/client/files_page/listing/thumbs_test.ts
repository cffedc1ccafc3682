import assert from "node:assert/strict";
import { failure, type Result, success } from "../../../../../lib/shared/result.ts";
import type { ThumbSide } from "../../../../../lib/shared/schemas/choices/choices.ts";
import { sideFor, Thumbs } from "../../../../../lib/client/files_page/listing/thumbs/thumbs.ts";
import { fakeTimers } from "../../../../support/run/fake_timers.ts";
import { fileNamed, manyNames, until } from "../../support.ts";

interface Asked {
  path: string;
  side: ThumbSide;
  key: string;
  signal: AbortSignal;
  settle: (answer: Result<Blob | null>) => void;
}

/** Thumbs whose pictures come when the test says so. */
function pictures() {
  const asked: Asked[] = [];
  const made = new Set<string>();
  const tiles: { side: ThumbSide } = { side: 256 };
  const thumbs = new Thumbs<Blob>({
    read: (path, side, key, signal) =>
      new Promise((settle) =>
        asked.push({ path, side, key, signal, settle: (answer) => settle(answer) })
      ),
    itself: (path, key) => `${path}?${key}`,
    side: () => tiles.side,
    urls: {
      createObjectURL: () => {
        const url = `blob:${asked.length}-${made.size}`;
        made.add(url);
        return url;
      },
      revokeObjectURL: (url) => void made.delete(url),
    },
  });
  return { thumbs, asked, made, tiles };
}

const picture = success(new Blob(["picture"]));
const entries = manyNames(400).map((name) => fileNamed(name));
const [first, second] = entries as [typeof entries[0] & object, typeof entries[0] & object];

Deno.test("Thumbs asks for few pictures at a time, and for the next when one has come", async () => {
  const { thumbs, asked } = pictures();
  for (const entry of entries.slice(0, 10)) thumbs.show(entry);
  await until(() => asked.length > 0);
  assert.equal(asked.length, 4);
  asked[0]?.settle(picture);
  await until(() => asked.length === 5);
  assert.ok(thumbs.of(first).value?.startsWith("blob:"));
  assert.equal(asked[4]?.path, "/file 00004");
});

Deno.test("Thumbs asks for nothing while entries fly past", async () => {
  using time = fakeTimers();
  const { thumbs, asked } = pictures();
  for (const entry of entries.slice(0, 200)) thumbs.show(entry)();
  thumbs.show(entries[250] ?? first);
  await time.pass(100);
  assert.ok(asked.length > 0);
  await time.pass(1_000);
  assert.deepEqual(asked.map(({ path }) => path), ["/file 00250"]);
});

Deno.test("Thumbs gives up a picture whose entry has left the view", async () => {
  const { thumbs, asked } = pictures();
  const leave = thumbs.show(first);
  await until(() => asked.length === 1);
  leave();
  assert.ok(asked[0]?.signal.aborted);
  asked[0]?.settle(picture);
  thumbs.show(first);
  await until(() => asked.length === 2);
  assert.equal(thumbs.of(first).value, null);
});

Deno.test("Thumbs keeps a picture for when its entry comes back", async () => {
  using time = fakeTimers();
  const { thumbs, asked } = pictures();
  const leave = thumbs.show(first);
  await time.pass(100);
  assert.equal(asked.length, 1);
  asked[0]?.settle(picture);
  await time.pass(100);
  assert.ok(thumbs.of(first).value !== null);
  leave();
  thumbs.show(first);
  await time.pass(1_000);
  assert.equal(asked.length, 1);
});

Deno.test("Thumbs asks never again for what has no picture, and anew for what failed", async () => {
  using time = fakeTimers();
  const { thumbs, asked } = pictures();
  const leaves = [thumbs.show(first), thumbs.show(second)];
  await time.pass(100);
  assert.equal(asked.length, 2);
  asked[0]?.settle(success(null));
  asked[1]?.settle(failure(0, "offline", "no network"));
  await time.pass(1_000);
  assert.equal(asked.length, 2);
  for (const leave of leaves) leave();
  thumbs.show(first);
  thumbs.show(second);
  await time.pass(100);
  assert.ok(asked.length > 2);
  await time.pass(1_000);
  assert.deepEqual(asked.slice(2).map(({ path }) => path), ["/file 00001"]);
});

Deno.test("Thumbs asks anew for a file that has changed", async () => {
  using time = fakeTimers();
  const { thumbs, asked } = pictures();
  thumbs.show(first);
  await time.pass(100);
  assert.equal(asked.length, 1);
  asked[0]?.settle(picture);
  thumbs.show({ ...first, modified: "2027-01-01T00:00:00Z" });
  await time.pass(100);
  assert.equal(asked.length, 2);
  await time.pass(1_000);
  assert.notEqual(asked[0]?.key, asked[1]?.key);
});

Deno.test("Thumbs shows a picture until a larger one is there for tiles that have grown", async () => {
  using time = fakeTimers();
  const { thumbs, asked, made, tiles } = pictures();
  thumbs.show(first);
  await time.pass(100);
  assert.equal(asked.length, 1);
  asked[0]?.settle(picture);
  await time.pass(100);
  assert.ok(thumbs.of(first).value !== null);
  const small = thumbs.of(first).value;
  tiles.side = 640;
  thumbs.show(second);
  await time.pass(100);
  assert.equal(asked.length, 3);
  assert.deepEqual(asked.map(({ side }) => side), [256, 640, 640]);
  assert.equal(thumbs.of(first).value, small);
  asked[1]?.settle(picture);
  await time.pass(100);
  assert.ok(thumbs.of(first).value !== small);
  assert.deepEqual([...made], [thumbs.of(first).value]);

  tiles.side = 256;
  thumbs.show(entries[2] ?? first);
  await time.pass(100);
  assert.equal(asked.length, 4);
  await time.pass(1_000);
  assert.equal(asked.length, 4);
});

Deno.test("a thumbnail is as large as its tile, or nearly, and never larger than it takes", () => {
  const wide = { tile: 330, density: 1 };
  const sharpWide = { tile: 330, density: 2 };
  const phone = { tile: 183, density: 3 };
  const plainPhone = { tile: 183, density: 1 };
  const sides = [wide, sharpWide, phone, plainPhone].map(({ tile, density }) =>
    sideFor(tile * density)
  );
  assert.deepEqual(sides, [360, 640, 640, 256]);
  assert.deepEqual([0, 256, 300, 4000].map(sideFor), [256, 256, 360, 640]);
});

Deno.test("Thumbs holds no more than some hundred pictures in memory", async () => {
  const { thumbs, asked, made } = pictures();
  const shown = entries.map((entry) => thumbs.show(entry));
  for (let at = 0; at < entries.length; at++) {
    await until(() => asked.length > at);
    asked[at]?.settle(picture);
  }
  await until(() => made.size === 400);
  for (const leave of shown) leave();
  await until(() => made.size <= 300);
});

Deno.test("Thumbs shows drawings of up to 1 MB themselves, and asks for no previews of them", async () => {
  const { thumbs, asked } = pictures();
  const drawing = (name: string, size = 2 ** 20) => ({
    ...fileNamed(`${name}.svg`),
    ...{ extension: ".svg", size },
  });
  const drawings = manyNames(9).map((name) => drawing(name));
  const huge = drawing("huge", 2 ** 20 + 1);
  for (const entry of [huge, ...drawings, first]) thumbs.show(entry);
  await until(() => asked.length === 1);
  assert.equal(asked[0]?.path, first.path);
  const key = `${Date.parse(first.modified)}-${2 ** 20}`;
  for (const entry of drawings) assert.equal(thumbs.of(entry).value, `${entry.path}?${key}`);
  assert.equal(thumbs.of(huge).value, null);
});

Deno.test("Thumbs shows nothing of what the browser can't show, and does not try again", async () => {
  const { thumbs, asked, made } = pictures();
  thumbs.show(first);
  await until(() => asked.length === 1);
  asked[0]?.settle(picture);
  await until(() => thumbs.of(first).value !== null);
  thumbs.failed(first);
  assert.equal(thumbs.of(first).value, null);
  assert.equal(made.size, 0);
  thumbs.show(second);
  await until(() => asked.length === 2);
  assert.equal(asked[1]?.path, second.path);
});
