import assert from "node:assert/strict";
import { decodeBmp } from "../../../../../lib/server/features/previews/images/bmp.ts";
import { bitmap } from "../../../../support/data/pictures.ts";

const red = [255, 0, 0];
const green = [0, 255, 0];
const blue = [0, 0, 255];

/** A bitmap of one row, of any kind. */
function row(
  width: number,
  bits: number,
  data: number[],
  palette: number[] = [],
  masks?: number[],
) {
  const extra = masks ? masks.length * 4 : palette.length;
  const stride = Math.ceil(width * bits / 32) * 4;
  const bytes = new Uint8Array(54 + extra + stride);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(10, 54 + extra, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, 1, true);
  view.setUint16(28, bits, true);
  view.setUint32(30, masks ? 3 : 0, true);
  bytes.set(palette, 54);
  masks?.forEach((mask, index) => view.setUint32(54 + index * 4, mask, true));
  bytes.set(data, 54 + extra);
  return bytes;
}
const shown = (bytes: Uint8Array) => [...decodeBmp(bytes).bytes];
const solid = (...colours: number[][]) => colours.flatMap((colour) => [...colour, 255]);

Deno.test("a bitmap that is cut off, compressed or claims too much is refused", () => {
  const whole = bitmap(2, [red, green, blue, red]);
  const refused = { name: "NoPreview" };
  for (const length of [2, 30, 53, whole.length - 1]) {
    assert.throws(() => decodeBmp(whole.subarray(0, length)), refused, `${length}`);
  }
  const changed = (offset: number, value: number) => {
    const bytes = whole.slice();
    new DataView(bytes.buffer).setUint32(offset, value, true);
    return bytes;
  };
  const claims = [[14, 12], [18, 0], [18, 0x80000000], [18, 0x7fffffff], [22, 0], [28, 7], [30, 1]];
  for (const [offset = 0, value = 0] of claims) {
    assert.throws(() => decodeBmp(changed(offset, value)), refused, `${offset} ${value}`);
  }
  assert.throws(() => decodeBmp(changed(10, 0xffffff00)), refused);
});

Deno.test("rows are stored from below unless the height says otherwise", () => {
  const bytes = bitmap(1, [red, green, blue]);
  assert.deepEqual(shown(bytes), solid(red, green, blue));
  new DataView(bytes.buffer).setInt32(22, -3, true);
  assert.deepEqual(shown(bytes), solid(blue, green, red));
});

Deno.test("bitmaps of all depths are decoded", () => {
  const palette = [0, 0, 255, 0, 0, 255, 0, 0];
  assert.deepEqual(shown(row(3, 1, [0b01000000], palette)), solid(red, green, red));
  assert.deepEqual(shown(row(3, 4, [0x01, 0x10], palette)), solid(red, green, green));
  assert.deepEqual(shown(row(2, 8, [1, 0], palette)), solid(green, red));
  assert.deepEqual(shown(row(2, 16, [0x00, 0x7c, 0xe0, 0x03])), solid(red, green));
  assert.deepEqual(shown(row(1, 16, [0x00, 0xf8], [], [0xf800, 0x07e0, 0x1f])), solid(red));
  assert.deepEqual(shown(row(1, 24, [255, 0, 0])), solid(blue));
  assert.deepEqual(shown(row(1, 32, [255, 0, 0, 0])), solid(blue));
  const swapped = [0xff, 0xff00, 0xff0000];
  assert.deepEqual(shown(row(1, 32, [255, 0, 0, 0], [], swapped)), solid(red));
});
