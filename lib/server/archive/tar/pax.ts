const encoder = new TextEncoder();

/**
 * One record of an extended header (POSIX.1-2001, pax): its length in decimal digits, which counts
 * the digits too, the key, and the value in UTF-8.
 */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = encoder.encode(rest).length;
  let length = bytes + 1;
  while (bytes + String(length).length !== length) length = bytes + String(length).length;
  return `${length}${rest}`;
}
