/** Real pictures for tests, made as they are needed. */
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** The colours of the quarters: red and green above, blue and white below. */
const quarterColours = ["red", "green", "blue", "white"] as const;

type Quarter = typeof quarterColours[number];

const values: Record<Quarter, [number, number, number]> = {
  red: [230, 20, 20],
  green: [20, 180, 20],
  blue: [20, 20, 230],
  white: [250, 250, 250],
};

/** The colours of the corners by the orientation (EXIF) that {@linkcode quarters} are kept in. */
export const turnedCorners: Readonly<Record<number, string>> = {
  1: "red green blue white",
  2: "green red white blue",
  3: "white blue green red",
  4: "blue white red green",
  5: "red blue green white",
  6: "blue red white green",
  7: "white green blue red",
  8: "green white red blue",
};

/** A picture of four quarters in four colours, not encoded yet. */
export function quarters(width: number, height: number): Sharp {
  const bytes = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = (y * 2 < height ? 0 : 2) + (x * 2 < width ? 0 : 1);
      bytes.set(values[quarterColours[index] ?? "red"], (y * width + x) * 3);
    }
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}

/** What an encoded picture shows: its format, its size, and the colours in the quarters' middles. */
export async function looksOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).flatten({ background: "#000" }).raw()
    .toBuffer({ resolveWithObject: true });
  const { format } = await sharp(bytes).metadata();
  const { width, height, channels } = info;
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * height) * width + Math.floor(x * width)) * channels;
    return nearest([...data.subarray(start, start + 3)]);
  };
  const corners = [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
  return { format, width, height, corners: corners.join(" ") };
}

function nearest(colour: number[]): string {
  const distances = quarterColours.map((name) => ({
    name,
    distance: Math.hypot(...values[name].map((value, part) => value - (colour[part] ?? 0))),
  }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best && best.distance < 60 ? best.name : `rgb(${colour.join()})`;
}

/** A black PNG of any size in few bytes: one bit a pixel, and rows that are all the same. */
export function blackPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 1);
  const rows = new Uint8Array((Math.ceil(width / 8) + 1) * height);
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", new Uint8Array(header.buffer)),
    ...chunk("IDAT", deflateSync(rows, { level: 1 })),
    ...chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(content, 8);
  view.setUint32(content.length + 8, crc32(bytes.subarray(4, content.length + 8)));
  return bytes;
}

/** A GIF that claims a size and holds one pixel. */
export function claimingGif(width: number, height: number): Uint8Array<ArrayBuffer> {
  const size = [width & 0xff, width >> 8, height & 0xff, height >> 8];
  return Uint8Array.from([
    ...new TextEncoder().encode("GIF89a"),
    ...[...size, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff],
    ...[0x2c, 0, 0, 0, 0, ...size, 0],
    ...[0x02, 0x02, 0x44, 0x01, 0x00, 0x3b],
  ]);
}

/** A bitmap (BMP) of the given pixels, each as red, green, blue, from the top row on. */
export function bitmap(width: number, pixels: number[][]): Uint8Array<ArrayBuffer> {
  const height = pixels.length / width;
  const stride = Math.ceil(width * 3 / 4) * 4;
  const bytes = new Uint8Array(54 + stride * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  pixels.forEach((pixel, index) => {
    const row = height - 1 - Math.floor(index / width);
    bytes.set(pixel.toReversed(), 54 + row * stride + (index % width) * 3);
  });
  return bytes;
}
