import assert from "node:assert/strict";
import { JustifiedLines } from "../../../../../../lib/client/files_page/listing/photos/justified_lines.ts";
import {
  besideLine,
  scrollToKeep,
  scrollToReveal,
  sliceFor,
} from "../../../../../../lib/client/base/files/row_window.ts";
import { fc } from "../../../../../support/run/property.ts";

const layout = fc.record({
  ratios: fc.array(fc.constantFrom(0, 10, 56, 67, 75, 100, 133, 150, 178, 300, 2000), {
    maxLength: 300,
  }),
  width: fc.integer({ min: 120, max: 2500 }),
  height: fc.integer({ min: 40, max: 300 }),
  gap: fc.integer({ min: 0, max: 8 }),
  starts: fc.array(fc.nat(300), { maxLength: 6 }),
}).map(({ starts, ...rest }) => {
  const total = rest.ratios.length;
  const within = [...new Set([0, ...starts])].filter((start) => start < total);
  const groups = starts.length > 1 ? within.sort((a, b) => a - b) : undefined;
  return { ...rest, total, groups, heading: 40 };
});
const gridOf = (lines: JustifiedLines, groups?: readonly number[]) => {
  const { total, columns, rowHeight } = lines;
  return { total, columns, rowHeight, groups, lines };
};

Deno.test("pictures lie in lines beside each other, inside the width, in order and apart", () => {
  fc.assert(fc.property(layout, (layout) => {
    const lines = new JustifiedLines(layout);
    for (let index = 0; index < layout.total; index++) {
      const place = lines.placeOf(index);
      assert.ok(place.start >= 0 && place.start + place.width <= layout.width + 1, `${index}`);
      assert.ok(place.width > 0 && place.height >= 0);
      if (index === 0) continue;
      const before = lines.placeOf(index - 1);
      const isBeside = place.top === before.top &&
        Math.abs(place.start - before.start - before.width - layout.gap) <= 1;
      const isBelow = place.start === 0 && place.top >= before.top + before.height + layout.gap;
      assert.ok(isBeside || isBelow, `${index}`);
    }
  }));
});

Deno.test("a full line fills the width, and its pictures keep their shapes", () => {
  const ratios = Array.from({ length: 40 }, (_, index) => index % 3 === 0 ? 67 : 150);
  const lines = new JustifiedLines({
    ...{ ratios, total: 40, width: 1000, height: 130, gap: 4, heading: 0 },
  });
  const { last } = lines.lineOf(0);
  const end = lines.placeOf(last - 1);
  assert.equal(end.start + end.width, 1000);
  for (let index = 0; index < 40; index++) {
    const { width, height } = lines.placeOf(index);
    assert.ok(Math.abs(width / height - (ratios[index] ?? 0) / 100) < 0.02, `${index}`);
    assert.ok(height >= 130 && height < 200, `${height}`);
  }
});

Deno.test("one portrait before a panorama is in one line with it, and fills no screen", () => {
  const lines = new JustifiedLines({
    ...{ ratios: [67, 590, 150], total: 3, width: 390, height: 82, gap: 2, heading: 0 },
  });
  assert.equal(lines.placeOf(1).top, 0);
  assert.ok(lines.placeOf(0).height < 82);
  assert.equal(lines.placeOf(1).start + lines.placeOf(1).width, 390);
});

Deno.test("lines and entries are found by index and by height", () => {
  fc.assert(fc.property(layout, (layout) => {
    const lines = new JustifiedLines(layout);
    for (let index = 0; index < layout.total; index++) {
      const line = lines.lineOf(index);
      assert.ok(line.first <= index && index < line.last);
      assert.equal(lines.lineAt(line.from).first, line.first);
      assert.equal(lines.lineAt(line.top + line.height / 2).first, line.first);
      if (layout.groups?.includes(index)) assert.equal(line.top - line.from, layout.heading);
    }
  }));
});

Deno.test("what is in view is drawn, in whole lines", () => {
  fc.assert(fc.property(layout, fc.nat(20_000), (layout, scrollTop) => {
    const lines = new JustifiedLines(layout);
    const view = { scrollTop, height: 700 };
    const { first, last, height } = sliceFor(gridOf(lines, layout.groups), view, 1);
    assert.equal(height, lines.height);
    const scrolled = Math.min(scrollTop, Math.max(0, height - view.height));
    for (let index = 0; index < layout.total; index++) {
      const place = lines.placeOf(index);
      const isSeen = place.top < scrolled + 700 && place.top + place.height > scrolled;
      if (isSeen) assert.ok(index >= first && index < last, `${index} of ${first} to ${last}`);
    }
  }));
});

Deno.test("up and down go to the nearest picture, and stay at the ends", () => {
  const ratios = [200, 100, 300, 100, 200];
  // 0 0 1 | 2 2 2 | 3 4 4, lines of 300 by 100
  const lines = new JustifiedLines({
    ...{ ratios, total: 5, width: 300, height: 100, gap: 0, heading: 0 },
  });
  const grid = gridOf(lines);
  assert.equal(besideLine(grid, 0, 1), 2);
  assert.equal(besideLine(grid, 1, 1), 2);
  assert.equal(besideLine(grid, 2, 1), 4);
  assert.equal(besideLine(grid, 2, -1), 0);
  assert.equal(besideLine(grid, 4, 1), 4);
  assert.equal(besideLine(grid, 1, -1), 1);
});

Deno.test("a rectangle selects the pictures that it touches", () => {
  const ratios = [200, 100, 100, 100, 100];
  const lines = new JustifiedLines({
    ...{ ratios, total: 5, width: 300, height: 100, gap: 0, heading: 0 },
  });
  const box = { start: 210, end: 250, top: 20, bottom: 120 };
  assert.deepEqual(lines.spansIn(box), [{ from: 1, to: 2 }, { from: 4, to: 5 }]);
  assert.deepEqual(lines.spansIn({ ...box, start: 0, end: 300 }), [{ from: 0, to: 5 }]);
  assert.deepEqual(lines.spansIn({ ...box, top: 300, bottom: 500 }), []);
});

Deno.test("ratios that come later move nothing in view: what is on top stays there", () => {
  fc.assert(fc.property(layout, fc.nat(10_000), (layout, scrolled) => {
    const later = layout.ratios.map((ratio, index) => ratio || 60 + index % 90);
    const [before, now] = [layout, { ...layout, ratios: later }]
      .map((each) => gridOf(new JustifiedLines(each), layout.groups));
    if (!before || !now || layout.total === 0) return;
    // At the end the view stays at the end.
    const scrollTop = Math.max(0, Math.min(scrolled, before.lines.height - 602));
    const top = scrollToKeep(before, { scrollTop, height: 600 }, now);
    assert.ok(top !== null);
    const topmost = before.lines.lineAt(scrollTop).first;
    const line = now.lines.lineOf(topmost);
    assert.ok(top >= line.from && top <= line.top + line.height, `${top}`);
  }));
});

Deno.test("100,000 pictures are laid out in no time, and each can be scrolled to", () => {
  const total = 100_000;
  const ratios = Array.from({ length: total }, (_, index) => 60 + index * 37 % 150);
  const lines = new JustifiedLines({
    ...{ ratios, total, width: 1000, height: 130, gap: 4, heading: 0 },
  });
  const view = { scrollTop: 0, height: 700 };
  const top = scrollToReveal(gridOf(lines), view, total - 1);
  assert.equal(top, lines.height - 700);
});
