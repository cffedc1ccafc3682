import type { Pixels } from "./picture.ts";

/**
 * Scales a picture down: every new pixel is the mean of the old ones that it covers, weighted by
 * opacity. Never enlarges.
 *
 * @param side the longest side of the result, in pixels
 */
export function shrink(picture: Pixels, side: number): Pixels {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  if (scale === 1) return picture;
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const bytes = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const rows = span(row, height, picture.height);
    for (let column = 0; column < width; column++) {
      const columns = span(column, width, picture.width);
      setMean(bytes, (row * width + column) * 4, picture, rows, columns);
    }
  }
  return { bytes, width, height };
}

type Span = [from: number, to: number];

/** The old rows or columns that a new one covers; at least one. */
function span(index: number, count: number, oldCount: number): Span {
  const from = Math.floor(index * oldCount / count);
  return [from, Math.max(from + 1, Math.floor((index + 1) * oldCount / count))];
}

function setMean(
  target: Uint8Array,
  at: number,
  { bytes, width }: Pixels,
  [top, bottom]: Span,
  [left, right]: Span,
): void {
  let [red, green, blue, solid] = [0, 0, 0, 0];
  for (let row = top; row < bottom; row++) {
    const end = (row * width + right) * 4;
    for (let from = (row * width + left) * 4; from < end; from += 4) {
      const opacity = bytes[from + 3] ?? 0;
      red += (bytes[from] ?? 0) * opacity;
      green += (bytes[from + 1] ?? 0) * opacity;
      blue += (bytes[from + 2] ?? 0) * opacity;
      solid += opacity;
    }
  }
  if (solid === 0) return;
  target[at] = red / solid;
  target[at + 1] = green / solid;
  target[at + 2] = blue / solid;
  target[at + 3] = solid / ((bottom - top) * (right - left));
}

/**
 * Rotates a picture upright.
 *
 * @param orientation EXIF value, 1 to 8
 */
export function turn(picture: Pixels, orientation: number): Pixels {
  if (orientation === 1) return picture;
  const { width, height } = picture;
  const isLying = orientation >= 5;
  const [newWidth, newHeight] = isLying ? [height, width] : [width, height];
  return map(picture, newWidth, newHeight, (column, row) => {
    const [x, y] = isLying ? [row, column] : [column, row];
    const isFlipped = [2, 3, 7, 8].includes(orientation);
    const isUpsideDown = [3, 4, 6, 7].includes(orientation);
    return (isUpsideDown ? height - 1 - y : y) * width + (isFlipped ? width - 1 - x : x);
  });
}

/**
 * Crops a square, padding it where the picture has less.
 *
 * @param isPage takes the top of a high picture rather than the centre, and a wide one whole,
 * between transparent strips
 */
export function square(picture: Pixels, side: number, isPage = false): Pixels {
  const { width, height } = picture;
  const cut = isPage ? width : Math.min(width, height);
  const middle = (height - cut) >> 1;
  const [left, top] = [(width - cut) >> 1, isPage ? Math.min(middle, 0) : middle];
  const old = (index: number) => Math.floor(index * cut / side);
  return map(picture, side, side, (column, row) => (top + old(row)) * width + left + old(column));
}

/** Fills a rectangle of a picture with the middle of a square one, scaled to its longer side. */
export function paste(
  target: Pixels,
  { bytes, width: side }: Pixels,
  cell: { left: number; top: number; width: number; height: number },
): void {
  const { left, top, width, height } = cell;
  const scale = side / Math.max(width, height);
  const [skipLeft, skipTop] = [width, height].map((length) => (side - length * scale) / 2);
  const from = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const to = new Uint32Array(target.bytes.buffer, target.bytes.byteOffset, target.bytes.length / 4);
  for (let row = 0; row < height; row++) {
    const oldRow = Math.floor((skipTop ?? 0) + row * scale);
    for (let column = 0; column < width; column++) {
      const oldColumn = Math.floor((skipLeft ?? 0) + column * scale);
      to[(top + row) * target.width + left + column] = from[oldRow * side + oldColumn] ?? 0;
    }
  }
}

/** Blends transparent pixels with white, for formats without opacity. */
export function blendWithWhite(picture: Pixels): Pixels {
  const bytes = new Uint8Array(picture.bytes);
  for (let at = 0; at < bytes.length; at += 4) {
    const opacity = bytes[at + 3] ?? 0;
    for (let part = at; part < at + 3; part++) {
      bytes[part] = Math.round(((bytes[part] ?? 0) * opacity + 255 * (255 - opacity)) / 255);
    }
    bytes[at + 3] = 255;
  }
  return { ...picture, bytes };
}

/** A rearranged picture: each pixel is one of the old ones. */
function map(
  picture: Pixels,
  width: number,
  height: number,
  source: (column: number, row: number) => number,
): Pixels {
  const { bytes } = picture;
  const from = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const to = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      to[row * width + column] = from[source(column, row)] ?? 0;
    }
  }
  return { bytes: new Uint8Array(to.buffer), width, height };
}
