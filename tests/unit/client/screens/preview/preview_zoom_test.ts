import assert from "node:assert/strict";
import {
  cycled,
  fit,
  type FramedImage,
  ImageViewport,
  isCropped,
  maxZoom,
  panned,
  stepped,
  WHOLE,
  ZOOM_STEP,
  zoomedTo,
} from "../../../../../lib/client/screens/preview/picture/image_viewport.ts";
import { fc } from "../../../../support/run/property.ts";

const frame = { width: 1000, height: 800 };
const large: FramedImage = { fitted: { width: 1000, height: 500 }, frame, natural: 4000 };

Deno.test("a picture fits its frame, and a small one is not blown up", () => {
  assert.deepEqual(fit({ width: 4000, height: 2000 }, frame), { width: 1000, height: 500 });
  assert.deepEqual(fit({ width: 100, height: 1600 }, frame), { width: 50, height: 800 });
  assert.deepEqual(fit({ width: 16, height: 16 }, frame), { width: 16, height: 16 });
  assert.deepEqual(fit({ width: 500, height: 250 }, frame, true), { width: 1000, height: 500 });
});

Deno.test("a double click goes to 2, to 4 and back to the whole", () => {
  assert.deepEqual([1, 2, 4, 1.5, 3, 7, 0.5].map(cycled), [2, 4, 1, 2, 4, 1, 1]);
});

Deno.test("steps of the zoom are quarters, wherever it stood before", () => {
  assert.equal(stepped(1, 1), 1.25);
  assert.equal(stepped(1, -1), 0.75);
  assert.equal(stepped(1.1, 1), 1.25);
  assert.equal(stepped(1.1, -1), 1);
});

Deno.test("the zoom ends at a quarter, and at four times more than every pixel", () => {
  assert.equal(maxZoom(large), 8);
  assert.equal(zoomedTo(WHOLE, 100, { x: 0, y: 0 }, large).zoom, 8);
  assert.equal(zoomedTo(WHOLE, 0, { x: 0, y: 0 }, large).zoom, ZOOM_STEP);
});

Deno.test("what lies under the pointer stays there, as far as the edges allow", () => {
  const about = { x: 200, y: -100 };
  const closer = zoomedTo(WHOLE, 4, about, large);
  assert.deepEqual(closer, { zoom: 4, x: -600, y: 300 });
  assert.deepEqual(zoomedTo(closer, 1, about, large), WHOLE);
});

Deno.test("a picture is moved only as far as there is more of it", () => {
  assert.ok(!isCropped(WHOLE, large));
  assert.deepEqual(panned(WHOLE, { x: 50, y: 50 }, large), WHOLE);
  const wide = zoomedTo(WHOLE, 1.2, { x: 0, y: 0 }, large);
  assert.ok(isCropped(wide, large));
  assert.deepEqual(panned(wide, { x: -500, y: 90 }, large), { zoom: 1.2, x: -100, y: 0 });
});

Deno.test("whatever is done, no edge of the picture comes off an edge of the frame", () => {
  const number = fc.double({ min: -2000, max: 2000, noNaN: true });
  const move = fc.record({
    zoom: fc.double({ min: 0, max: 20, noNaN: true }),
    x: number,
    y: number,
  });
  fc.assert(fc.property(fc.array(move, { maxLength: 20 }), (moves) => {
    let viewport = WHOLE;
    for (const { zoom, x, y } of moves) {
      viewport = panned(zoomedTo(viewport, zoom, { x: y, y: x }, large), { x, y }, large);
      const spareX = Math.max(0, (large.fitted.width * viewport.zoom - frame.width) / 2);
      const spareY = Math.max(0, (large.fitted.height * viewport.zoom - frame.height) / 2);
      assert.ok(Math.abs(viewport.x) <= spareX + 1e-6 && Math.abs(viewport.y) <= spareY + 1e-6);
      assert.ok(viewport.zoom >= ZOOM_STEP && viewport.zoom <= 8);
    }
  }));
});

Deno.test("a picture of unknown size can't be zoomed", () => {
  const look = new ImageViewport();
  look.framed(frame);
  look.step(1);
  look.cycle({ x: 0, y: 0 });
  assert.deepEqual(look.now.value, WHOLE);
  assert.ok(!look.wantsDetail(2));
});

Deno.test("the same picture in more detail stays where it is and as large", () => {
  const look = new ImageViewport();
  look.framed(frame);
  look.pictured({ width: 500, height: 250 }, true);
  assert.equal(look.image.value.fitted.width, 1000);
  assert.ok(look.wantsDetail(1));
  look.cycle({ x: 0, y: 0 });
  look.pictured({ width: 900, height: 450 }, false);
  assert.equal(look.image.value.fitted.width * look.now.value.zoom, 2000);
});

Deno.test("the wheel makes one step for a notch, and gathers small turns", () => {
  const look = new ImageViewport();
  look.framed(frame);
  look.pictured({ width: 4000, height: 2000 }, false);
  look.wheel(-120, WHOLE);
  assert.equal(look.now.value.zoom, 1.25);
  look.wheel(15, WHOLE);
  look.wheel(15, WHOLE);
  assert.equal(look.now.value.zoom, 1.25);
  look.wheel(15, WHOLE);
  assert.equal(look.now.value.zoom, 1);
  look.wheel(30, WHOLE);
  look.wheel(-30, WHOLE);
  assert.equal(look.now.value.zoom, 1);
});

Deno.test("a picture on its side fits the frame by its height, and turns back after four turns", () => {
  const viewport = new ImageViewport();
  viewport.framed(frame);
  viewport.pictured({ width: 4000, height: 2000 }, false);
  assert.deepEqual(viewport.image.value.fitted, { width: 1000, height: 500 });
  viewport.turn(1);
  assert.equal(viewport.quarters.value, 1);
  assert.deepEqual(viewport.image.value.fitted, { width: 400, height: 800 });
  assert.equal(viewport.image.value.natural, 2000);
  viewport.turn(-1);
  viewport.turn(-1);
  assert.equal(viewport.quarters.value, 3);
  assert.deepEqual(viewport.image.value.fitted, { width: 400, height: 800 });
  for (let turn = 0; turn < 4; turn++) viewport.turn(1);
  assert.equal(viewport.quarters.value, 3);
});

Deno.test("a picture that is turned zooms and pans within its frame, and is whole after a turn", () => {
  const viewport = new ImageViewport();
  viewport.framed(frame);
  viewport.clear(1);
  viewport.pictured({ width: 4000, height: 2000 }, false);
  viewport.cycle({ x: 0, y: 0 });
  viewport.cycle({ x: 0, y: 0 });
  assert.equal(viewport.now.value.zoom, 4);
  viewport.pan({ x: 10_000, y: 10_000 });
  // 400 x 800, four times, in a frame of 1000 x 800.
  assert.deepEqual(viewport.now.value, { zoom: 4, x: 300, y: 1200 });
  viewport.turn(1);
  assert.deepEqual(viewport.now.value, WHOLE);
  viewport.pictured({ width: 8000, height: 4000 }, false);
  assert.deepEqual(viewport.now.value, WHOLE, "more detail changes nothing");
});
