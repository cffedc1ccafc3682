import type { PreviewFormat } from "./preview.ts";

/**
 * The format of a complete encoded preview; null for anything else, such as a file that a crash
 * left incomplete in the cache.
 */
export function wholeFormatOf(bytes: Uint8Array): PreviewFormat | null {
  if (bytes.length < 20) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [riff, webp, jpegStart, jpegEnd] = [0x52494646, 0x57454250, 0xffd8, 0xffd9];
  if (view.getUint32(0) === riff && view.getUint32(8) === webp) {
    return view.getUint32(4, true) + 8 === bytes.length ? "webp" : null;
  }
  const isWhole = view.getUint16(0) === jpegStart && view.getUint16(bytes.length - 2) === jpegEnd;
  return isWhole ? "jpeg" : null;
}
