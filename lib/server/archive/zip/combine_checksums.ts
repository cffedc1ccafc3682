/** The polynomial of CRC-32, its lowest power in the highest bit. */
const polynomial = 0xedb8_8320;

/** The polynomial 1. */
const one = 0x8000_0000;

/** The polynomial x^8: one more byte multiplies a checksum by it. */
const byte = one >>> 8;

/**
 * The CRC-32 of two concatenated texts, from those of each: the first is shifted by the length of
 * the second, a multiplication by x^8n modulo the polynomial.
 *
 * @param length of the second, in bytes
 */
export function combineChecksums(first: number, second: number, length: number): number {
  let moved = first;
  let power = byte;
  for (let left = length; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) moved = multiply(moved, power);
    power = multiply(power, power);
  }
  return (moved ^ second) >>> 0;
}

/** Multiplies two polynomials modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= b;
    b = b & 1 ? b >>> 1 ^ polynomial : b >>> 1;
  }
  return product >>> 0;
}
