/**
 * The number of a text of up to 15 decimal digits, which is exact; undefined for any other text, also
 * one with a sign, a point or spaces.
 */
export function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
