/** Width and height of a picture in pixels, as it is shown. */
export interface PictureSize {
  width: number;
  height: number;
}

/** Most boxes and properties that are looked at. */
const maxBoxes = 4_000;

/** A box of an ISO container: its type, and its content. */
interface Box {
  type: string;
  body: DataView;
}

/**
 * The size of the main picture of an HEIC or AVIF file, turned as the container says (`irot`): the
 * orientation in EXIF data does not count there (ISO/IEC 23008-12).
 *
 * @returns null where the container does not tell
 */
export function readHeifSize(bytes: Uint8Array): PictureSize | null {
  try {
    const all = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const meta = find(boxesIn(all), "meta");
    const inMeta = meta ? boxesIn(meta.body, 4) : [];
    const properties = boxesIn(find(inMeta, "iprp")?.body);
    const listed = boxesIn(find(properties, "ipco")?.body);
    const main = numberIn(find(inMeta, "pitm")?.body);
    const own = propertiesOf(main, find(properties, "ipma")?.body).map((index) =>
      listed[index - 1]
    );
    const size = own.find((box) => box?.type === "ispe")?.body;
    if (!size) return null;
    const [width, height] = [size.getUint32(4), size.getUint32(8)];
    const quarters = own.find((box) => box?.type === "irot")?.body.getUint8(0) ?? 0;
    return quarters % 2 === 1 ? { width: height, height: width } : { width, height };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Items that are pictures; tiles, smaller copies and masks are told by references. */
const pictureItems = new Set(["av01", "grid", "hvc1", "iden", "iovl"]);

/** Counts the pictures of an HEIC or AVIF file; 0 where the container does not tell. */
export function countHeifPictures(bytes: Uint8Array): number {
  try {
    const all = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const meta = find(boxesIn(all), "meta");
    const inMeta = meta ? boxesIn(meta.body, 4) : [];
    const info = find(inMeta, "iinf")?.body;
    const items = new Set<number>();
    for (const { type, body } of boxesIn(info, info?.getUint8(0) === 0 ? 6 : 8)) {
      const [version, isHidden] = [body.getUint8(0), (body.getUint8(3) & 1) === 1];
      if (type !== "infe" || version < 2 || isHidden) continue;
      const at = version === 2 ? 6 : 8;
      const kind = String.fromCharCode(...[2, 3, 4, 5].map((index) => body.getUint8(at + index)));
      if (pictureItems.has(kind)) items.add(at === 6 ? body.getUint16(4) : body.getUint32(4));
    }
    for (const part of partsOf(find(inMeta, "iref")?.body)) items.delete(part);
    return items.size;
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

/** The items that others are made of, or that go with others. */
function partsOf(body: DataView | undefined): number[] {
  const parts: number[] = [];
  if (!body) return parts;
  const width = body.getUint8(0) === 0 ? 2 : 4;
  for (const { type, body: reference } of boxesIn(body, 4)) {
    const item = (at: number) => width === 2 ? reference.getUint16(at) : reference.getUint32(at);
    if (type === "thmb" || type === "auxl") parts.push(item(0));
    if (type !== "dimg") continue;
    const count = reference.getUint16(width);
    for (let index = 0; index < count; index++) parts.push(item(width + 2 + index * width));
  }
  return parts;
}

function find(boxes: readonly Box[], type: string): Box | undefined {
  return boxes.find((box) => box.type === type);
}

/** The boxes in another one; those that end beyond it are cut. */
function boxesIn(view: DataView | undefined, from = 0): Box[] {
  const boxes: Box[] = [];
  if (!view) return boxes;
  for (let at = from; at + 8 <= view.byteLength && boxes.length < maxBoxes;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...[4, 5, 6, 7].map((index) => view.getUint8(at + index)));
    const head = length === 1 ? 16 : 8;
    const size = length === 0
      ? view.byteLength - at
      : length === 1
      ? Number(view.getBigUint64(at + 8))
      : length;
    if (size < head) break;
    const end = Math.min(at + size, view.byteLength);
    const start = Math.min(at + head, end);
    boxes.push({ type, body: new DataView(view.buffer, view.byteOffset + start, end - start) });
    at += size;
  }
  return boxes;
}

/** The number of an item, in 16 or 32 bits by the version. */
function numberIn(body: DataView | undefined): number | null {
  if (!body) return null;
  return body.getUint8(0) === 0 ? body.getUint16(4) : body.getUint32(4);
}

/** The numbers of the properties of an item, from 1 on. */
function propertiesOf(item: number | null, body: DataView | undefined): number[] {
  if (!body || item === null) return [];
  const [version, isWide] = [body.getUint8(0), (body.getUint8(3) & 1) !== 0];
  let at = 8;
  for (let left = Math.min(body.getUint32(4), maxBoxes); left > 0; left--) {
    const number = version === 0 ? body.getUint16(at) : body.getUint32(at);
    at += version === 0 ? 2 : 4;
    const count = body.getUint8(at++);
    const step = isWide ? 2 : 1;
    if (number === item) {
      return Array.from({ length: count }, (_, index) => {
        const place = at + index * step;
        return isWide ? body.getUint16(place) & 0x7fff : body.getUint8(place) & 0x7f;
      });
    }
    at += count * step;
  }
  return [];
}
