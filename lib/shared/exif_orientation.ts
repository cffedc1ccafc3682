/** The orientation in EXIF data, 1 to 8 (tag 0x0112); 1, upright, where they are broken. */
export function orientationIn(bytes: Uint8Array): number {
  try {
    return readOrientation(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Reads the first directory of EXIF data, which has the layout of a TIFF file. */
function readOrientation(view: DataView): number {
  const little = view.getUint16(0) === 0x4949;
  const start = view.getUint32(4, little);
  const count = view.getUint16(start, little);
  for (let index = 0; index < count; index++) {
    const entry = start + 2 + index * 12;
    if (view.getUint16(entry, little) !== 0x0112) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
