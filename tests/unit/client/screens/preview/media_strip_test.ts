import assert from "node:assert/strict";
import type { Entry } from "../../../../../lib/shared/schemas/entry.ts";
import { MediaStrip } from "../../../../../lib/client/screens/preview/preview_neighbours.ts";
import { centred, spanInView } from "../../../../../lib/client/screens/preview/strip_window.ts";
import { Rows } from "../../../../../lib/client/base/files/rows.ts";
import { fileNamed, manyNames } from "../../support.ts";

const picture = (name: string): Entry => ({ ...fileNamed(name), type: "image" });

Deno.test("a strip has what can be shown, in the order of the folder, and no folders", () => {
  const entries = [
    { ...picture("album.png"), type: "listing" as const, isDir: true },
    picture("a.png"),
    fileNamed("b.txt"),
    { ...picture("c.mp3"), type: "audio" as const },
    picture("d.png"),
  ];
  const strip = new MediaStrip(new Rows(5).with(0, entries), 1);
  assert.equal(strip.isWhole, true);
  assert.equal(strip.length, 3);
  assert.deepEqual([0, 1, 2, 3].map((place) => strip.at(place)?.name), [
    ...["a.png", "c.mp3", "d.png"],
    undefined,
  ]);
  assert.equal(strip.placeOf("d.png"), 2);
  assert.equal(strip.placeOf("b.txt"), -1);
  assert.equal(strip.placeOf("album.png"), -1);
  assert.equal(MediaStrip.none.isWhole, false);
});

Deno.test("rows that are not loaded keep their place in a strip until they are known", () => {
  const names = manyNames(20_000);
  const some = names.slice(10_000, 10_050).map(picture);
  const rows = new Rows(20_000).with(10_000, some);
  const strip = new MediaStrip(rows);
  assert.equal(strip.length, 20_000);
  assert.equal(strip.isWhole, false);
  assert.equal(strip.placeOf("file 10049"), 10_049);
  assert.equal(strip.at(3), undefined);
  const texts = names.slice(0, 50).map((name) => fileNamed(name));
  const known = new MediaStrip(rows.with(0, texts));
  assert.equal(known.placeOf("file 10049"), 9_999);
  assert.equal(known.rowOf(0), 50);
});

Deno.test("few cells of a long strip are drawn, wherever it stands", () => {
  const view = { size: 1280, cell: 68, length: 20_000 };
  for (const start of [0, 68 * 10_000 + 13, 68 * 20_000 - 1280]) {
    const { from, to } = spanInView({ ...view, start });
    assert.ok(from * 68 <= start && to * 68 >= Math.min(start + 1280, 68 * 20_000), `${start}`);
    assert.ok(to - from < 30, `${to - from} cells`);
  }
  assert.deepEqual(spanInView({ ...view, start: 9e9 }), { from: 20_000, to: 20_000 });
  assert.deepEqual(spanInView({ ...view, length: 0, start: 0 }), { from: 0, to: 0 });
  assert.equal(centred(0, 68, 1280), 0);
  assert.equal(centred(100, 68, 1280), 100.5 * 68 - 640);
});
