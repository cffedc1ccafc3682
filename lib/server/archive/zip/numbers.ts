/** The version of the format that a reader must know: 2.0 for folders and deflate, 4.5 for zip64. */
export const version = { plain: 20, wide: 45 };

/** Made by Unix, which defines the meaning of the attributes. */
export const madeBy = 3 << 8 | version.wide;

/**
 * Writes a 64-bit number, up to JavaScript's safe integers.
 *
 * @returns the offset behind it
 */
export function writeWide(view: DataView, at: number, value: number): number {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  return at + 8;
}
