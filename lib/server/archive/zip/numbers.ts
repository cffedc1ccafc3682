/** The version of the format that a reader must know: 2.0 for folders and deflate, 4.5 for zip64. */
export const version = { plain: 20, wide: 45 };

/** Made by a Unix, which gives the attributes their meaning. */
export const madeBy = 3 << 8 | version.wide;

/**
 * Writes a number of 64 bits, as far as JavaScript counts.
 *
 * @returns the place behind it
 */
export function writeWide(view: DataView, at: number, value: number): number {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  return at + 8;
}
